#include "native/index/code_search.h"

#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include "native/base/intrinsics.h"
#include "native/index/term_codes.h"

namespace freshdex::index {

CodePattern::CodePattern(std::string codes) : codes_(std::move(codes)), second_at_(codes_.size() - 1) {
  assert(!codes_.empty() && EndsCode(codes_.back()));
  while (!EndsCode(codes_[first_at_])) ++first_at_;
  // The only code: its first byte then, which is the last again if there is no other.
  if (first_at_ == second_at_) first_at_ = 0;
}

bool CodePattern::IsAt(std::string_view codes, size_t place) const {
  return (place == 0 || EndsCode(codes[place - 1])) &&
         std::memcmp(codes.data() + place, codes_.data(), codes_.size()) == 0;
}

#if FRESHDEX_X86

__attribute__((target("avx512f,avx512bw"))) size_t CodePattern::Find512(std::string_view codes, size_t from) const {
  const __m512i first = _mm512_set1_epi8(codes_[first_at_]);
  const __m512i second = _mm512_set1_epi8(codes_[second_at_]);
  const size_t places = codes.size() - codes_.size() + 1;
  for (size_t at = from; at < places; at += 64) {
    const size_t left = places - at;
    const __mmask64 wanted = left >= 64 ? ~__mmask64{0} : (__mmask64{1} << left) - 1;
    const __m512i firsts = _mm512_maskz_loadu_epi8(wanted, codes.data() + at + first_at_);
    const __m512i seconds = _mm512_maskz_loadu_epi8(wanted, codes.data() + at + second_at_);
    uint64_t found = _mm512_mask_cmpeq_epi8_mask(_mm512_mask_cmpeq_epi8_mask(wanted, firsts, first), seconds, second);
    for (; found != 0; found &= found - 1) {
      const size_t place = at + static_cast<size_t>(std::countr_zero(found));
      if (IsAt(codes, place)) return place;
    }
  }
  return kNowhere;
}

__attribute__((target("avx2"))) size_t CodePattern::Find256(std::string_view codes, size_t from) const {
  const __m256i first = _mm256_set1_epi8(codes_[first_at_]);
  const __m256i second = _mm256_set1_epi8(codes_[second_at_]);
  const size_t places = codes.size() - codes_.size() + 1;
  size_t at = from;
  for (; at + 32 <= places; at += 32) {
    const __m256i firsts = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes.data() + at + first_at_));
    const __m256i seconds = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes.data() + at + second_at_));
    const __m256i both = _mm256_and_si256(_mm256_cmpeq_epi8(firsts, first), _mm256_cmpeq_epi8(seconds, second));
    for (uint32_t found = static_cast<uint32_t>(_mm256_movemask_epi8(both)); found != 0; found &= found - 1) {
      const size_t place = at + static_cast<size_t>(std::countr_zero(found));
      if (IsAt(codes, place)) return place;
    }
  }
  return FindScalar(codes, at);
}

#endif

size_t CodePattern::FindScalar(std::string_view codes, size_t from) const {
  const size_t places = codes.size() - codes_.size() + 1;
  while (from < places) {
    const void* found = std::memchr(codes.data() + from + second_at_, codes_[second_at_], places - from);
    if (!found) break;
    const size_t place = static_cast<size_t>(static_cast<const char*>(found) - codes.data()) - second_at_;
    if (IsAt(codes, place)) return place;
    from = place + 1;
  }
  return kNowhere;
}

size_t CodePattern::Find(std::string_view codes, size_t from, Simd simd) const {
  if (codes.size() < codes_.size() || from > codes.size() - codes_.size()) return kNowhere;
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return Find512(codes, from);
  if (simd == Simd::kAvx2) return Find256(codes, from);
#endif
  return FindScalar(codes, from);
}

uint32_t CodePattern::Count(std::string_view codes, Simd simd) const {
  uint32_t count = 0;
  for (size_t at = Find(codes, 0, simd); at != kNowhere; at = Find(codes, at + 1, simd)) ++count;
  return count;
}

}  // namespace freshdex::index

#include "native/base/bitpack.h"

#include <bit>
#include <cassert>

#include "native/base/bytes.h"
#include "native/base/intrinsics.h"

namespace freshdex {
namespace {

// Values of up to so many bits lie in the four bytes from that of their first bit on.
[[maybe_unused]] constexpr int kMaxLaneBits = 25;

template <typename Take>
void VisitPacked(const uint8_t* from, size_t count, int bits, Take take) {
  // bits <= 32 and a bit offset inside a byte <= 7: one 64-bit load always covers a value.
  const uint64_t mask = (1ULL << bits) - 1;
  size_t bit = 0;
  for (size_t i = 0; i < count; ++i, bit += static_cast<size_t>(bits))
    take(i, static_cast<uint32_t>((LoadUnaligned<uint64_t>(from + (bit >> 3)) >> (bit & 7)) & mask));
}

void ScalarPlusOne(const uint8_t* from, size_t count, int bits, uint32_t* values) {
  VisitPacked(from, count, bits, [&](size_t i, uint32_t value) { values[i] = value + 1; });
}

void ScalarSums(const uint8_t* from, size_t count, int bits, uint32_t next, uint32_t* values) {
  VisitPacked(from, count, bits, [&](size_t i, uint32_t value) {
    values[i] = next + value;
    next = values[i] + 1;
  });
}

#if FRESHDEX_X86

#define FRESHDEX_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi")))
#define FRESHDEX_AVX2 __attribute__((target("avx2")))

// Where 16 values of one width lie in the bytes of their group, which begins on a byte.
struct Lanes512 {
  __m512i bytes;   // for each byte of the 16 values, which byte of the group it is
  __m512i shifts;  // of a value within its four bytes
  __m512i mask;
};

FRESHDEX_AVX512 inline Lanes512 LanesOf512(int bits) {
  const __m512i first_bits = _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                                                _mm512_set1_epi32(bits));
  const __m512i first_bytes = _mm512_srli_epi32(first_bits, 3);
  Lanes512 lanes;
  lanes.bytes =
      _mm512_add_epi32(_mm512_mullo_epi32(first_bytes, _mm512_set1_epi32(0x01010101)), _mm512_set1_epi32(0x03020100));
  lanes.shifts = _mm512_and_si512(first_bits, _mm512_set1_epi32(7));
  lanes.mask = _mm512_set1_epi32(static_cast<int>((1u << bits) - 1));
  return lanes;
}

// The bytes of a group of up to 16 values: only they are read.
inline uint64_t BytesOfGroup(size_t left, int bits) {
  const size_t bytes = PackedBytes(left < kUnpackGroup ? left : kUnpackGroup, bits);
  return bytes >= 64 ? ~0ull : (1ull << bytes) - 1;
}

FRESHDEX_AVX512 inline __m512i Group512(const uint8_t* from, uint64_t bytes, const Lanes512& lanes) {
  const __m512i spread = _mm512_permutexvar_epi8(lanes.bytes, _mm512_maskz_loadu_epi8(bytes, from));
  return _mm512_and_si512(_mm512_srlv_epi32(spread, lanes.shifts), lanes.mask);
}

FRESHDEX_AVX512 void PlusOne512(const uint8_t* from, size_t count, int bits, uint32_t* values) {
  const Lanes512 lanes = LanesOf512(bits);
  const size_t step = 2 * static_cast<size_t>(bits);
  const uint64_t bytes = BytesOfGroup(kUnpackGroup, bits);
  for (size_t i = 0; i < count; i += kUnpackGroup, from += step) {
    const bool is_full = count - i >= kUnpackGroup;
    const __m512i group = Group512(from, is_full ? bytes : BytesOfGroup(count - i, bits), lanes);
    _mm512_storeu_si512(values + i, _mm512_add_epi32(group, _mm512_set1_epi32(1)));
  }
}

// Running sums of 16 values: within each four of them first, then over the fours.
FRESHDEX_AVX512 inline __m512i SumsOf16(__m512i values) {
  __m512i sums = _mm512_add_epi32(values, _mm512_bslli_epi128(values, 4));
  sums = _mm512_add_epi32(sums, _mm512_bslli_epi128(sums, 8));
  const __m512i by_one = _mm512_set_epi32(11, 11, 11, 11, 7, 7, 7, 7, 3, 3, 3, 3, 0, 0, 0, 0);
  sums = _mm512_add_epi32(sums, _mm512_maskz_permutexvar_epi32(0xFFF0, by_one, sums));
  const __m512i by_two = _mm512_set_epi32(7, 7, 7, 7, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0);
  return _mm512_add_epi32(sums, _mm512_maskz_permutexvar_epi32(0xFF00, by_two, sums));
}

FRESHDEX_AVX512 void Sums512(const uint8_t* from, size_t count, int bits, uint32_t next, uint32_t* values) {
  const Lanes512 lanes = LanesOf512(bits);
  const size_t step = 2 * static_cast<size_t>(bits);
  const uint64_t bytes = BytesOfGroup(kUnpackGroup, bits);
  __m512i before = _mm512_set1_epi32(static_cast<int>(next - 1));
  for (size_t i = 0; i < count; i += kUnpackGroup, from += step) {
    const bool is_full = count - i >= kUnpackGroup;
    const __m512i group = Group512(from, is_full ? bytes : BytesOfGroup(count - i, bits), lanes);
    const __m512i sums = _mm512_add_epi32(SumsOf16(_mm512_add_epi32(group, _mm512_set1_epi32(1))), before);
    before = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), sums);
    _mm512_storeu_si512(values + i, sums);
  }
}

// Eight values by a gather, which reads up to three bytes behind the last value: they are slack.
struct Lanes256 {
  __m256i bytes;
  __m256i shifts;
  __m256i mask;
};

FRESHDEX_AVX2 inline Lanes256 LanesOf256(int bits) {
  const __m256i first_bits = _mm256_mullo_epi32(_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0), _mm256_set1_epi32(bits));
  return {_mm256_srli_epi32(first_bits, 3), _mm256_and_si256(first_bits, _mm256_set1_epi32(7)),
          _mm256_set1_epi32(static_cast<int>((1u << bits) - 1))};
}

FRESHDEX_AVX2 inline __m256i Group256(const uint8_t* from, const Lanes256& lanes) {
  const __m256i spread = _mm256_i32gather_epi32(reinterpret_cast<const int*>(from), lanes.bytes, 1);
  return _mm256_and_si256(_mm256_srlv_epi32(spread, lanes.shifts), lanes.mask);
}

// Whole groups only: a gather for a group that is not full would read beyond the slack. Returns how many values.
FRESHDEX_AVX2 size_t PlusOne256(const uint8_t* from, size_t count, int bits, uint32_t* values) {
  const Lanes256 lanes = LanesOf256(bits);
  size_t i = 0;
  for (; i + 8 <= count; i += 8, from += bits) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(values + i),
                        _mm256_add_epi32(Group256(from, lanes), _mm256_set1_epi32(1)));
  }
  return i;
}

FRESHDEX_AVX2 size_t Sums256(const uint8_t* from, size_t count, int bits, uint32_t next, uint32_t* values) {
  const Lanes256 lanes = LanesOf256(bits);
  __m256i before = _mm256_set1_epi32(static_cast<int>(next - 1));
  size_t i = 0;
  for (; i + 8 <= count; i += 8, from += bits) {
    __m256i sums = _mm256_add_epi32(Group256(from, lanes), _mm256_set1_epi32(1));
    sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 4));
    sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 8));
    // The sum of the lower half goes to all of the upper half.
    const __m256i lower = _mm256_permute2x128_si256(sums, sums, 0x08);
    sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(lower, 0xFF));
    sums = _mm256_add_epi32(sums, before);
    before = _mm256_permutevar8x32_epi32(sums, _mm256_set1_epi32(7));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(values + i), sums);
  }
  return i;
}

#endif

}  // namespace

int BitWidth(uint32_t value) { return std::bit_width(value); }

void Pack(const uint32_t* values, size_t count, int bits, std::string* out) {
  assert(bits >= 0 && bits <= 32);
  uint64_t pending = 0;
  int filled = 0;
  for (size_t i = 0; i < count; ++i) {
    assert(bits == 32 || values[i] < (1ULL << bits));
    pending |= static_cast<uint64_t>(values[i]) << filled;
    filled += bits;
    while (filled >= 8) {
      out->push_back(static_cast<char>(pending & 0xFF));
      pending >>= 8;
      filled -= 8;
    }
  }
  if (filled > 0) out->push_back(static_cast<char>(pending & 0xFF));
}

void UnpackPlusOne(const uint8_t* from, size_t count, int bits, uint32_t* values, [[maybe_unused]] Simd simd) {
  size_t done = 0;
#if FRESHDEX_X86
  if (simd == Simd::kAvx512 && bits <= kMaxLaneBits) return PlusOne512(from, count, bits, values);
  if (simd == Simd::kAvx2 && bits <= kMaxLaneBits) done = PlusOne256(from, count, bits, values);
#endif
  ScalarPlusOne(from + done / 8 * static_cast<size_t>(bits), count - done, bits, values + done);
}

void UnpackSums(const uint8_t* from, size_t count, int bits, uint32_t next, uint32_t* values,
                [[maybe_unused]] Simd simd) {
  size_t done = 0;
#if FRESHDEX_X86
  if (simd == Simd::kAvx512 && bits <= kMaxLaneBits) return Sums512(from, count, bits, next, values);
  if (simd == Simd::kAvx2 && bits <= kMaxLaneBits) done = Sums256(from, count, bits, next, values);
#endif
  if (done > 0) next = values[done - 1] + 1;
  ScalarSums(from + done / 8 * static_cast<size_t>(bits), count - done, bits, next, values + done);
}

}  // namespace freshdex

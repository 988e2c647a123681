#include "native/index/term_codes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "native/base/bytes.h"
#include "native/base/intrinsics.h"

namespace freshdex::index {
namespace {

constexpr size_t kMaskBytes = 64;

// Bit i: the byte at[i] ends a code. Reads kMaskBytes bytes.
inline uint64_t EndsIn(const char* at) {
  uint64_t ends = 0;
#if FRESHDEX_X86
  // A byte is 64 or more if and only if bit 7 or bit 6 is set; adding it to itself moves bit 6 to bit 7.
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
    const int mask = _mm_movemask_epi8(_mm_or_si128(bytes, _mm_add_epi8(bytes, bytes)));
    ends |= static_cast<uint64_t>(static_cast<uint32_t>(mask)) << (16 * i);
  }
#else
  for (int i = 0; i < 8; ++i) {
    const uint64_t bytes = LoadUnaligned<uint64_t>(at + 8 * i);
    const uint64_t tops = ((bytes | bytes << 1) & 0x8080808080808080ULL) >> 7;
    ends |= (tops * 0x0102040810204080ULL >> 56) << (8 * i);
  }
#endif
  return ends;
}

// The same of the last bytes, those behind them as if they ended codes.
inline uint64_t EndsInRest(const char* at, size_t bytes) {
  char rest[kMaskBytes];
  std::memset(rest, kFirstEndByte, kMaskBytes);
  std::memcpy(rest, at, bytes);
  return EndsIn(rest);
}

constexpr uint64_t LowBits(size_t count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

// The symbol of the code that begins at `code` and has its last byte at code[before]. Reads eight bytes, and has no
// branch: lengths of codes cannot be foreseen.
inline Symbol DecodeOne(const char* code, size_t before) {
  constexpr uint32_t kFirstHigh[8] = {0, 1, 65, 4161, 266305};
  const uint64_t bytes = LoadUnaligned<uint64_t>(code);
  const int shift = static_cast<int>(8 * before & 63);
  // The bytes before the last, the last of them lowest.
  const uint64_t inner = __builtin_bswap64(bytes << 8 << ((56 - shift) & 63));
  uint32_t high = static_cast<uint32_t>(inner);
  high = (high & 0x003F003F) | (high & 0x3F003F00) >> 2;
  high = (high & 0xFFF) | high >> 16 << 12;
  return kEndBytes * (high + kFirstHigh[before & 7]) + static_cast<uint32_t>(bytes >> shift & 0xFF) - kFirstEndByte;
}

inline Symbol DecodeLast(const char* code, size_t before) {
  uint32_t high = 0;
  for (size_t i = 0; i < before; ++i) high = 64 * high + static_cast<uint8_t>(code[i]) + 1;
  return kEndBytes * high + static_cast<uint8_t>(code[before]) - kFirstEndByte;
}

// Decodes the codes that end in the bytes [at, at + bytes) of `codes`, the first of which begins at *code; moves *code
// behind the last.
inline __attribute__((always_inline)) size_t DecodeUpTo64(std::string_view codes, size_t at, size_t bytes,
                                                          const char** code, Symbol* symbols) {
  const char* from = codes.data() + at;
  const char* const end = codes.data() + codes.size();
  uint64_t ends = bytes == kMaskBytes ? EndsIn(from) : EndsInRest(from, bytes) & LowBits(bytes);
  const char* next_code = *code;
  Symbol* next = symbols;
  for (; ends != 0; ends &= ends - 1) {
    const char* last = from + std::countr_zero(ends);
    const size_t before = static_cast<size_t>(last - next_code);
    *next++ = end - next_code >= 8 ? DecodeOne(next_code, before) : DecodeLast(next_code, before);
    next_code = last + 1;
  }
  *code = next_code;
  return static_cast<size_t>(next - symbols);
}

inline __attribute__((always_inline)) size_t DecodeEverywhere(std::string_view codes, const char** code,
                                                              Symbol* symbols) {
  size_t count = 0;
  for (size_t at = 0; at < codes.size(); at += kMaskBytes)
    count += DecodeUpTo64(codes, at, std::min(kMaskBytes, codes.size() - at), code, symbols + count);
  return count;
}

size_t DecodeScalar(std::string_view codes, const char** code, Symbol* symbols) {
  return DecodeEverywhere(codes, code, symbols);
}

#if FRESHDEX_X86

// Processors with AVX2 have these instructions for bits, too.
__attribute__((target("avx2,bmi,bmi2"))) size_t Decode256(std::string_view codes, const char** code, Symbol* symbols) {
  return DecodeEverywhere(codes, code, symbols);
}

#define FRESHDEX_CODES_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,popcnt")))

// 192 * 64^power times each of 16 bytes. Shifts, since these processors take long to multiply.
template <int kPower>
FRESHDEX_CODES_AVX512 inline __m512i Times192(__m128i bytes) {
  const __m512i wide = _mm512_cvtepu8_epi32(bytes);
  return _mm512_add_epi32(_mm512_slli_epi32(wide, 6 * kPower + 6), _mm512_slli_epi32(wide, 6 * kPower + 7));
}

template <int kLane>
FRESHDEX_CODES_AVX512 inline Symbol* StoreLane(__m512i last, __m512i first_before, __m512i second_before,
                                               __m512i third_before, uint64_t ends, bool has_third, Symbol* next) {
  const __mmask16 of_lane = static_cast<__mmask16>(ends >> (16 * kLane));
  __m512i sum = _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(last, kLane));
  sum = _mm512_add_epi32(sum, Times192<0>(_mm512_extracti32x4_epi32(first_before, kLane)));
  sum = _mm512_add_epi32(sum, Times192<1>(_mm512_extracti32x4_epi32(second_before, kLane)));
  if (has_third) sum = _mm512_add_epi32(sum, Times192<2>(_mm512_extracti32x4_epi32(third_before, kLane)));
  _mm512_storeu_si512(next, _mm512_maskz_compress_epi32(of_lane, sum));
  return next + std::popcount(static_cast<unsigned>(of_lane));
}

// For each of 64 bytes the symbol that would end there, from the byte and those of its code before it; then those of
// the bytes that do end a code are stored.
FRESHDEX_CODES_AVX512 size_t Decode512(std::string_view codes, const char** code, Symbol* symbols) {
  const __m512i one = _mm512_set1_epi8(1), first_end = _mm512_set1_epi8(static_cast<char>(kFirstEndByte));
  Symbol* next = symbols;
  uint64_t inner_before = 0;  // of the 64 bytes before: those that do not end a code
  for (size_t at = 0; at < codes.size(); at += 64) {
    const size_t bytes = std::min<size_t>(64, codes.size() - at);
    const uint64_t wanted = LowBits(bytes);
    const char* from = codes.data() + at;
    const __m512i last = _mm512_maskz_loadu_epi8(wanted, from);
    const uint64_t ends = _mm512_mask_cmpge_epu8_mask(wanted, last, first_end);
    const uint64_t inner = ~ends & wanted;
    // Bit i: the one, two and so on bytes before byte i belong to the same code.
    const uint64_t one_before = (inner << 1 | inner_before >> 63) & wanted;
    const uint64_t two_before = one_before & (inner << 2 | inner_before >> 62);
    const uint64_t three_before = two_before & (inner << 3 | inner_before >> 61);
    const uint64_t four_before = three_before & (inner << 4 | inner_before >> 60);
    inner_before = inner;
    if ((four_before & ends) != 0) [[unlikely]] {
      next += DecodeUpTo64(codes, at, bytes, code, next);
      continue;
    }
    // Bytes before the first code are never loaded: no mask has their bits.
    const auto load = [&](uint64_t mask, const char* place) FRESHDEX_CODES_AVX512 {
      return _mm512_maskz_add_epi8(mask, _mm512_maskz_loadu_epi8(mask, place), one);
    };
    const __m512i lasts = _mm512_sub_epi8(last, first_end);
    const __m512i firsts = load(one_before, from - 1), seconds = load(two_before, from - 2);
    const bool has_third = three_before != 0;
    const __m512i thirds = has_third ? load(three_before, from - 3) : _mm512_setzero_si512();
    next = StoreLane<0>(lasts, firsts, seconds, thirds, ends, has_third, next);
    if (bytes > 16) next = StoreLane<1>(lasts, firsts, seconds, thirds, ends, has_third, next);
    if (bytes > 32) next = StoreLane<2>(lasts, firsts, seconds, thirds, ends, has_third, next);
    if (bytes > 48) next = StoreLane<3>(lasts, firsts, seconds, thirds, ends, has_third, next);
    if (ends != 0) *code = from + 64 - std::countl_zero(ends);
  }
  return static_cast<size_t>(next - symbols);
}

#endif

}  // namespace

void AppendSymbol(std::string* codes, Symbol symbol) {
  char code[kMaxCodeBytes];
  char* first = code + kMaxCodeBytes - 1;
  *first = static_cast<char>(symbol % kEndBytes + kFirstEndByte);
  for (uint32_t high = symbol / kEndBytes; high > 0; high = (high - 1) / kFirstEndByte)
    *--first = static_cast<char>((high - 1) % kFirstEndByte);
  codes->append(first, static_cast<size_t>(code + kMaxCodeBytes - first));
}

void AppendHoles(std::string* codes, uint64_t holes) {
  for (; holes > kHoleSymbols; holes -= kHoleSymbols) AppendSymbol(codes, kHoleSymbols - 1);
  if (holes > 0) AppendSymbol(codes, static_cast<Symbol>(holes - 1));
}

bool AreWholeCodes(std::string_view codes) {
  if (codes.empty()) return true;
  if (!EndsCode(codes.back())) return false;
  size_t begun = 0;  // bytes of the code at hand in the blocks before
  for (size_t at = 0; at < codes.size(); at += kMaskBytes) {
    const size_t left = codes.size() - at;
    const uint64_t ends = left >= kMaskBytes ? EndsIn(codes.data() + at) : EndsInRest(codes.data() + at, left);
    if (begun + static_cast<size_t>(std::countr_zero(ends)) >= kMaxCodeBytes) return false;
    // Bit i: the bytes i to i + 1, to i + 3 and to i + 4 do not end a code.
    const uint64_t two = ~ends & ~ends >> 1, four = two & two >> 2, five = four & ~ends >> 4;
    if (five != 0) return false;
    begun = static_cast<size_t>(std::countl_zero(ends));
  }
  return true;
}

size_t DecodeSymbols(std::string_view* codes, Symbol* symbols, Simd simd) {
  const std::string_view bytes = codes->substr(0, kDecodedBytes);
  const char* code = bytes.data();
  size_t count = 0;
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) {
    count = Decode512(bytes, &code, symbols);
  } else if (simd == Simd::kAvx2) {
    count = Decode256(bytes, &code, symbols);
  } else {
    count = DecodeScalar(bytes, &code, symbols);
  }
#else
  (void)simd;
  count = DecodeScalar(bytes, &code, symbols);
#endif
  // Without any end there is no code, and no end to come could make these bytes one.
  codes->remove_prefix(count == 0 ? bytes.size() : static_cast<size_t>(code - bytes.data()));
  return count;
}

}  // namespace freshdex::index

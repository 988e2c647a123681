#include "native/analysis/unicode.h"

#include <algorithm>
#include <iterator>

namespace freshdex::analysis {
namespace {

struct ClassRange {
  char32_t first;
  char32_t last;
  WordClass word_class;
};

// first, first + step, … last are `distance` away from their lower case.
struct CaseRange {
  char32_t first;
  char32_t last;
  uint8_t step;
  int32_t distance;
};

struct DiacriticRange {
  char32_t first;
  char32_t last;
};

using enum WordClass;
#include "native/analysis/unicode_tables.inc"

// Walked once by the compiler: the basic plane becomes a flat table, so that a look-up is one load. The other planes
// are rare in text and stay a binary search.
consteval BasicPlane BuildBasicPlane() {
  BasicPlane plane{};
  for (const ClassRange& range : kClassRanges) {
    for (char32_t c = range.first; c <= range.last && c <= 0xFFFF; ++c) {
      plane.entry[c] = static_cast<uint8_t>(range.word_class);
    }
  }
  for (const CaseRange& range : kCaseRanges) {
    for (char32_t c = range.first; c <= range.last && c <= 0xFFFF; c += range.step) plane.entry[c] |= kHasLowerBit;
  }
  for (const CaseRange& range : kFoldRanges) {
    for (char32_t c = range.first; c <= range.last && c <= 0xFFFF; c += range.step) plane.entry[c] |= kHasFoldBit;
  }
  for (const DiacriticRange& range : kDiacriticRanges) {
    for (char32_t c = range.first; c <= range.last; ++c) plane.entry[c] |= kHasFoldBit;
  }
  return plane;
}

template <typename Range, size_t count>
const Range* FindRange(const Range (&ranges)[count], char32_t code_point) {
  const Range* found = std::partition_point(std::begin(ranges), std::end(ranges),
                                            [code_point](const Range& range) { return range.last < code_point; });
  return found != std::end(ranges) && found->first <= code_point ? found : nullptr;
}

}  // namespace

constinit const BasicPlane kBasicPlane = BuildBasicPlane();

WordClass SupplementaryClassOf(char32_t code_point) {
  const ClassRange* range = FindRange(kClassRanges, code_point);
  return range == nullptr ? kOther : range->word_class;
}

char32_t MappedLower(char32_t code_point) {
  const CaseRange* range = FindRange(kCaseRanges, code_point);
  if (range == nullptr || (code_point - range->first) % range->step != 0) return code_point;
  return static_cast<char32_t>(static_cast<int32_t>(code_point) + range->distance);
}

char32_t MappedBase(char32_t code_point) {
  const CaseRange* range = FindRange(kFoldRanges, code_point);
  if (range == nullptr || (code_point - range->first) % range->step != 0) return code_point;
  return static_cast<char32_t>(static_cast<int32_t>(code_point) + range->distance);
}

size_t EncodeUtf8(char32_t c, char* out) {
  const auto continuation = [c](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  if (c < 0x80) {
    out[0] = static_cast<char>(c);
    return 1;
  }
  if (c < 0x800) {
    out[0] = static_cast<char>(0xC0 | c >> 6);
    out[1] = continuation(0);
    return 2;
  }
  if (c < 0x10000) {
    out[0] = static_cast<char>(0xE0 | c >> 12);
    out[1] = continuation(6);
    out[2] = continuation(0);
    return 3;
  }
  out[0] = static_cast<char>(0xF0 | c >> 18);
  out[1] = continuation(12);
  out[2] = continuation(6);
  out[3] = continuation(0);
  return 4;
}

}  // namespace freshdex::analysis

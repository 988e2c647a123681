#include "native/index/document_sketch.h"

#include <algorithm>
#include <string_view>

#include "native/base/xxh64.h"
#include "native/base/xxh64_steps.h"

namespace freshdex::index {
namespace {

constexpr uint64_t kSeed = 0;

constexpr uint32_t ValueOf(uint64_t hash) { return std::min(static_cast<uint32_t>(hash >> 32), kNoShingle - 1); }

// Keeps the smallest distinct values. All but a few of a long document are refused by the first comparison.
void Keep(uint32_t value, DocumentSketch* sketch) {
  if (value >= sketch->back()) return;
  size_t at = kSketchSize - 1;
  while (at > 0 && (*sketch)[at - 1] > value) --at;
  if (at > 0 && (*sketch)[at - 1] == value) return;
  std::copy_backward(sketch->begin() + static_cast<std::ptrdiff_t>(at), sketch->end() - 1, sketch->end());
  (*sketch)[at] = value;
}

void SketchField(const char* units, size_t count, DocumentSketch* sketch) {
  constexpr uint64_t kStart = xxh64::Start(kSeed, kShingleTokens * sizeof(TermId));
  TermId first[kShingleTokens] = {};  // of a field that may turn out to be short
  size_t tokens = 0;
  TermId last = 0;
  // XXH64 takes up 16 bytes as two pairs of terms; each pair ends one shingle and begins the one that ends two tokens later.
  uint64_t round = 0, round_before = 0;
  VisitUnits(units, count, 0, [&](TermId term, uint64_t) {
    const uint64_t pair = last | (uint64_t{term} << 32);
    const uint64_t begin = round_before;
    round_before = round;
    round = xxh64::Round(0, pair);
    last = term;
    if (tokens < kShingleTokens) {
      first[tokens++] = term;
      if (tokens < kShingleTokens) return;
    }
    Keep(ValueOf(xxh64::Avalanche(xxh64::TakeEight(xxh64::TakeEight(kStart, begin), round))), sketch);
  });
  if (tokens == 0 || tokens == kShingleTokens) return;
  Keep(ValueOf(Xxh64({reinterpret_cast<const char*>(first), tokens * sizeof(TermId)}, kSeed)), sketch);
}

}  // namespace

DocumentSketch SketchOf(const ForwardView& forward) {
  DocumentSketch sketch = EmptySketch();
  const char* units = forward.units();
  for (size_t field = 0; field < forward.fields(); ++field) {
    const size_t count = forward.extent(field).units;
    SketchField(units, count, &sketch);
    units += 2 * count;
  }
  return sketch;
}

}  // namespace freshdex::index

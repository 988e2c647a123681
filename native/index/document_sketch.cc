#include "native/index/document_sketch.h"

#include <algorithm>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"
#include "native/base/xxh64_steps.h"

namespace freshdex::index {
namespace {

constexpr uint64_t kSeed = 0;

// So many units are unpacked and hashed at a time: few enough to stay in the first cache.
constexpr size_t kBlockUnits = 256;

// A document begins with a bound that about so many of its values are expected to be below. One that repeats itself may
// have fewer than kSketchSize there, and is gone through once more without a bound.
constexpr uint64_t kExpectedValues = 16;

// Whether any of four units is a hole or an escape, that is, has its upper 12 bits set.
bool HasOther(uint64_t four_units) {
  const uint64_t missing = ~four_units & 0xFFF0FFF0FFF0FFF0ULL;
  return ((missing - 0x0001000100010001ULL) & ~missing & 0x8000800080008000ULL) != 0;
}

// The terms of up to kBlockUnits units from *at on, an escape at the end completed; moves *at behind them. Returns how
// many there are.
size_t Unpack(const char* units, size_t count, size_t* at, TermId* terms) {
  const size_t end = std::min(count, *at + kBlockUnits);
  TermId* next = terms;
  size_t i = *at;
  while (i < end) {
    if (end - i >= 4 && !HasOther(LoadUnaligned<uint64_t>(units + 2 * i))) {
      for (size_t j = 0; j < 4; ++j) next[j] = LoadUnaligned<uint16_t>(units + 2 * (i + j));
      next += 4;
      i += 4;
      continue;
    }
    for (const size_t four_end = std::min(end, i + 4); i < four_end; ++i) {
      const uint16_t unit = LoadUnaligned<uint16_t>(units + 2 * i);
      // Holes are a matter of chance, so they cost no branch: what is written for one is overwritten by the next term.
      *next = unit;
      if (unit == kEscapeUnit && count - i >= 3) {
        *next++ = LoadUnaligned<uint32_t>(units + 2 * (i + 1));
        i += 2;
      }
      next += unit < kFirstHoleUnit;
    }
  }
  *at = i;
  return static_cast<size_t>(next - terms);
}

// Takes the smallest values. Beginning with a bound that few values are below saves the many that would be taken and
// driven out again, and with them most of the branches that cannot be foreseen.
class SmallestValues {
 public:
  explicit SmallestValues(uint64_t hash_bound) : hash_bound_(hash_bound) {}

  // Of the hash only the upper half counts.
  void Add(uint64_t hash) {
    if (hash <= hash_bound_) [[unlikely]]
      Take(static_cast<uint32_t>(hash >> 32));
  }

  bool is_full() const { return sketch_.back() != kNoShingle; }
  const DocumentSketch& sketch() const { return sketch_; }

 private:
  void Take(uint32_t value);

  DocumentSketch sketch_ = EmptySketch();
  uint64_t hash_bound_;
};

void SmallestValues::Take(uint32_t value) {
  value = std::min(value, kNoShingle - 1);
  const auto at = std::lower_bound(sketch_.begin(), sketch_.end(), value);
  if (at == sketch_.end() || *at == value) return;
  std::copy_backward(at, sketch_.end() - 1, sketch_.end());
  *at = value;
  if (is_full()) hash_bound_ = std::min(hash_bound_, uint64_t{sketch_.back()} << 32 | 0xFFFFFFFF);
}

// All shingles of these terms. REQUIRES: count >= kShingleTokens.
void AddShingles(const TermId* terms, size_t count, SmallestValues* smallest) {
  constexpr uint64_t kStart = xxh64::Start(kSeed, kShingleTokens * sizeof(TermId));
  // XXH64 takes up 16 bytes as two pairs of terms; each pair ends one shingle and begins the one that ends two terms
  // later.
  const auto pair_at = [terms](size_t at) { return xxh64::Round(0, LoadUnaligned<uint64_t>(terms + at)); };
  const auto hash_of = [](uint64_t begin, uint64_t end) {
    return xxh64::FinishUpperHalf(xxh64::TakeEight(xxh64::TakeEight(kStart, begin), end));
  };
  uint64_t even = pair_at(0), odd = pair_at(1);
  size_t at = 2;
  for (; at + 2 < count; at += 2) {
    const uint64_t next_even = pair_at(at), next_odd = pair_at(at + 1);
    smallest->Add(hash_of(even, next_even));
    smallest->Add(hash_of(odd, next_odd));
    even = next_even;
    odd = next_odd;
  }
  if (at + 1 < count) smallest->Add(hash_of(even, pair_at(at)));
}

void SketchField(const char* units, size_t count, SmallestValues* smallest) {
  TermId terms[kShingleTokens - 1 + kBlockUnits];
  size_t held = 0;
  bool is_short = true;
  for (size_t at = 0; at < count;) {
    held += Unpack(units, count, &at, terms + held);
    if (held < kShingleTokens) continue;
    AddShingles(terms, held, smallest);
    is_short = false;
    // The next block begins with the terms whose shingles are not complete.
    std::copy(terms + held - (kShingleTokens - 1), terms + held, terms);
    held = kShingleTokens - 1;
  }
  if (is_short && held > 0) smallest->Add(Xxh64({reinterpret_cast<const char*>(terms), held * sizeof(TermId)}, kSeed));
}

SmallestValues Sketch(const ForwardView& forward, uint64_t hash_bound) {
  SmallestValues smallest(hash_bound);
  const char* units = forward.units();
  for (size_t field = 0; field < forward.fields(); ++field) {
    const size_t count = forward.extent(field).units;
    SketchField(units, count, &smallest);
    units += 2 * count;
  }
  return smallest;
}

}  // namespace

DocumentSketch SketchOf(const ForwardView& forward) {
  const uint64_t tokens = forward.totals().tokens;
  if (tokens > kExpectedValues) {
    const SmallestValues smallest = Sketch(forward, UINT64_MAX / tokens * kExpectedValues);
    if (smallest.is_full()) return smallest.sketch();
  }
  return Sketch(forward, UINT64_MAX).sketch();
}

}  // namespace freshdex::index

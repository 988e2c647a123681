#include "native/index/document_sketch.h"

#include <algorithm>

#include "native/base/xxh64.h"
#include "native/base/xxh64_steps.h"
#include "native/index/batch_terms.h"

namespace freshdex::index {
namespace {

constexpr uint64_t kSeed = 0;

// So many terms are hashed at a time: few enough to stay in the first cache.
constexpr size_t kBlockTerms = 256;

// A document begins with a bound that about so many of its values are expected to be below. One that repeats itself may
// have fewer than kSketchSize there, and is gone through once more without a bound.
constexpr uint64_t kExpectedValues = 16;

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

  uint64_t hash_bound() const { return hash_bound_; }
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

// The hashes of up to kBlockTerms shingles, and the smallest of every kColumns-th of them.
constexpr size_t kColumns = 16;
struct HashBlock {
  alignas(64) uint64_t hashes[kBlockTerms];
  alignas(64) uint64_t column_minima[kColumns];
};

// Written so that a compiler can do it for many shingles at a time. REQUIRES: `terms` has shingles + kShingleTokens - 1
// of them.
inline __attribute__((always_inline)) void HashShinglesInto(const TermId* terms, size_t shingles, HashBlock* block) {
  constexpr uint64_t kStart = xxh64::Start(kSeed, kShingleTokens * sizeof(TermId));
  // XXH64 takes up 16 bytes as two pairs of terms; each pair ends one shingle and begins the one that ends two terms
  // later.
  uint64_t pairs[kBlockTerms + 2];
  for (size_t i = 0; i < shingles + 2; ++i)
    pairs[i] = xxh64::Round(0, terms[i] | static_cast<uint64_t>(terms[i + 1]) << 32);
  for (size_t i = 0; i < shingles; ++i) {
    block->hashes[i] = xxh64::FinishUpperHalf(xxh64::TakeEight(xxh64::TakeEight(kStart, pairs[i]), pairs[i + 2]));
  }
  const size_t rows = (shingles + kColumns - 1) / kColumns;
  for (size_t i = shingles; i < rows * kColumns; ++i) block->hashes[i] = UINT64_MAX;
  for (size_t column = 0; column < kColumns; ++column) block->column_minima[column] = UINT64_MAX;
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < kColumns; ++column) {
      const uint64_t hash = block->hashes[row * kColumns + column];
      block->column_minima[column] = std::min(block->column_minima[column], hash);
    }
  }
}

void HashShinglesAnywhere(const TermId* terms, size_t shingles, HashBlock* block) {
  HashShinglesInto(terms, shingles, block);
}

using HashShingles = void (*)(const TermId* terms, size_t shingles, HashBlock* block);

// AVX-512 multiplies eight 64-bit numbers at a time, which makes a walk through a document about three times as fast.
// Without it vectors do not help: XXH64 is all multiplications.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-width=512"))) void HashShinglesByEight(
    const TermId* terms, size_t shingles, HashBlock* block) {
  HashShinglesInto(terms, shingles, block);
}

HashShingles FastestHashShingles() {
  const bool has_wide =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has_wide ? HashShinglesByEight : HashShinglesAnywhere;
}
#else
HashShingles FastestHashShingles() { return HashShinglesAnywhere; }
#endif

// All shingles of these terms. REQUIRES: kShingleTokens <= count < kBlockTerms + kShingleTokens.
void AddShingles(HashShingles hash_shingles, const TermId* terms, size_t count, SmallestValues* smallest) {
  HashBlock block;
  const size_t shingles = count - (kShingleTokens - 1);
  hash_shingles(terms, shingles, &block);
  for (size_t column = 0; column < kColumns; ++column) {
    if (block.column_minima[column] > smallest->hash_bound()) continue;
    for (size_t at = column; at < shingles; at += kColumns) smallest->Add(block.hashes[at]);
  }
}

// `value_of` gives what stands for the term of a symbol; what it gives for a hole does not matter.
template <typename ValueOf>
void SketchField(HashShingles hash_shingles, ValueOf value_of, std::string_view codes, SmallestValues* smallest) {
  constexpr size_t kOverlap = kShingleTokens - 1;
  TermId terms[kOverlap + kBlockTerms];
  size_t held = 0;
  bool is_short = true;
  VisitSymbols(codes, [&](Symbol symbol) {
    // Holes are a matter of chance, so they cost no branch: what is written for one is overwritten by the next term.
    terms[held] = value_of(symbol);
    held += !IsHole(symbol);
    if (held < kOverlap + kBlockTerms) return;
    AddShingles(hash_shingles, terms, held, smallest);
    is_short = false;
    // The next block begins with the terms whose shingles are not complete.
    std::copy(terms + held - kOverlap, terms + held, terms);
    held = kOverlap;
  });
  if (held >= kShingleTokens) {
    AddShingles(hash_shingles, terms, held, smallest);
  } else if (is_short && held > 0) {
    smallest->Add(Xxh64({reinterpret_cast<const char*>(terms), held * sizeof(TermId)}, kSeed));
  }
}

template <typename ValueOf>
SmallestValues SketchBelow(HashShingles hash_shingles, ValueOf value_of, const ForwardView& forward, size_t left_out,
                           uint64_t hash_bound) {
  SmallestValues smallest(hash_bound);
  for (size_t field = 0; field < forward.fields(); ++field) {
    if (field != left_out) SketchField(hash_shingles, value_of, forward.codes(field), &smallest);
  }
  return smallest;
}

template <typename ValueOf>
DocumentSketch SketchBy(HashShingles hash_shingles, ValueOf value_of, const ForwardView& forward, size_t left_out) {
  uint64_t tokens = forward.totals().tokens;
  if (left_out < forward.fields()) tokens -= forward.extent(left_out).tokens;
  if (tokens > kExpectedValues) {
    const SmallestValues smallest =
        SketchBelow(hash_shingles, value_of, forward, left_out, UINT64_MAX / tokens * kExpectedValues);
    if (smallest.is_full()) return smallest.sketch();
  }
  return SketchBelow(hash_shingles, value_of, forward, left_out, UINT64_MAX).sketch();
}

constexpr auto kByNumber = [](Symbol symbol) { return TermOf(symbol); };

HashShingles Fastest() {
  static const HashShingles fastest = FastestHashShingles();
  return fastest;
}

}  // namespace

DocumentSketch SketchOf(const ForwardView& forward, size_t left_out) {
  return SketchBy(Fastest(), kByNumber, forward, left_out);
}

DocumentSketch SketchOf(const ForwardView& forward, size_t left_out, const BatchTerms& terms) {
  if (!terms.has_identities()) return SketchOf(forward, left_out);
  const auto by_identity = [&terms](Symbol symbol) { return IsHole(symbol) ? 0 : terms.IdentityOf(TermOf(symbol)); };
  return SketchBy(Fastest(), by_identity, forward, left_out);
}

DocumentSketch SketchOnAnyMachine(const ForwardView& forward) {
  return SketchBy(HashShinglesAnywhere, kByNumber, forward, SIZE_MAX);
}

}  // namespace freshdex::index

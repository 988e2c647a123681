// What all searches by bounds have in common: the hits so far, the limit that follows from them, and exact scores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "native/score/leaf_blocks.h"
#include "native/score/search.h"
#include "native/score/top_k.h"

namespace freshdex::score {

using LeafList = std::vector<std::unique_ptr<LeafBlocks>>;

// Below every rough score of a match: weights are at least kMinWeight, and no length takes more than a factor of 1e12.
inline constexpr float kAnyScore = 1e-37f;
inline constexpr double kMinWeight = 1e-20, kMaxWeight = 1e20;

// Documents that may be hits, with their rough sums and their frequencies by leaf. Columns may be longer than there are
// candidates.
struct Candidates {
  explicit Candidates(size_t leaves) : tfs(leaves) {}

  std::vector<index::DocId> docs;
  std::vector<float> sums;
  std::vector<std::vector<uint32_t>> tfs;
};

class BestHits {
 public:
  BestHits(const index::Snapshot& snapshot, const Scoring& scoring, const LeafList& leaves, size_t k)
      : snapshot_(snapshot), scoring_(scoring), leaves_(leaves), k_(k), best_(k) {
    for (double weight : snapshot.max_weights) max_weight_ = std::max(max_weight_, weight);
  }

  // The rough text score that a document needs at least to be a hit.
  float Limit(double max_weight) const { return scoring_.beta == 0 ? limit_ : LimitFor(max_weight); }
  float Limit() const { return limit_; }
  // Whether a document may score too little to be a hit.
  bool has_limit() const { return limit_ > kAnyScore; }
  // An upper bound of the page weights of documents in [first, last].
  double MaxWeight(index::DocId first, index::DocId last) const;

  // Raises the limit before any exact score is known: k of these rough sums, which are of whole documents, reach it.
  void RaiseFloor(const float* sums, size_t count);
  // Scores exactly and keeps, of the first documents, looked up in every leaf, those that are among the best.
  void Offer(const Candidates& candidates, size_t count, double max_weight);
  void Offer(const Candidates& candidates, size_t count) { Offer(candidates, count, max_weight_); }
  void OfferSingle(index::DocId doc, uint32_t tf) { OfferScore(doc, leaves_.front()->Exact(tf, doc)); }
  std::vector<Hit> Take() { return best_.Take(); }

 private:
  // Rough scores and their sums err by less than a millionth; a document is ruled out only below this share of the
  // limit.
  static constexpr double kMargin = 1 - 1e-5;

  float LimitFor(double max_weight) const {
    const double score = best_.is_full() ? std::max(floor_, best_.worst().score) : floor_;
    const double limit = (score - scoring_.beta * max_weight) / scoring_.alpha * kMargin;
    return limit > kAnyScore ? static_cast<float>(std::min<double>(limit, std::numeric_limits<float>::max()))
                             : kAnyScore;
  }
  void OfferScore(index::DocId doc, double text) {
    if (best_.Offer({doc, Combine(snapshot_, scoring_, text, doc)}) && best_.is_full()) limit_ = LimitFor(max_weight_);
  }
  double TextScore(const Candidates& candidates, size_t at) const;

  const index::Snapshot& snapshot_;
  const Scoring& scoring_;
  const LeafList& leaves_;
  const size_t k_;
  TopK best_;
  double floor_ = 0;  // k documents score at least this
  double max_weight_ = 0;
  float limit_ = kAnyScore;  // for documents of any weight
  std::vector<float> sums_;
};

}  // namespace freshdex::score

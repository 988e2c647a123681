// The two ranking models, per field: BM25 and Lucene's classic TF-IDF (formulas: docs/search-model.md).
//
// Statistics are arguments, so that a caller may score under the statistics of the snapshot it searches or under others
// it has frozen.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "native/index/snapshot.h"
#include "native/score/shrunk_bounds.h"

namespace freshdex::score {

// Boosts and weights may multiply to more than a double holds: such a score is the largest double, so that it can be
// compared, multiplied by 0 and written as JSON. REQUIRES: not NaN.
inline double Capped(double score) { return std::min(score, std::numeric_limits<double>::max()); }

enum class Model : uint8_t { kBm25 = 0, kTfIdf = 1 };

struct Scoring {
  Model model = Model::kBm25;
  double k1 = 1.2;
  double b = 0.75;
  std::vector<double> field_boosts;
  // Score of a hit = alpha * text score + beta * page weight.
  double alpha = 1;
  double beta = 0;
};

// A field's part of the model under given statistics. Immutable.
class FieldScorer {
 public:
  FieldScorer(const Scoring& scoring, const index::FieldTotals& totals);

  double Idf(uint32_t df) const;
  // `weight` is idf times all boosts.
  double Score(double weight, double tf, uint8_t norm) const {
    if (model_ == Model::kBm25) return weight * (tf / (tf + factor_[norm]));
    return weight * std::sqrt(tf) * factor_[norm];
  }
  double average_length() const { return average_length_; }
  Model model() const { return model_; }
  // The part that the length has in a score, by norm byte, in single precision: for scores that only rule out. Where
  // there is no token, a frequency of 0 scores 0.
  const float* rough_parts() const { return rough_.data(); }
  // Whether scores of single precision are near those of double precision: not if they are too small for it.
  bool has_rough_scores() const { return has_rough_scores_; }

 private:
  Model model_;
  double documents_;
  double average_length_;
  std::array<double, 256> factor_;  // by norm byte; BM25: k1 * (1 - b + b * length / average), TF-IDF: 1 / sqrt(length)
  std::array<float, 256> rough_;    // the same
  bool has_rough_scores_ = true;
};

// The scorers of one index, kept from one search to the next: they change only with the statistics of their field. What
// follows from documents that became shorter is of one snapshot.
class ScorerCache {
 public:
  const FieldScorer& Get(const Scoring& scoring, const index::Snapshot& snapshot, size_t field);
  // The reference holds until the next snapshot is asked for.
  const ShrunkBounds& GetShrunk(const Scoring& scoring, const index::Snapshot& snapshot, size_t field);

 private:
  struct Kept {
    index::FieldTotals totals;
    std::unique_ptr<FieldScorer> scorer;
    const index::Snapshot* shrunk_of = nullptr;
    uint64_t sequence = 0;  // of that snapshot: a later one may lie in its place
    std::unique_ptr<ShrunkBounds> shrunk;
  };
  std::vector<Kept> kept_;  // by field
};

}  // namespace freshdex::score

#include "native/score/similarity.h"

#include "native/index/length_norm.h"

namespace freshdex::score {

FieldScorer::FieldScorer(const Scoring& scoring, const index::FieldTotals& totals)
    : model_(scoring.model), documents_(static_cast<double>(totals.documents)) {
  average_length_ = totals.documents == 0 ? 0 : static_cast<double>(totals.tokens) / documents_;
  // A document with a posting in the field has a token in it: norm 0 is never looked up.
  factor_[0] = 0;
  for (size_t norm = 1; norm < factor_.size(); ++norm) {
    const double length = index::DecodeLength(static_cast<uint8_t>(norm));
    // A field without documents has no average: frozen statistics then take every length for one.
    const double marked_down = average_length_ > 0 ? scoring.b * length / average_length_ : scoring.b;
    factor_[norm] = model_ == Model::kBm25 ? scoring.k1 * (1 - scoring.b + marked_down) : 1 / std::sqrt(length);
  }
  // A part of 0, as k1 may make it, would make 0 / 0 of a frequency of 0.
  constexpr double kLeastPart = 1e-12, kMostPart = 1e12;
  rough_[0] = 1;
  for (size_t norm = 1; norm < factor_.size(); ++norm) {
    rough_[norm] = static_cast<float>(std::max(factor_[norm], kLeastPart));
    has_rough_scores_ = has_rough_scores_ && factor_[norm] <= kMostPart;
  }
}

const FieldScorer& ScorerCache::Get(const Scoring& scoring, const index::Snapshot& snapshot, size_t field) {
  if (kept_.size() <= field) kept_.resize(snapshot.fields.size());
  Kept& kept = kept_[field];
  const index::FieldTotals& totals = snapshot.fields[field];
  if (!kept.scorer || kept.totals.documents != totals.documents || kept.totals.tokens != totals.tokens)
    kept = {totals, std::make_unique<FieldScorer>(scoring, totals), nullptr, 0, nullptr};
  return *kept.scorer;
}

const ShrunkBounds& ScorerCache::GetShrunk(const Scoring& scoring, const index::Snapshot& snapshot, size_t field) {
  const FieldScorer& scorer = Get(scoring, snapshot, field);
  Kept& kept = kept_[field];
  if (kept.shrunk_of != &snapshot || kept.sequence != snapshot.sequence) {
    kept.shrunk = std::make_unique<ShrunkBounds>(scorer, snapshot, field);
    kept.shrunk_of = &snapshot;
    kept.sequence = snapshot.sequence;
  }
  return *kept.shrunk;
}

double FieldScorer::Idf(uint32_t df) const {
  // More documents than there are is what a damaged index may count; the logarithm of that would not be a number.
  const double count = std::min<double>(df, documents_);
  if (model_ == Model::kBm25) return std::log(1 + (documents_ - count + 0.5) / (count + 0.5));
  return 1 + std::log((documents_ + 1) / (count + 1.0));
}

}  // namespace freshdex::score

#include "native/quality/drift.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freshdex::quality {
namespace {

// Weights of words in a field as they are at the moment. Document frequencies are small numbers mostly: their
// logarithms are taken once.
class FieldWeights {
 public:
  FieldWeights(const score::Scoring& scoring, size_t field, const index::FieldTotals& totals, double average_then)
      : scorer_(scoring, totals), boost_(scoring.field_boosts[field]) {
    // A page of average length that has the word once, beside what the epoch makes of it.
    if (scoring.model == score::Model::kBm25 && average_then > 0 && scorer_.average_length() > 0) {
      const double relative = scorer_.average_length() / average_then;
      length_factor_ = (1 + scoring.k1 * (1 - scoring.b + scoring.b * relative)) / (1 + scoring.k1);
    }
  }

  // By how much the change of the average length multiplies the score of such a page.
  double length_factor() const { return length_factor_; }

  double WeightOf(uint32_t df) {
    if (df >= kTabulated) return Compute(df);
    if (df >= known_.size()) known_.resize(df + 1, -1.0);
    if (known_[df] < 0) known_[df] = Compute(df);
    return known_[df];
  }

 private:
  static constexpr uint32_t kTabulated = 4096;
  double Compute(uint32_t df) const { return score::Capped(boost_ * scorer_.Idf(df)); }

  score::FieldScorer scorer_;
  double boost_;
  double length_factor_ = 1;
  std::vector<double> known_;  // by document frequency; -1: not yet
};

struct WordDrift {
  double before = 0;  // what a page that has the word gets for it, in the epoch
  double after = 0;   // and at the moment
  double log_ratio = 0;
  bool is_known = false;
};

class Drifts {
 public:
  Drifts(const Epoch& epoch, const index::Snapshot& now, const score::Scoring& scoring,
         std::span<const uint32_t> frequencies)
      : epoch_(epoch), frequencies_(frequencies), words_(epoch.workload().words()) {
    for (size_t field = 0; field < epoch.fields(); ++field) {
      fields_.emplace_back(scoring, field, now.fields[field], epoch.average_length(field));
      length_spread_ = std::max(length_spread_, std::abs(std::log(fields_.back().length_factor())));
    }
  }

  QueryDrift Of(QueryNumber query) {
    double before = 0, after = 0;
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (WordNumber word : epoch_.workload().words(query)) {
      const WordDrift& drift = OfWord(word);
      before += drift.before;
      after += drift.after;
      lowest = std::min(lowest, drift.log_ratio);
      highest = std::max(highest, drift.log_ratio);
    }
    double log_scale = before > 0 && after > 0 ? std::log(after / before) : 0;
    if (!std::isfinite(log_scale)) log_scale = 0;
    double spread = highest - lowest + length_spread_;
    if (epoch_.has_page_weights()) {
      // The part of a score that is the page's weight stays: the factor is between 1 and that of the text.
      spread += std::abs(log_scale) / 2;
      log_scale /= 2;
    }
    constexpr double kMost = 40;  // a float holds e to the power of it
    return {static_cast<float>(std::exp(std::clamp(log_scale, -kMost, kMost))),
            static_cast<float>(std::min(spread, 2 * kMost))};
  }

 private:
  const WordDrift& OfWord(WordNumber word) {
    WordDrift& drift = words_[word];
    if (!drift.is_known) drift = Compute(word);
    return drift;
  }

  // Pages have a word in some of its fields: each counts by the share of them that have it there.
  WordDrift Compute(WordNumber word) {
    WordDrift drift;
    drift.is_known = true;
    uint32_t most = 0;
    for (size_t field = 0; field < fields_.size(); ++field) {
      const Epoch::Slot slot = epoch_.SlotOf(word, field);
      most = std::max({most, frequencies_[slot], epoch_.frequency(slot)});
    }
    if (most == 0) return drift;
    double before = 0, after = 0;
    for (size_t field = 0; field < fields_.size(); ++field) {
      const Epoch::Slot slot = epoch_.SlotOf(word, field);
      const double share = static_cast<double>(std::max(frequencies_[slot], epoch_.frequency(slot))) / most;
      before += share * epoch_.slot_weight(slot);
      after += share * fields_[field].WeightOf(frequencies_[slot]) * fields_[field].length_factor();
    }
    if (before <= 0 || after <= 0 || !std::isfinite(before) || !std::isfinite(after)) return drift;
    drift.before = before;
    drift.after = after;
    drift.log_ratio = std::log(after / before);
    return drift;
  }

  const Epoch& epoch_;
  const std::span<const uint32_t> frequencies_;
  std::vector<FieldWeights> fields_;
  double length_spread_ = 0;
  std::vector<WordDrift> words_;
};

}  // namespace

std::vector<QueryDrift> DriftOf(const Epoch& epoch, std::span<const QueryNumber> queries, const index::Snapshot& now,
                                const score::Scoring& scoring, std::span<const uint32_t> frequencies) {
  Drifts drifts(epoch, now, scoring, frequencies);
  std::vector<QueryDrift> found;
  found.reserve(queries.size());
  for (QueryNumber query : queries) found.push_back(drifts.Of(query));
  return found;
}

}  // namespace freshdex::quality

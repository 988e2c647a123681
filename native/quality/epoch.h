// A workload with the statistics under which its scores are taken. Statistics are frozen: BM25 and TF-IDF depend on the
// number of documents, document frequencies and average lengths, which every batch moves a little, and scores that are
// compared must be of one scale. Curves and score shifts of one epoch share its statistics; searches use the live ones.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "native/index/snapshot.h"
#include "native/quality/workload.h"
#include "native/score/similarity.h"

namespace freshdex::quality {

class Epoch {
 public:
  // With the statistics of the snapshot. `terms`: see FindTerms().
  Epoch(std::shared_ptr<const Workload> workload, const index::Snapshot& snapshot, const score::Scoring& scoring,
        uint64_t number, std::span<const index::TermId> terms);
  Epoch(std::shared_ptr<const Workload> workload, const index::Snapshot& snapshot, const score::Scoring& scoring,
        uint64_t number)
      : Epoch(workload, snapshot, scoring, number, FindTerms(*workload, snapshot)) {}
  // With statistics that were frozen before. `frequencies` has the number of documents of each slot.
  Epoch(std::shared_ptr<const Workload> workload, std::vector<index::FieldTotals> totals,
        std::vector<uint32_t> frequencies, const score::Scoring& scoring, uint64_t number);
  // The same epoch with another workload. The totals stay, and so do the frequencies of words that it knows; a new word
  // takes its frequency from the snapshot, which may be newer than the epoch.
  Epoch(const Epoch& before, std::shared_ptr<const Workload> workload, const index::Snapshot& snapshot,
        const score::Scoring& scoring, std::span<const index::TermId> terms);

  // By slot, the terms of the snapshot that are words of the workload; kNoTerm where there is none.
  static std::vector<index::TermId> FindTerms(const Workload& workload, const index::Snapshot& snapshot);

  uint64_t number() const { return number_; }
  const Workload& workload() const { return *workload_; }
  std::shared_ptr<const Workload> shared_workload() const { return workload_; }
  size_t fields() const { return scorers_.size(); }
  // A slot is a word in a field.
  using Slot = uint32_t;
  Slot SlotOf(WordNumber word, size_t field) const { return static_cast<Slot>(word * scorers_.size() + field); }
  size_t slots() const { return slot_weights_.size(); }
  // The frozen statistics: by field, and the number of documents that have the word of a slot.
  const std::vector<index::FieldTotals>& totals() const { return totals_; }
  uint32_t frequency(Slot slot) const { return frequencies_[slot]; }
  // What follows from them: idf times boost, and the average length of a field.
  double slot_weight(Slot slot) const { return slot_weights_[slot]; }
  double average_length(size_t field) const { return scorers_[field].average_length(); }

  // What a word gives to the score of a page that has it tf times in the field. REQUIRES: tf > 0.
  double Score(Slot slot, size_t field, uint32_t tf, uint8_t norm) const {
    return scorers_[field].Score(slot_weights_[slot], tf, norm);
  }
  // From the sum over all words and fields to the score of the page, as searches make it; never below 0.
  float Combine(double text_score, double page_weight) const {
    using score::Capped;
    const double combined =
        Capped(Capped(alpha_ * Capped(text_score)) + Capped(beta_ * (beta_ == 0 ? 0 : page_weight)));
    return static_cast<float>(std::clamp(combined, 0.0, static_cast<double>(std::numeric_limits<float>::max())));
  }
  bool has_page_weights() const { return beta_ != 0; }
  // A page's score for a query depends on one term only: one field, one word to a query.
  bool is_single() const { return is_single_; }

  // The queries listed under their rarest word only: a page that lacks it does not match.
  const QueriesByWord& by_rarest_word() const { return by_rarest_word_; }
  const QueriesByWord& by_word() const { return by_word_; }

  size_t MemoryBytes() const;

 private:
  static std::vector<uint32_t> FrequenciesIn(const index::Snapshot& snapshot, const Workload& workload,
                                             std::span<const index::TermId> terms, const Epoch* before);
  static std::vector<double> SlotWeights(std::span<const uint32_t> frequencies, const score::Scoring& scoring,
                                         const std::vector<score::FieldScorer>& scorers);

  const std::shared_ptr<const Workload> workload_;
  const uint64_t number_;
  const double alpha_;
  const double beta_;
  bool is_single_ = true;
  std::vector<index::FieldTotals> totals_;   // by field
  std::vector<uint32_t> frequencies_;        // by slot
  std::vector<score::FieldScorer> scorers_;  // by field
  std::vector<double> slot_weights_;         // by slot: idf times boost
  QueriesByWord by_word_;
  QueriesByWord by_rarest_word_;
};

}  // namespace freshdex::quality

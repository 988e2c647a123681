#include "native/quality/epoch.h"

#include <algorithm>
#include <cmath>

namespace freshdex::quality {
namespace {

std::vector<score::FieldScorer> ScorersOf(const index::Snapshot& snapshot, const score::Scoring& scoring) {
  std::vector<score::FieldScorer> scorers;
  for (const index::FieldTotals& totals : snapshot.fields) scorers.emplace_back(scoring, totals);
  return scorers;
}

// A page in which the word stands in two fields counts twice, which does no harm: this only picks where to look first.
uint64_t FrequencyOf(std::span<const index::TermId> terms, const index::Snapshot& snapshot) {
  uint64_t frequency = 0;
  for (index::TermId term : terms) frequency += term == index::kNoTerm ? 0 : snapshot.DocumentFrequency(term);
  return frequency;
}

}  // namespace

std::vector<index::TermId> Epoch::FindTerms(const Workload& workload, const index::Snapshot& snapshot) {
  std::vector<index::TermId> terms;
  terms.reserve(workload.words() * snapshot.fields.size());
  for (WordNumber word = 0; word < workload.words(); ++word) {
    for (size_t field = 0; field < snapshot.fields.size(); ++field) {
      terms.push_back(snapshot.FindTerm(static_cast<index::FieldId>(field), workload.text(word)));
    }
  }
  return terms;
}

std::vector<double> Epoch::SlotWeights(std::span<const index::TermId> terms, const index::Snapshot& snapshot,
                                       const score::Scoring& scoring, const std::vector<score::FieldScorer>& scorers) {
  std::vector<double> weights(terms.size());
  for (Slot slot = 0; slot < terms.size(); ++slot) {
    const size_t field = slot % scorers.size();
    const uint32_t frequency = terms[slot] == index::kNoTerm ? 0 : snapshot.DocumentFrequency(terms[slot]);
    weights[slot] = score::Capped(scoring.field_boosts[field] * scorers[field].Idf(frequency));
  }
  return weights;
}

Epoch::Epoch(std::shared_ptr<const Workload> workload, const index::Snapshot& snapshot, const score::Scoring& scoring,
             uint64_t number)
    : workload_(std::move(workload)),
      number_(number),
      alpha_(scoring.alpha),
      beta_(scoring.beta),
      scorers_(ScorersOf(snapshot, scoring)),
      by_word_(*workload_, [this](QueryNumber q) { return workload_->words(q); }) {
  const std::vector<index::TermId> terms = FindTerms(*workload_, snapshot);
  slot_weights_ = SlotWeights(terms, snapshot, scoring, scorers_);
  is_single_ = scorers_.size() == 1;
  for (QueryNumber q = 0; q < workload_->queries(); ++q) is_single_ = is_single_ && workload_->words(q).size() == 1;
  std::vector<uint64_t> frequencies(workload_->words());
  for (WordNumber word = 0; word < frequencies.size(); ++word) {
    frequencies[word] = FrequencyOf(std::span(terms).subspan(SlotOf(word, 0), fields()), snapshot);
  }
  by_rarest_word_ = QueriesByWord(*workload_, [&](QueryNumber q) {
    const std::span<const WordNumber> words = workload_->words(q);
    const auto rarest = std::min_element(words.begin(), words.end(),
                                         [&](WordNumber a, WordNumber b) { return frequencies[a] < frequencies[b]; });
    return std::span(&*rarest, 1);
  });
}

float Epoch::Combine(double text_score, double page_weight) const {
  using score::Capped;
  const double combined = Capped(Capped(alpha_ * Capped(text_score)) + Capped(beta_ * (beta_ == 0 ? 0 : page_weight)));
  return static_cast<float>(std::clamp(combined, 0.0, static_cast<double>(std::numeric_limits<float>::max())));
}

double Epoch::Drift(const index::Snapshot& now, const score::Scoring& scoring,
                    std::span<const index::TermId> terms) const {
  const std::vector<score::FieldScorer> scorers = ScorersOf(now, scoring);
  double drift = 0;
  for (size_t field = 0; field < scorers.size(); ++field) {
    const double then = scorers_[field].average_length();
    if (then > 0) drift = std::max(drift, std::abs(scorers[field].average_length() / then - 1));
  }
  const std::vector<double> weights = SlotWeights(terms, now, scoring, scorers);
  double sum = 0;
  for (QueryNumber q = 0; q < workload_->queries(); ++q) {
    double before = 0, after = 0;
    for (WordNumber word : workload_->words(q)) {
      for (size_t field = 0; field < scorers.size(); ++field) {
        before += slot_weights_[SlotOf(word, field)];
        after += weights[SlotOf(word, field)];
      }
    }
    if (before > 0) sum += workload_->weight(q) * std::abs(after / before - 1);
  }
  return workload_->queries() == 0 ? drift : std::max(drift, sum / workload_->total_weight());
}

size_t Epoch::MemoryBytes() const {
  return sizeof(*this) + workload_->MemoryBytes() + scorers_.capacity() * sizeof(scorers_[0]) +
         slot_weights_.capacity() * 8 + by_word_.MemoryBytes() + by_rarest_word_.MemoryBytes();
}

}  // namespace freshdex::quality

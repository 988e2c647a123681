#include "native/quality/epoch.h"

#include <algorithm>
#include <cmath>

namespace freshdex::quality {
namespace {

std::vector<score::FieldScorer> ScorersOf(const std::vector<index::FieldTotals>& fields,
                                          const score::Scoring& scoring) {
  std::vector<score::FieldScorer> scorers;
  for (const index::FieldTotals& totals : fields) scorers.emplace_back(scoring, totals);
  return scorers;
}

}  // namespace

std::vector<index::TermId> Epoch::FindTerms(const Workload& workload, const index::Snapshot& snapshot) {
  std::vector<index::TermId> terms;
  terms.reserve(workload.words() * snapshot.fields.size());
  for (WordNumber word = 0; word < workload.words(); ++word) {
    for (size_t field = 0; field < snapshot.fields.size(); ++field)
      terms.push_back(snapshot.FindTerm(static_cast<index::FieldId>(field), workload.text(word)));
  }
  return terms;
}

std::vector<uint32_t> Epoch::FrequenciesIn(const index::Snapshot& snapshot, const Workload& workload,
                                           std::span<const index::TermId> terms, const Epoch* before) {
  std::vector<uint32_t> frequencies;
  frequencies.reserve(workload.words() * snapshot.fields.size());
  for (WordNumber word = 0; word < workload.words(); ++word) {
    const WordNumber known = before ? before->workload().Find(workload.text(word)) : Workload::kNoWord;
    for (size_t field = 0; field < snapshot.fields.size(); ++field) {
      if (known != Workload::kNoWord) {
        frequencies.push_back(before->frequency(before->SlotOf(known, field)));
        continue;
      }
      const index::TermId term = terms[word * snapshot.fields.size() + field];
      frequencies.push_back(term == index::kNoTerm ? 0 : snapshot.DocumentFrequency(term));
    }
  }
  return frequencies;
}

std::vector<double> Epoch::SlotWeights(std::span<const uint32_t> frequencies, const score::Scoring& scoring,
                                       const std::vector<score::FieldScorer>& scorers) {
  std::vector<double> weights(frequencies.size());
  for (Slot slot = 0; slot < frequencies.size(); ++slot) {
    const size_t field = slot % scorers.size();
    weights[slot] = score::Capped(scoring.field_boosts[field] * scorers[field].Idf(frequencies[slot]));
  }
  return weights;
}

Epoch::Epoch(std::shared_ptr<const Workload> workload, const index::Snapshot& snapshot, const score::Scoring& scoring,
             uint64_t number, std::span<const index::TermId> terms)
    : Epoch(workload, snapshot.fields, FrequenciesIn(snapshot, *workload, terms, nullptr), scoring, number) {}

Epoch::Epoch(const Epoch& before, std::shared_ptr<const Workload> workload, const index::Snapshot& snapshot,
             const score::Scoring& scoring, std::span<const index::TermId> terms)
    : Epoch(workload, before.totals_, FrequenciesIn(snapshot, *workload, terms, &before), scoring, before.number_) {}

Epoch::Epoch(std::shared_ptr<const Workload> workload, std::vector<index::FieldTotals> totals,
             std::vector<uint32_t> frequencies, const score::Scoring& scoring, uint64_t number)
    : workload_(std::move(workload)),
      number_(number),
      alpha_(scoring.alpha),
      beta_(scoring.beta),
      totals_(std::move(totals)),
      frequencies_(std::move(frequencies)),
      scorers_(ScorersOf(totals_, scoring)),
      slot_weights_(SlotWeights(frequencies_, scoring, scorers_)),
      by_word_(*workload_, [this](QueryNumber q) { return workload_->words(q); }) {
  is_single_ = scorers_.size() == 1;
  for (QueryNumber q = 0; q < workload_->queries(); ++q) is_single_ = is_single_ && workload_->words(q).size() == 1;
  // A page in which the word stands in two fields counts twice, which does no harm: this only picks where to look
  // first.
  std::vector<uint64_t> sums(workload_->words(), 0);
  for (Slot slot = 0; slot < frequencies_.size(); ++slot) sums[slot / fields()] += frequencies_[slot];
  by_rarest_word_ = QueriesByWord(*workload_, [&](QueryNumber q) {
    const std::span<const WordNumber> words = workload_->words(q);
    const auto rarest =
        std::min_element(words.begin(), words.end(), [&](WordNumber a, WordNumber b) { return sums[a] < sums[b]; });
    return std::span(&*rarest, 1);
  });
}

size_t Epoch::MemoryBytes() const {
  return sizeof(*this) + workload_->MemoryBytes() + scorers_.capacity() * sizeof(scorers_[0]) +
         slot_weights_.capacity() * 8 + frequencies_.capacity() * 4 + by_word_.MemoryBytes() +
         by_rarest_word_.MemoryBytes();
}

}  // namespace freshdex::quality

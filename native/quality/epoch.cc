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

std::vector<uint32_t> Epoch::FrequenciesIn(const index::Snapshot& snapshot, const Workload& workload,
                                           const Epoch* before) {
  std::vector<uint32_t> frequencies;
  frequencies.reserve(workload.words() * snapshot.fields.size());
  for (WordNumber word = 0; word < workload.words(); ++word) {
    const std::string_view text = workload.text(word);
    const WordNumber known = before ? before->workload().Find(text) : Workload::kNoWord;
    for (size_t field = 0; field < snapshot.fields.size(); ++field) {
      if (known != Workload::kNoWord) {
        frequencies.push_back(before->frequency(before->SlotOf(known, field)));
        continue;
      }
      const index::TermId term = snapshot.FindTerm(static_cast<index::FieldId>(field), text);
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
             uint64_t number)
    : Epoch(workload, snapshot.fields, FrequenciesIn(snapshot, *workload, nullptr), scoring, number) {}

Epoch::Epoch(const Epoch& before, std::shared_ptr<const Workload> workload, const index::Snapshot& snapshot,
             const score::Scoring& scoring)
    : Epoch(workload, before.totals_, FrequenciesIn(snapshot, *workload, &before), scoring, before.number_) {}

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

double Epoch::Drift(const index::Snapshot& now, const score::Scoring& scoring,
                    std::span<const index::TermId> terms) const {
  const std::vector<score::FieldScorer> scorers = ScorersOf(now.fields, scoring);
  double drift = 0;
  for (size_t field = 0; field < scorers.size(); ++field) {
    const double then = scorers_[field].average_length();
    if (then > 0) drift = std::max(drift, std::abs(scorers[field].average_length() / then - 1));
  }
  std::vector<uint32_t> frequencies;
  frequencies.reserve(terms.size());
  for (index::TermId term : terms) frequencies.push_back(term == index::kNoTerm ? 0 : now.DocumentFrequency(term));
  const std::vector<double> weights = SlotWeights(frequencies, scoring, scorers);
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
         slot_weights_.capacity() * 8 + frequencies_.capacity() * 4 + by_word_.MemoryBytes() +
         by_rarest_word_.MemoryBytes();
}

}  // namespace freshdex::quality

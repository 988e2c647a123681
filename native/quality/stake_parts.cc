#include "native/quality/stake_parts.h"

#include <algorithm>
#include <unordered_map>

#include "native/index/forward_record.h"
#include "native/quality/answer_list.h"

namespace freshdex::quality {
namespace {

// How often a page has the words of a workload, by slot.
std::unordered_map<Epoch::Slot, uint32_t> CountWords(const Epoch& epoch, const index::Snapshot& snapshot,
                                                     const index::ForwardView& record) {
  std::unordered_map<index::TermId, uint32_t> terms;
  index::VisitTokens(record.codes(), 0, [&](index::TermId term, uint64_t) {
    uint32_t& count = terms[term];
    if (count < index::kMaxTf) ++count;
  });
  std::unordered_map<Epoch::Slot, uint32_t> counts;
  for (const auto& [term, count] : terms) {
    if (term >= snapshot.term_count) continue;
    const WordNumber word = epoch.workload().Find(snapshot.terms().Text(term));
    if (word != Workload::kNoWord) counts.emplace(epoch.SlotOf(word, snapshot.terms().FieldOf(term)), count);
  }
  return counts;
}

}  // namespace

StakeParts StakePartsOf(const MeasuringState& state, const index::Snapshot& snapshot, index::DocId doc, size_t limit) {
  StakeParts result;
  const auto record = snapshot.Record(doc);
  if (!record) return result;
  const Epoch& epoch = *state.epoch;
  const Workload& workload = epoch.workload();
  const auto counts = CountWords(epoch, snapshot, index::ForwardView(record->forward));
  std::unordered_map<WordNumber, double> scores;  // of the words that the page has
  for (const auto& [slot, count] : counts) scores.emplace(static_cast<WordNumber>(slot / epoch.fields()), 0.0);
  for (auto& [word, score] : scores) {
    for (size_t field = 0; field < epoch.fields(); ++field) {
      const auto found = counts.find(epoch.SlotOf(word, field));
      if (found != counts.end()) score += epoch.Score(found->first, field, found->second, snapshot.norms[field][doc]);
    }
  }
  for (const auto& [rarest, unused] : scores) {
    for (QueryNumber query : epoch.by_rarest_word()[rarest]) {
      double sum = 0;
      bool matches = true;
      for (WordNumber word : workload.words(query)) {
        const auto found = scores.find(word);
        matches = matches && found != scores.end();
        if (!matches) break;
        sum += found->second;
      }
      const float score = matches ? epoch.Combine(sum, record->weight) : 0;
      if (score <= 0) continue;
      const ScoreRankCurve curve = (*state.curves)[query];
      const double weight = workload.weight(query);
      const double stake = weight * state.curves->scale(query) * StakeIn(curve, *state.view, score);
      result.total += stake;
      result.parts.push_back({workload.id(query), RankIn(curve, score), score, weight, stake});
    }
  }
  std::sort(result.parts.begin(), result.parts.end(), [](const StakePart& a, const StakePart& b) {
    return a.stake != b.stake ? a.stake > b.stake : a.query_id < b.query_id;
  });
  if (result.parts.size() > limit) result.parts.resize(limit);
  return result;
}

std::vector<RankedAnswer> RankedAnswers(const MeasuringState& state, const index::Snapshot& snapshot, QueryNumber query,
                                        uint32_t top) {
  std::vector<Answer> answers;
  FindAnswers(snapshot, *state.epoch, query, &answers);
  std::stable_sort(answers.begin(), answers.end(), [](const Answer& a, const Answer& b) { return a.score > b.score; });
  const ScoreRankCurve curve = (*state.curves)[query];
  std::vector<RankedAnswer> ranked;
  const size_t size = answers.size();
  const auto add = [&](size_t rank1) {
    const Answer& answer = answers[rank1 - 1];
    ranked.push_back({answer.doc, answer.score, RankIn(curve, answer.score), static_cast<uint32_t>(rank1)});
  };
  size_t rank1 = 1;
  for (; rank1 <= size && rank1 <= top; ++rank1) add(rank1);
  for (rank1 = size_t{top} * 2; rank1 < size; rank1 *= 2) add(rank1);
  if (size > top) add(size);
  return ranked;
}

}  // namespace freshdex::quality

#include "native/quality/curve_set.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "native/quality/answer_list.h"

namespace freshdex::quality {

void CurveSet::Set(QueryNumber query, uint32_t n, std::span<const float> values) {
  lengths_[query] = n;
  std::copy(values.begin(), values.end(), values_.begin() + static_cast<std::ptrdiff_t>(query * stride()));
}

uint32_t RankIn(const ScoreRankCurve& curve, float score) {
  if (score <= 0) return 0;
  if (curve.n == 0) return 1;
  return static_cast<uint32_t>(curve.RankOf(score) + 0.5);
}

double StakeIn(const ScoreRankCurve& curve, const ViewLikelihood& view, float score) {
  return score <= 0 ? 0 : view.At(RankIn(curve, score)) * score;
}

FitResult FitCurves(const FitRequest& request) {
  const Epoch& epoch = *request.epoch;
  const Workload& workload = epoch.workload();
  const bool is_partial = request.before != nullptr;
  auto curves = is_partial ? std::make_shared<CurveSet>(*request.before)
                           : std::make_shared<CurveSet>(workload.queries(), request.pieces);
  FitResult result;
  result.request = request;
  result.stakes.assign(request.snapshot->doc_limit, 0.0);

  std::vector<Answer> answers;
  std::vector<float> scores, values(request.pieces + 2);
  const size_t count = is_partial ? request.queries.size() : workload.queries();
  for (size_t i = 0; i < count; ++i) {
    const QueryNumber query = is_partial ? request.queries[i] : static_cast<QueryNumber>(i);
    FindAnswers(*request.snapshot, epoch, query, &answers);
    result.answers += answers.size();
    scores.clear();
    for (const Answer& answer : answers) scores.push_back(answer.score);
    std::sort(scores.begin(), scores.end(), std::greater<>());
    std::fill(values.begin(), values.end(), 0.0f);
    if (!scores.empty()) FitCurve(scores, request.pieces, values);
    curves->Set(query, static_cast<uint32_t>(scores.size()), values);
    const ScoreRankCurve curve = (*curves)[query];
    const double weight = workload.weight(query);
    for (const Answer& answer : answers) {
      double stake = StakeIn(curve, *request.view, answer.score);
      if (is_partial) stake -= StakeIn((*request.before)[query], *request.view, answer.score);
      result.stakes[answer.doc] += weight * stake;
    }
  }
  result.curves = std::move(curves);
  return result;
}

}  // namespace freshdex::quality

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

namespace {

class Fitting {
 public:
  explicit Fitting(const FitRequest& request) : request_(request), values_(request.pieces + 2) {
    const Workload& workload = request.epoch->workload();
    curves_ = std::make_shared<CurveSet>(workload.queries(), request.pieces);
    result_.request = request;
    result_.stakes.assign(request.snapshot->doc_limit, 0.0);
  }

  FitResult Run() {
    const Workload& workload = request_.epoch->workload();
    if (!request_.before) {
      for (QueryNumber query = 0; query < workload.queries(); ++query) {
        Fit(query);
        AddStakes((*curves_)[query], workload.weight(query));
      }
    } else {
      RunWithin(workload);
    }
    result_.curves = std::move(curves_);
    return std::move(result_);
  }

 private:
  void RunWithin(const Workload& workload) {
    for (QueryNumber query = 0; query < workload.queries(); ++query) {
      const QueryNumber known = request_.number_before[query];
      if (known == FitRequest::kNoQuery) continue;
      const ScoreRankCurve curve = (*request_.before)[known];
      curves_->Set(query, curve.n, curve.values);
    }
    for (QueryNumber query : request_.queries) {
      Fit(query);
      AddStakes((*curves_)[query], workload.weight(query));
      const QueryNumber known = request_.number_before[query];
      if (known != FitRequest::kNoQuery) AddStakes((*request_.before)[known], -request_.WeightBefore(query));
    }
    for (QueryNumber query : request_.reweighed) {
      Find(*request_.epoch, query);
      AddStakes((*curves_)[query], workload.weight(query) - request_.WeightBefore(query));
    }
    for (QueryNumber query : request_.removed) {
      Find(*request_.epoch_before, query);
      AddStakes((*request_.before)[query], -request_.scale * request_.epoch_before->workload().weight(query));
    }
  }

  void Find(const Epoch& epoch, QueryNumber query) {
    FindAnswers(*request_.snapshot, epoch, query, &answers_);
    result_.answers += answers_.size();
  }

  void Fit(QueryNumber query) {
    Find(*request_.epoch, query);
    scores_.clear();
    for (const Answer& answer : answers_) scores_.push_back(answer.score);
    std::sort(scores_.begin(), scores_.end(), std::greater<>());
    std::fill(values_.begin(), values_.end(), 0.0f);
    if (!scores_.empty()) FitCurve(scores_, request_.pieces, values_);
    curves_->Set(query, static_cast<uint32_t>(scores_.size()), values_);
  }

  // Of the answers found last.
  void AddStakes(const ScoreRankCurve& curve, double weight) {
    for (const Answer& answer : answers_)
      result_.stakes[answer.doc] += weight * StakeIn(curve, *request_.view, answer.score);
  }

  const FitRequest& request_;
  FitResult result_;
  std::shared_ptr<CurveSet> curves_;
  std::vector<Answer> answers_;
  std::vector<float> scores_, values_;
};

}  // namespace

FitResult FitCurves(const FitRequest& request) { return Fitting(request).Run(); }

}  // namespace freshdex::quality

#include "native/quality/curve_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "native/quality/answer_batch.h"
#include "native/quality/descending_sort.h"

namespace freshdex::quality {

void CurveSet::Set(QueryNumber query, uint32_t n, std::span<const float> values, float scale) {
  lengths_[query] = n;
  scales_[query] = scale;
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
  explicit Fitting(const FitRequest& request)
      : request_(request), moves_(request.snapshot->doc_limit), values_(request.pieces + 2) {
    const Workload& workload = request.epoch->workload();
    curves_ = std::make_shared<CurveSet>(workload.queries(), request.pieces);
    result_.request = request;
    if (!request.before) result_.stakes.assign(request.snapshot->doc_limit, 0.0);
  }

  FitResult Run() {
    const Workload& workload = request_.epoch->workload();
    if (!request_.before) {
      std::vector<QueryNumber> all(workload.queries());
      std::iota(all.begin(), all.end(), 0u);
      Visit(*request_.epoch, all, [&](QueryNumber query, std::span<const Answer> answers) {
        Fit(query, answers, 1);
        AddSortedStakes((*curves_)[query], workload.weight(query));
      });
    } else {
      RunWithin(workload);
      result_.moves = moves_.Take();
    }
    result_.curves = std::move(curves_);
    return std::move(result_);
  }

 private:
  void RunWithin(const Workload& workload) {
    result_.drifts =
        DriftOf(*request_.epoch, request_.queries, *request_.snapshot, *request_.scoring, CountDocuments());
    if (request_.epoch == request_.epoch_before) {
      *curves_ = *request_.before;
    } else {
      TakeKnownCurves(workload);
    }
    size_t fitted = 0;
    Visit(*request_.epoch, request_.queries, [&](QueryNumber query, std::span<const Answer> answers) {
      Fit(query, answers, result_.drifts[fitted++].scale);
      AddSortedStakes((*curves_)[query], workload.weight(query) * curves_->scale(query));
      const QueryNumber known = request_.number_before[query];
      if (known != FitRequest::kNoQuery) AddStakes(answers, (*request_.before)[known], -request_.WeightBefore(query));
    });
    Visit(*request_.epoch, request_.reweighed, [&](QueryNumber query, std::span<const Answer> answers) {
      AddStakes(answers, (*curves_)[query],
                workload.weight(query) * curves_->scale(query) - request_.WeightBefore(query));
    });
    Visit(*request_.epoch_before, request_.removed, [&](QueryNumber query, std::span<const Answer> answers) {
      AddStakes(answers, (*request_.before)[query], -request_.WeightThen(query));
    });
  }

  void TakeKnownCurves(const Workload& workload) {
    for (QueryNumber query = 0; query < workload.queries(); ++query) {
      const QueryNumber known = request_.number_before[query];
      if (known == FitRequest::kNoQuery) continue;
      const ScoreRankCurve curve = (*request_.before)[known];
      curves_->Set(query, curve.n, curve.values, request_.before->scale(known));
    }
  }

  // By slot, for the words of the queries to be fitted.
  std::vector<uint32_t> CountDocuments() const {
    const Epoch& epoch = *request_.epoch;
    std::vector<uint32_t> frequencies(epoch.slots(), 0);
    for (QueryNumber query : request_.queries) {
      for (WordNumber word : epoch.workload().words(query)) {
        for (size_t field = 0; field < epoch.fields(); ++field) {
          const Epoch::Slot slot = epoch.SlotOf(word, field);
          const index::TermId term = request_.terms[slot];
          if (term != index::kNoTerm && frequencies[slot] == 0)
            frequencies[slot] = request_.snapshot->DocumentFrequency(term);
        }
      }
    }
    return frequencies;
  }

  template <typename Visitor>
  void Visit(const Epoch& epoch, std::span<const QueryNumber> queries, const Visitor& visit) {
    const std::span<const index::TermId> terms(request_.terms);
    VisitAnswers(
        *request_.snapshot, epoch, queries,
        [&](QueryNumber query, std::span<const Answer> answers) {
          result_.answers += answers.size();
          visit(query, answers);
        },
        {}, &epoch == request_.epoch.get() ? terms : std::span<const index::TermId>());
  }

  void Fit(QueryNumber query, std::span<const Answer> answers, float scale) {
    sorted_.assign(answers.begin(), answers.end());
    SortDescending(&sorted_, &scratch_);
    scores_.clear();
    for (const Answer& answer : sorted_) scores_.push_back(answer.score);
    std::fill(values_.begin(), values_.end(), 0.0f);
    if (!scores_.empty()) fitter_.Fit(scores_, request_.pieces, values_);
    curves_->Set(query, static_cast<uint32_t>(scores_.size()), values_, scale);
  }

  // Of the list that was fitted last, by its own curve: ranks grow along with it, so that the next one is found without
  // an exponential.
  void AddSortedStakes(const ScoreRankCurve& curve, double weight) {
    if (curve.n < kExactBelow) return AddStakes(sorted_, curve, weight);
    uint32_t rank1 = 1;
    double stake = 0;
    for (size_t i = 0; i < sorted_.size(); ++i) {
      // Neighbours often have equal scores.
      if (i == 0 || sorted_[i].score != sorted_[i - 1].score) {
        const double log_rank = curve.LogRankOf(fitter_.log_scores()[i]);
        while (rank1 < curve.n && log_rank >= fitter_.LogOfHalfAbove(rank1)) ++rank1;
        stake = weight * (request_.view->At(rank1) * sorted_[i].score);
      }
      AddStake(sorted_[i].doc, stake);
    }
  }

  void AddStakes(std::span<const Answer> answers, const ScoreRankCurve& curve, double weight) {
    for (const Answer& answer : answers) AddStake(answer.doc, weight * StakeIn(curve, *request_.view, answer.score));
  }

  void AddStake(index::DocId doc, double stake) {
    if (request_.before) {
      moves_.Add(doc, stake);
    } else {
      result_.stakes[doc] += stake;
    }
  }

  const FitRequest& request_;
  FitResult result_;
  StakeMoves moves_;  // within an epoch
  std::shared_ptr<CurveSet> curves_;
  CurveFitter fitter_;
  std::vector<Answer> sorted_, scratch_;
  std::vector<float> scores_, values_;
};

}  // namespace

FitResult FitCurves(const FitRequest& request) { return Fitting(request).Run(); }

}  // namespace freshdex::quality

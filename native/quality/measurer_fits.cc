// The half of the measurer that has curves fitted: when a fit is due, what it is to fit, and taking its result over.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "native/quality/measurer.h"

namespace freshdex::quality {

using index::DocId;

FitRequest Measurer::StartEpoch(std::shared_ptr<const Workload> workload,
                                std::shared_ptr<const index::Snapshot> snapshot,
                                std::shared_ptr<const ViewLikelihood> view, uint32_t pieces) {
  is_fitting_ = true;
  changed_while_fitting_.clear();
  FitRequest request;
  request.epoch = std::make_shared<const Epoch>(std::move(workload), *snapshot, scoring_, ++last_epoch_);
  request.snapshot = std::move(snapshot);
  request.view = std::move(view);
  request.pieces = pieces;
  return request;
}

FitRequest Measurer::StartRefit(std::shared_ptr<const index::Snapshot> snapshot) {
  is_fitting_ = true;
  changed_while_fitting_.clear();
  FitRequest request;
  request.epoch = state_->epoch;
  request.snapshot = std::move(snapshot);
  request.view = state_->view;
  request.pieces = state_->curves->pieces();
  request.epoch_before = state_->epoch;
  request.before = state_->curves;
  for (QueryNumber q = 0; q < state_->churn.size(); ++q) {
    request.number_before.push_back(q);
    if (IsStale(q)) request.queries.push_back(q);
  }
  return request;
}

FitRequest Measurer::StartExtension(const std::shared_ptr<const Workload>& workload, double scale,
                                    std::shared_ptr<const index::Snapshot> snapshot) {
  is_fitting_ = true;
  changed_while_fitting_.clear();
  FitRequest request;
  request.epoch_before = state_->epoch;
  request.before = state_->curves;
  request.view = state_->view;
  request.pieces = state_->curves->pieces();
  request.scale = scale;
  const Workload& before = state_->epoch->workload();
  std::unordered_map<uint32_t, QueryNumber> by_id;
  for (QueryNumber q = 0; q < before.queries(); ++q) by_id.emplace(before.id(q), q);
  std::vector<bool> is_kept(before.queries(), false);
  std::vector<double> weights;
  for (QueryNumber q = 0; q < workload->queries(); ++q) {
    const auto found = by_id.find(workload->id(q));
    const bool is_known =
        found != by_id.end() && !is_kept[found->second] && workload->HasWordsOf(q, before, found->second);
    request.number_before.push_back(is_known ? found->second : FitRequest::kNoQuery);
    double weight = workload->weight(q);
    if (!is_known) {
      request.queries.push_back(q);
    } else {
      is_kept[found->second] = true;
      const double weight_before = scale * before.weight(found->second);
      const bool is_moved = std::abs(weight - weight_before) > kMovedWeight * std::max(weight, weight_before);
      if (!is_moved) weight = weight_before;
      if (IsStale(found->second)) {
        request.queries.push_back(q);
      } else if (is_moved) {
        request.reweighed.push_back(q);
      }
    }
    weights.push_back(weight);
  }
  for (QueryNumber q = 0; q < before.queries(); ++q) {
    if (!is_kept[q]) request.removed.push_back(q);
  }
  request.epoch =
      std::make_shared<const Epoch>(*state_->epoch, workload->WithWeights(std::move(weights)), *snapshot, scoring_);
  request.snapshot = std::move(snapshot);
  return request;
}

void Measurer::Abandon() {
  is_fitting_ = false;
  changed_while_fitting_.clear();
}

void Measurer::Stop() {
  state_.reset();
  stakes_.clear();
}

void Measurer::Adopt(FitResult result, const index::Snapshot& current) {
  const FitRequest& request = result.request;
  if (request.before) {
    AdoptWithin(&result, current);
  } else {
    Install(request.epoch, std::move(result.curves), request.view, current);
    stakes_ = std::move(result.stakes);
    drift_ = 0;
    churn_since_drift_ = 0;
  }
  if (stakes_.size() < current.doc_limit) stakes_.resize(current.doc_limit, 0.0);
  for (DocId doc : changed_while_fitting_) stakes_[doc] = StakeOf(doc, current);
  Abandon();
}

void Measurer::Install(std::shared_ptr<const Epoch> epoch, std::shared_ptr<const CurveSet> curves,
                       std::shared_ptr<const ViewLikelihood> view, const index::Snapshot& current) {
  state_.reset();  // its words are not followed any more before the next ones are
  state_ = std::make_unique<State>(std::move(epoch), std::move(curves), current.terms(), current.term_count, follower_);
  state_->view = std::move(view);
}

void Measurer::AdoptWithin(FitResult* result, const index::Snapshot& current) {
  const FitRequest& request = result->request;
  for (size_t doc = 0; doc < stakes_.size(); ++doc) {
    const double moved = doc < result->stakes.size() ? result->stakes[doc] : 0;
    stakes_[doc] = std::max(0.0, stakes_[doc] * request.scale + moved);
  }
  if (request.epoch == state_->epoch) {
    state_->curves = std::move(result->curves);
    state_->lines.TakeCurves(*state_->curves, request.queries);
  } else {
    const std::vector<float> churn = std::move(state_->churn);
    const std::vector<uint8_t> answered = std::move(state_->answered);
    Install(request.epoch, std::move(result->curves), request.view, current);
    for (QueryNumber q = 0; q < request.number_before.size(); ++q) {
      const QueryNumber known = request.number_before[q];
      if (known == FitRequest::kNoQuery) continue;
      state_->churn[q] = churn[known];
      state_->answered[q] = answered[known];
    }
  }
  for (QueryNumber query : request.queries) {
    state_->churn[query] = 0;
    state_->answered[query] = 0;
  }
  CountStale();
}

void Measurer::CountStale() {
  state_->stale_weight = 0;
  for (QueryNumber q = 0; q < state_->churn.size(); ++q) {
    if (IsStale(q)) state_->stale_weight += state_->epoch->workload().weight(q);
  }
}

void Measurer::Resume(Resumed resumed, const index::Snapshot& current) {
  last_epoch_ = std::max(last_epoch_, resumed.epoch->number());
  Install(std::move(resumed.epoch), std::move(resumed.curves), std::move(resumed.view), current);
  state_->churn = std::move(resumed.churn);
  CountStale();
  stakes_ = std::move(resumed.stakes);
  stakes_.resize(std::max<size_t>(stakes_.size(), current.doc_limit), 0.0);
  drift_ = 0;
  churn_since_drift_ = resumed.churn_since_drift;
}

double Measurer::UnansweredShare() const {
  if (!state_) return 0;
  const Workload& workload = state_->epoch->workload();
  double unanswered = 0;
  for (QueryNumber query = 0; query < workload.queries(); ++query) {
    if ((*state_->curves)[query].n == 0) unanswered += workload.weight(query);
  }
  return unanswered > 0 ? std::min(1.0, unanswered / workload.total_weight()) : 0;
}

double Measurer::StakeOf(DocId doc, const index::Snapshot& snapshot) {
  const auto record = snapshot.Record(doc);
  if (!record) return 0;
  std::array<uint8_t, index::kMaxFields> norms{};
  for (size_t f = 0; f < snapshot.norms.size(); ++f) norms[f] = snapshot.norms[f][doc];
  PageWords& page = state_->page;
  page.Load(index::ForwardView(record->forward), std::span(norms).first(snapshot.norms.size()), record->weight);
  const Workload& workload = state_->epoch->workload();
  double stake = 0;
  for (WordNumber word : page.present()) {
    const auto [begin, end] = state_->lines.ByRarestWord(word);
    for (QueryLines::Line line = begin; line < end; ++line) {
      const QueryLines::Query& query = state_->lines.query(line);
      const float score = page.ScoresOf(state_->lines, query).after;
      if (score <= 0) continue;
      stake += workload.weight(query.number) * StakeIn((*state_->curves)[query.number], *state_->view, score);
    }
  }
  return stake;
}

Measurer::Need Measurer::NeedOf(const index::Snapshot& current) {
  if (!state_ || is_fitting_) return Need::kNothing;
  // Looking at the drift costs a look at every word of the workload, and a few postings do not move it far.
  if (churn_since_drift_ > 0 && churn_since_drift_ >= kDriftInterval * static_cast<double>(current.documents)) {
    drift_ = state_->epoch->Drift(current, scoring_, state_->terms.TermsBySlot());
    churn_since_drift_ = 0;
  }
  if (drift_ > kMaxDrift) return Need::kEpoch;
  return state_->stale_weight > kStaleShare * state_->epoch->workload().total_weight() ? Need::kRefit : Need::kNothing;
}

bool Measurer::IsStale(QueryNumber query) const {
  return state_->churn[query] > kStaleChurn * std::max<double>(1, (*state_->curves)[query].n);
}

// A page that comes or goes is one member replaced, one whose score moved a part of one.
void Measurer::NoteChurn(const Shift& shift) {
  const bool was_stale = IsStale(shift.query);
  state_->churn[shift.query] += std::abs(shift.after - shift.before) / std::max(shift.after, shift.before);
  if (!was_stale && IsStale(shift.query)) state_->stale_weight += state_->epoch->workload().weight(shift.query);
}

}  // namespace freshdex::quality

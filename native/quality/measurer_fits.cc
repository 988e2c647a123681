// The half of the measurer that has curves fitted: when a fit is due, what it is to fit, and taking its result over.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "native/quality/measurer.h"

namespace freshdex::quality {

using index::DocId;

FitRequest Measurer::StartEpoch(std::shared_ptr<const Workload> workload,
                                std::shared_ptr<const index::Snapshot> snapshot,
                                std::shared_ptr<const ViewLikelihood> view, uint32_t pieces) {
  Begin();
  FitRequest request;
  request.terms = FindTerms(*workload, *snapshot);
  request.epoch = std::make_shared<const Epoch>(std::move(workload), *snapshot, scoring_, ++last_epoch_, request.terms);
  request.snapshot = std::move(snapshot);
  request.view = std::move(view);
  request.pieces = pieces;
  request.scoring = std::make_shared<const score::Scoring>(scoring_);
  has_lost_track_ = false;
  return request;
}

FitRequest Measurer::StartRefit(std::shared_ptr<const index::Snapshot> snapshot) {
  Begin();
  FitRequest request;
  request.epoch = state_->epoch;
  request.terms = FindTerms(state_->epoch->workload(), *snapshot);
  request.snapshot = std::move(snapshot);
  request.view = state_->view;
  request.scoring = std::make_shared<const score::Scoring>(scoring_);
  request.pieces = state_->curves->pieces();
  request.epoch_before = state_->epoch;
  request.before = state_->curves;
  for (QueryNumber q = 0; q < state_->changes.size(); ++q) {
    request.number_before.push_back(q);
    if (IsStale(q) && !IsLeftOut(q)) request.queries.push_back(q);
  }
  FollowShifts(request);
  return request;
}

FitRequest Measurer::StartExtension(const std::shared_ptr<const Workload>& workload, double scale,
                                    std::shared_ptr<const index::Snapshot> snapshot) {
  Begin();
  FitRequest request;
  request.epoch_before = state_->epoch;
  request.before = state_->curves;
  request.view = state_->view;
  request.scoring = std::make_shared<const score::Scoring>(scoring_);
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
      if (IsStale(found->second) && !IsLeftOut(found->second)) {
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
  request.terms = FindTerms(*workload, *snapshot);
  request.epoch = std::make_shared<const Epoch>(*state_->epoch, workload->WithWeights(std::move(weights)), *snapshot,
                                                scoring_, request.terms);
  request.snapshot = std::move(snapshot);
  FollowShifts(request);
  return request;
}

std::vector<index::TermId> Measurer::FindTerms(const Workload& workload, const index::Snapshot& snapshot) const {
  if (!state_ || state_->terms.known() != snapshot.term_count) return Epoch::FindTerms(workload, snapshot);
  std::vector<index::TermId> known = state_->terms.TermsBySlot();
  const Workload& before = state_->epoch->workload();
  if (&workload == &before) return known;
  std::vector<index::TermId> terms;
  terms.reserve(workload.words() * snapshot.fields.size());
  for (WordNumber word = 0; word < workload.words(); ++word) {
    const std::string_view text = workload.text(word);
    // Words mostly keep their numbers.
    const WordNumber found = word < before.words() && before.text(word) == text ? word : before.Find(text);
    for (size_t field = 0; field < snapshot.fields.size(); ++field) {
      terms.push_back(found == Workload::kNoWord ? snapshot.FindTerm(static_cast<index::FieldId>(field), text)
                                                 : known[state_->epoch->SlotOf(found, field)]);
    }
  }
  return terms;
}

void Measurer::Begin() {
  is_fitting_ = true;
  changed_while_fitting_.clear();
  shifts_while_fitting_.clear();
  is_followed_.clear();
}

// What batches move meanwhile in a list that the fit values anew is moved in its result, too.
void Measurer::FollowShifts(const FitRequest& request) {
  is_followed_.assign(state_->changes.size(), 0);
  const auto follow = [&](QueryNumber query) {
    const QueryNumber known = request.number_before[query];
    if (known != FitRequest::kNoQuery) is_followed_[known] = 1;
  };
  for (QueryNumber query : request.queries) follow(query);
  for (QueryNumber query : request.reweighed) follow(query);
  for (QueryNumber query : request.removed) is_followed_[query] = 1;
}

void Measurer::Abandon() {
  Begin();
  is_fitting_ = false;
  if (has_new_share_) Measure(share_);
}

void Measurer::Stop() {
  state_.reset();
  stakes_.clear();
}

namespace {

// What the fit has looked up, unless terms have got other numbers since.
FoundTerms FoundIn(const FitRequest& request, const index::Snapshot& current) {
  if (request.snapshot->vocabulary != current.vocabulary) return {};
  return {request.terms, request.snapshot->term_count};
}

}  // namespace

void Measurer::Adopt(FitResult result, const index::Snapshot& current) {
  const FitRequest& request = result.request;
  if (request.before) {
    AdoptWithin(&result, current);
  } else {
    Install(request.epoch, std::move(result.curves), request.view, current, FoundIn(request, current));
    stakes_ = std::move(result.stakes);
    stakes_.resize(std::max<size_t>(stakes_.size(), current.doc_limit), 0.0);
    churn_since_drift_ = 0;
    LeaveOut(LeftOut(state_->epoch->workload(), *state_->curves, share_));
    for (DocId doc : changed_while_fitting_) stakes_[doc] = StakeOf(doc, current);
  }
  Abandon();
}

void Measurer::Install(std::shared_ptr<const Epoch> epoch, std::shared_ptr<const CurveSet> curves,
                       std::shared_ptr<const ViewLikelihood> view, const index::Snapshot& current,
                       const FoundTerms& found) {
  state_.reset();  // its words are not followed any more before the next ones are
  state_ = std::make_unique<State>(std::move(epoch), std::move(curves), current.terms(), current.term_count, follower_,
                                   found);
  state_->view = std::move(view);
}

void Measurer::AdoptWithin(FitResult* result, const index::Snapshot& current) {
  const FitRequest& request = result->request;
  CountMissed(request);
  stakes_.resize(std::max<size_t>(stakes_.size(), current.doc_limit), 0.0);
  if (request.scale != 1) {
    for (double& stake : stakes_) stake *= request.scale;
  }
  for (const StakeMove& move : result->moves) stakes_[move.doc] += move.amount;
  // New queries have had no shifts.
  const auto is_new = [&](QueryNumber query) { return request.number_before[query] == FitRequest::kNoQuery; };
  const bool knows_shifts = shifts_while_fitting_.size() < kFollowedShifts &&
                            std::none_of(request.queries.begin(), request.queries.end(), is_new);
  if (knows_shifts) MoveFollowed(*result);
  const bool is_same_epoch = request.epoch == state_->epoch;
  if (is_same_epoch) {
    state_->curves = std::move(result->curves);
    state_->lines.TakeCurves(*state_->curves, request.queries);
  } else {
    const std::vector<ListChange> changes = std::move(state_->changes);
    const std::vector<QueryDrift> drifts = std::move(state_->drifts);
    const std::vector<uint8_t> answered = std::move(state_->answered);
    const std::vector<uint8_t> was_left_out = std::move(state_->is_left_out);
    const double missed_weight = state_->missed_weight * request.scale;
    Install(request.epoch, std::move(result->curves), request.view, current, FoundIn(request, current));
    state_->missed_weight = missed_weight;
    if (!was_left_out.empty()) state_->is_left_out.resize(state_->changes.size(), 0);
    for (QueryNumber q = 0; q < request.number_before.size(); ++q) {
      const QueryNumber known = request.number_before[q];
      if (known == FitRequest::kNoQuery) continue;
      if (!was_left_out.empty()) state_->is_left_out[q] = was_left_out[known];
      state_->changes[q] = changes[known];
      state_->drifts[q] = drifts[known];
      state_->answered[q] = answered[known];
    }
  }
  for (size_t at = 0; at < request.queries.size(); ++at) {
    const QueryNumber query = request.queries[at];
    state_->changes[query] = ListChange();
    state_->answered[query] = 0;
    state_->drifts[query] = result->drifts[at];
  }
  if (is_same_epoch) {
    TakeStock();
  } else {
    LeaveOut(LeftOut(state_->epoch->workload(), *state_->curves, share_));
  }
  for (DocId doc : changed_while_fitting_) {
    if (!knows_shifts || !current.Record(doc)) stakes_[doc] = StakeOf(doc, current);
  }
  // What is left of a stake after all of it was taken away is rounding.
  const auto round = [&](DocId doc) { stakes_[doc] = std::max(0.0, stakes_[doc]); };
  for (const StakeMove& move : result->moves) round(move.doc);
  for (DocId doc : changed_while_fitting_) round(doc);
}

// For the other queries, stakes have followed the shifts already.
void Measurer::MoveFollowed(const FitResult& result) {
  const FitRequest& request = result.request;
  std::vector<QueryNumber> number_after(state_->changes.size(), FitRequest::kNoQuery);
  for (QueryNumber q = 0; q < request.number_before.size(); ++q) {
    if (request.number_before[q] != FitRequest::kNoQuery) number_after[request.number_before[q]] = q;
  }
  for (const Shift& shift : shifts_while_fitting_) {
    const auto move = [&](const CurveSet& curves, QueryNumber query) {
      const ScoreRankCurve curve = curves[query];
      return StakeIn(curve, *request.view, shift.after) - StakeIn(curve, *request.view, shift.before);
    };
    double moved = -request.WeightThen(shift.query) * move(*request.before, shift.query);
    const QueryNumber query = number_after[shift.query];
    if (query != FitRequest::kNoQuery)
      moved += request.epoch->workload().weight(query) * result.curves->scale(query) * move(*result.curves, query);
    stakes_[shift.doc] += moved;
  }
}

void Measurer::TakeStock() {
  state_->lines.TakeDrifts(*state_->curves, state_->drifts);
  state_->stale_weight = 0;
  state_->apart_weight = 0;
  state_->left_out_weight = 0;
  for (QueryNumber q = 0; q < state_->changes.size(); ++q) {
    const uint32_t n = (*state_->curves)[q].n;
    state_->stale_churns[q] = static_cast<float>(kStaleChurn * state_->view->Sum(1, std::max(1u, n)));
    if (IsLeftOut(q)) {
      state_->left_out_weight += state_->epoch->workload().weight(q);
    } else if (IsStale(q)) {
      state_->stale_weight += state_->epoch->workload().weight(q);
    }
    if (state_->drifts[q].spread > kMaxSpread) state_->apart_weight += state_->epoch->workload().weight(q);
  }
}

void Measurer::Resume(Resumed resumed, const index::Snapshot& current) {
  last_epoch_ = std::max(last_epoch_, resumed.epoch->number());
  Install(std::move(resumed.epoch), std::move(resumed.curves), std::move(resumed.view), current);
  state_->changes = std::move(resumed.changes);
  stakes_ = std::move(resumed.stakes);
  stakes_.resize(std::max<size_t>(stakes_.size(), current.doc_limit), 0.0);
  // What the earlier process left out is left out until somebody says otherwise.
  std::vector<uint8_t> is_left_out(state_->changes.size(), 0);
  for (QueryNumber q = 0; q < is_left_out.size(); ++q) is_left_out[q] = !state_->changes[q].is_known();
  const double share = MeasuredShare(*state_->curves, is_left_out);
  if (share < 1) share_ = share;
  LeaveOut(share < 1 ? std::move(is_left_out) : LeftOut(state_->epoch->workload(), *state_->curves, share_));
  LookAtDrift(current);
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
      stake += workload.weight(query.number) * state_->curves->scale(query.number) *
               StakeIn((*state_->curves)[query.number], *state_->view, score);
    }
  }
  return stake;
}

bool Measurer::IsDriftDue(const index::Snapshot& current) const {
  const double churn = churn_since_drift_ + batch_churn_;
  return state_ && churn > 0 && churn >= kDriftInterval * static_cast<double>(current.documents);
}

Measurer::Need Measurer::NeedOf(const index::Snapshot& current) {
  if (!state_) return Need::kNothing;
  // Looking at the drift costs a look at every word of the workload, and a few postings do not move it far.
  if (IsDriftDue(current)) LookAtDrift(current);
  if (is_fitting_) return Need::kNothing;
  if (has_lost_track_) return Need::kEpoch;
  const double total = state_->epoch->workload().total_weight();
  if (state_->apart_weight > kApartShare * total || state_->missed_weight > kMissedShare * total) return Need::kEpoch;
  return state_->stale_weight > kStaleShare * total ? Need::kRefit : Need::kNothing;
}

void Measurer::LookAtDrift(const index::Snapshot& current) {
  std::vector<QueryNumber> all(state_->changes.size());
  std::iota(all.begin(), all.end(), 0u);
  state_->drifts = DriftOf(*state_->epoch, all, current, scoring_, state_->terms.FrequenciesBySlot(current));
  churn_since_drift_ = 0;
  TakeStock();
}

bool Measurer::IsStale(QueryNumber query) const {
  const ListChange& change = state_->changes[query];
  const double n = (*state_->curves)[query].n;
  return change.churn > state_->stale_churns[query] || std::abs(change.grown) > kStaleGrowth * std::max(1.0, n);
}

void Measurer::NoteChange(QueryNumber query, float before, float after, const RankShift& ranks) {
  const bool was_stale = IsStale(query);
  ListChange& change = state_->changes[query];
  const double seen = (state_->view->At(ranks.rank1_before) + state_->view->At(ranks.rank1_settled)) / 2;
  change.churn += static_cast<float>(seen * (std::abs(after - before) / std::max(after, before)));
  change.grown += (before <= 0) - (after <= 0);
  if (!was_stale && IsStale(query)) state_->stale_weight += state_->epoch->workload().weight(query);
}

}  // namespace freshdex::quality

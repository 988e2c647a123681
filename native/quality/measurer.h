// Measures what a batch does to the answers of a workload, while the batch is being indexed: the user-centric paper's
// section 5.
//
// The writer tells it the posting deltas of every changed page, of which it keeps how often the words of the workload
// occur before and after. When the batch is prepared, a page's two scores for each query that it matches before or
// after become a shift, and the curves turn shifts into ranks and ranks into ΔQ_A. That may wait until the batch is
// being committed: it needs only what was kept.
//
// measurer.cc measures; measurer_fits.cc has curves fitted; measurer_left_out.cc leaves queries out.
//
// Threads: everything on the writer's thread; only FitCurves() runs elsewhere, on what a request holds.
//
// Invariants
//   M1  Shifts, curves and stakes are of one epoch: every score is taken under its statistics, which do not change.
//   What
//       the statistics of the moment do to the scores of a query q is a factor c(q) (drift.h) that never meets a rank:
//       a gain counts q with f(q) c(q), c(q) being as of the last look at the drift, and all stakes count q with
//       f(q) c'(q), c'(q) being kept with its curve (CurveSet::scale) and moved only together with the stakes.
//   M2  shifts come from OnDocument() alone: folding, merging, searching, replaying and flushing cause none
//   M3  a discarded batch changes no stake, no curve and nothing that is answered; at most, curves are fitted anew a
//       little sooner
//   M4  A query that is left out (measured_queries.h) is as if it had stopped: its shifts are in no gain, its curve is
//       kept, and stakes keep the part that it had when it was looked at last. How far its list has moved on is unknown
//       (ListChange), which makes its curve stale, but only queries that are not left out are fitted within an epoch.
//       One that comes back is measured by the old curve until the next fit. Stakes of pages that changed meanwhile
//       then are off by what was missed; the weight of such queries is counted, and an epoch puts everything right. Who
//       is left out does not change while curves are fitted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "native/index/posting_observer.h"
#include "native/quality/curve_set.h"
#include "native/quality/delta_quality.h"
#include "native/quality/drift.h"
#include "native/quality/epoch.h"
#include "native/quality/list_change.h"
#include "native/quality/measured_queries.h"
#include "native/quality/page_words.h"
#include "native/quality/query_lines.h"
#include "native/quality/view_likelihood.h"
#include "native/quality/workload_terms.h"

namespace freshdex::quality {

// One page's score for one query moved from `before` to `after`; 0 means "does not match".
struct Shift {
  index::DocId doc;
  QueryNumber query;
  float before;
  float after;
};
static_assert(sizeof(Shift) == 16);

// What a shift was worth.
struct Effect {
  uint32_t query_id;
  float score_before;
  float score_after;
  uint32_t rank1_before;  // 0: not in the list
  uint32_t rank1_after;
  float delta_quality;  // the query's weight included
};

struct PageMeasure {
  index::DocId doc;
  bool is_removed;
  bool is_replaced;      // neither new nor removed
  bool is_reweighted;    // replaced by the same text of another weight: its shifts are no gain of a refresh
  double delta_quality;  // ΔQ_A
  double stake;          // after the batch
  uint32_t shifts;
  uint32_t effects_end;  // into BatchMeasure::effects
};

struct BatchMeasure {
  std::vector<PageMeasure> pages;  // changed pages, in the order of the batch
  std::vector<Effect> effects;     // per page at most kMaxEffects, largest delta_quality first
  std::vector<Shift> kept_shifts;  // all of the batch, when somebody wants them; `query` is the caller's id
  uint64_t shifts = 0;
  uint64_t norm_shifts = 0;  // of these, due to a changed length norm alone
  // The share of the workload's weight whose queries had no answer until a page that the batch replaces became one.
  double answered_share = 0;
  std::optional<double> measured_share;  // see Measurer::Measure(); none without curves
  double skipped_weight = 0;             // the share of the workload's weight that is on queries that were left out
};

class Measurer final : public index::PostingObserver {
 public:
  static constexpr size_t kMaxEffects = 8;
  // Words of pages wait for the end of their batch, but no more than this many: 8 MiB.
  static constexpr size_t kBufferedWords = 1u << 20;
  // While curves are fitted, no more shifts than this many are kept for the adoption: 4 MiB.
  static constexpr size_t kFollowedShifts = 1u << 18;
  // A curve is stale when this share of what its list's ranks are viewed has changed hands since it was fitted, ...
  static constexpr double kStaleChurn = 0.1;
  // ... or when the list has become longer or shorter by this share.
  static constexpr double kStaleGrowth = 0.5;
  // Fitting is due when this share of the workload's weight is on stale curves: a few of them can be most of the error,
  // and a fit of few curves costs little.
  static constexpr double kStaleShare = 0.01;
  // The words of a query have drifted apart when the spread of their drifts (drift.h) is above this, ...
  static constexpr double kMaxSpread = 0.1;
  // ... and a new epoch is due when this share of the workload's weight is on such queries.
  static constexpr double kApartShare = 0.1;
  // The drift is looked at when postings worth this share of the documents have changed since the last time.
  static constexpr double kDriftInterval = 0.05;
  // A new epoch is due, too, when this share of the workload's weight is on queries that were left out for a while.
  static constexpr double kMissedShare = 0.05;
  // A weight that has moved by less than this share of itself is left as it is: it is not worth a walk through a list.
  static constexpr double kMovedWeight = 0.05;

  // `follower`: the writer that it observes, which then counts the workload's words along with the deltas; without it
  // pages are walked through once more. Must outlive the measurer.
  explicit Measurer(score::Scoring scoring, index::TermFollower* follower = nullptr)
      : scoring_(std::move(scoring)), follower_(follower) {}

  bool has_epoch() const { return state_ != nullptr; }
  uint64_t epoch_number() const { return state_ ? state_->epoch->number() : 0; }

  // Fitting: Start...(), then FitCurves() on any thread, then Adopt() or Abandon(). One at a time.
  // Starts a new epoch, with the statistics of the snapshot. REQUIRES: kMinPieces <= pieces <= kMaxPieces.
  FitRequest StartEpoch(std::shared_ptr<const Workload> workload, std::shared_ptr<const index::Snapshot> snapshot,
                        std::shared_ptr<const ViewLikelihood> view, uint32_t pieces);
  // Starts to fit the stale curves only, within the epoch. REQUIRES: has_epoch().
  FitRequest StartRefit(std::shared_ptr<const index::Snapshot> snapshot);
  // Starts to replace the workload within the epoch: what is new or stale is fitted, and stakes follow the weights.
  // `scale` is what became of all weights alike since the last workload was given, such as by decay. A weight that has
  // moved by less than kMovedWeight beyond that stays. REQUIRES: has_epoch(), scale is finite and above 0.
  FitRequest StartExtension(const std::shared_ptr<const Workload>& workload, double scale,
                            std::shared_ptr<const index::Snapshot> snapshot);
  bool is_fitting() const { return is_fitting_; }
  const std::unordered_set<index::DocId>& changed_while_fitting() const { return changed_while_fitting_; }
  // REQUIRES: no batch is prepared. `current` is the snapshot of this moment.
  void Adopt(FitResult result, const index::Snapshot& current);
  void Abandon();
  // What an earlier process knew.
  struct Resumed {
    std::shared_ptr<const Epoch> epoch;
    std::shared_ptr<const CurveSet> curves;
    std::shared_ptr<const ViewLikelihood> view;
    std::vector<ListChange> changes;  // by query
    std::vector<double> stakes;
  };
  // Goes on with it. REQUIRES: no batch is prepared, nothing is being fitted.
  void Resume(Resumed resumed, const index::Snapshot& current);
  // Forgets curves and stakes: nothing is measured until the next epoch. REQUIRES: no batch is prepared, nothing is
  // being fitted.
  void Stop();

  // From now on, or from the end of the fit under way, measures the queries that promise most, as far as this share of
  // the shifts goes that all would have; 1, as in the beginning, measures all. REQUIRES: no batch is prepared, 0 <=
  // share <= 1.
  void Measure(double share);

  enum class Need : uint8_t { kNothing = 0, kRefit = 1, kEpoch = 2 };
  Need NeedOf(const index::Snapshot& current);
  // Whether NeedOf(), after the prepared batch is published, will look at every word of the workload.
  bool IsDriftDue(const index::Snapshot& current) const;

  void OnDocument(const index::DocumentChange& change) override;
  void OnPublish() override;
  void OnDiscard() override;
  void OnRenumber(const index::Snapshot& now) override;
  // Turns the shifts of the prepared batch into ΔQ_A. Once per batch, before OnPublish().
  const BatchMeasure& Estimate();
  // The number of changed pages in that batch.
  size_t batch_pages() const { return batch_.pages.size(); }
  void KeepShifts(bool keeps) { keeps_shifts_ = keeps; }

  // The stakes by document; 0 for documents from stakes().size() on.
  std::span<const double> stakes() const { return stakes_; }
  // The part of the workload's weight that is on queries without an answer when their curves were fitted: 0 to 1.
  double UnansweredShare() const;
  size_t queries() const { return state_ ? state_->epoch->workload().queries() : 0; }
  const CurveSet* curves() const { return state_ ? state_->curves.get() : nullptr; }
  // What measures now, none of it changing; null without an epoch.
  std::shared_ptr<const Epoch> shared_epoch() const { return state_ ? state_->epoch : nullptr; }
  std::shared_ptr<const CurveSet> shared_curves() const { return state_ ? state_->curves : nullptr; }
  std::shared_ptr<const ViewLikelihood> shared_view() const { return state_ ? state_->view : nullptr; }
  // How far lists have moved on since their curves were fitted, by query. REQUIRES: has_epoch().
  std::span<const ListChange> changes() const { return state_->changes; }
  // What statistics have done to scores since the epoch, when that was last looked at; by query. REQUIRES: has_epoch().
  std::span<const QueryDrift> drifts() const { return state_->drifts; }
  // kCorrupt unless every curve is well formed and every stake an amount.
  Status Check() const;
  size_t MemoryBytes() const;

 private:
  // What one epoch needs while pages come in.
  struct State {
    State(std::shared_ptr<const Epoch> of, std::shared_ptr<const CurveSet> made, const index::TermDict& terms,
          index::TermId limit, index::TermFollower* follower, const FoundTerms& found)
        : epoch(std::move(of)),
          curves(std::move(made)),
          lines(*epoch, *curves),
          terms(*epoch, terms, limit, follower, found),
          page(*epoch, this->terms),
          changes(epoch->workload().queries()),
          stale_churns(changes.size(), 0.0f),
          drifts(changes.size()),
          seen(changes.size(), 0),
          answered(changes.size(), 0) {}
    std::shared_ptr<const Epoch> epoch;
    std::shared_ptr<const CurveSet> curves;
    QueryLines lines;
    std::shared_ptr<const ViewLikelihood> view;
    WorkloadTerms terms;
    PageWords page;
    std::vector<ListChange> changes;  // by query: since its curve was fitted
    std::vector<float> stale_churns;  // by query: the churn from which on its curve is stale
    std::vector<QueryDrift> drifts;   // by query: when that was last looked at
    std::vector<uint32_t> seen;       // by line: the page (a running number) for which it was last considered
    std::vector<uint8_t> answered;    // by query: 1 when its list was found empty and a page has come into it since
    uint32_t page_number = 0;
    std::vector<uint8_t> is_left_out;  // by query; empty: none is
    double left_out_weight = 0;        // of these
    double missed_weight = 0;          // of queries that were left out and whose part of the stakes was moved since
    double stale_weight = 0;           // of queries whose curves are stale, without those that are left out
    double apart_weight = 0;           // of queries whose words have drifted apart
  };

  // A changed page whose shifts have not been looked for yet.
  struct CollectedPage {
    uint32_t page;  // in batch_.pages
    bool is_replaced;
    bool moves_norms;
    bool moves_weight;
    double weight_before;
    double weight_after;
    uint32_t counts_end;  // into words_.counts
    uint32_t kept_end;    // into words_.kept
  };

  void Install(std::shared_ptr<const Epoch> epoch, std::shared_ptr<const CurveSet> curves,
               std::shared_ptr<const ViewLikelihood> view, const index::Snapshot& current,
               const FoundTerms& found = {});
  // Epoch::FindTerms(), mostly from what is known of the present workload.
  std::vector<index::TermId> FindTerms(const Workload& workload, const index::Snapshot& snapshot) const;
  void Begin();
  void FollowShifts(const FitRequest& request);
  // Of a fit within the epoch.
  void AdoptWithin(FitResult* result, const index::Snapshot& current);
  void MoveFollowed(const FitResult& result);
  // After curves, changes of lists or drifts have become others.
  void TakeStock();
  // Queries whose part of the stakes is moved by a list that was not looked at.
  void CountMissed(const FitRequest& request);
  static double ChurnOf(const index::DocumentChange& change);
  // False when no score of the page moves.
  bool Collect(const index::DocumentChange& change, bool moves_all);
  void MeasureCollected();
  void FindShifts(const CollectedPage& page);
  // `moves_norm`: the page's norms changed, which may be all that moves the score.
  void Consider(QueryLines::Line line, bool moves_norm);
  // Values the shifts that were found for the page.
  void EstimatePage(PageMeasure* page);
  // Ends the pages before `end` for which no shift was looked for.
  void PassPages(size_t end);
  void KeepEffect(const Effect& effect, size_t first);
  bool IsLeftOut(QueryNumber query) const { return !state_->is_left_out.empty() && state_->is_left_out[query] != 0; }
  // Leaves out who is to be left out by `share_`.
  void LeaveOut(std::vector<uint8_t> is_left_out);
  bool IsStale(QueryNumber query) const;
  void NoteChange(QueryNumber query, float before, float after, const RankShift& ranks);
  void LookAtDrift(const index::Snapshot& current);
  // Notes that a page came into the list of the query. True for the first one since the list was found empty, unless
  // the batch of that one was discarded.
  bool NoteAnswer(QueryNumber query);
  void NotePublished();
  void ForgetBatch();
  double StakeOf(index::DocId doc, const index::Snapshot& snapshot);

  const score::Scoring scoring_;
  index::TermFollower* const follower_;
  std::unique_ptr<State> state_;
  std::vector<double> stakes_;

  double share_ = 1;            // that is measured
  bool has_new_share_ = false;  // it waits for the end of the fit
  bool is_fitting_ = false;
  // Memory was lacking to note what a published batch did: only a new epoch, begun after that, knows.
  bool has_lost_track_ = false;
  uint64_t last_epoch_ = 0;
  std::unordered_set<index::DocId> changed_while_fitting_;
  std::vector<uint8_t> is_followed_;         // by query: its shifts are kept while fitting; empty for none
  std::vector<Shift> shifts_while_fitting_;  // of these; no more are kept than are buffered
  double churn_since_drift_ = 0;             // documents' worth of postings, since the drift was last looked at

  // The batch being prepared:
  BatchMeasure batch_;
  std::vector<CollectedPage> collected_;
  PageWords::Collected words_;
  std::vector<uint8_t> norms_;  // for each collected page: by field before, by field after
  struct LineShift {
    QueryLines::Line line;
    float before;
    float after;
  };
  std::vector<LineShift> shifts_;  // of the page that is loaded
  size_t estimated_pages_ = 0;     // so many of batch_.pages are done
  std::vector<index::DocId> changed_;
  std::vector<QueryNumber> answered_;  // those that the batch has marked
  std::vector<Shift> followed_;        // of queries whose shifts are kept
  double batch_churn_ = 0;
  std::optional<index::TermId> terms_before_;  // the dictionary's size when the batch began
  bool keeps_shifts_ = false;
};

}  // namespace freshdex::quality

// The score→rank curves of a workload, and how they are made.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "native/index/snapshot.h"
#include "native/quality/drift.h"
#include "native/quality/epoch.h"
#include "native/quality/score_rank_curve.h"
#include "native/quality/stake_moves.h"
#include "native/quality/view_likelihood.h"

namespace freshdex::quality {

// One curve per query, by number. A curve of n = 0 belongs to a query without answers.
class CurveSet {
 public:
  CurveSet(size_t queries, uint32_t pieces)
      : pieces_(pieces), lengths_(queries, 0), scales_(queries, 1.0f), values_(queries * stride(), 0.0f) {}

  size_t size() const { return lengths_.size(); }
  uint32_t pieces() const { return pieces_; }
  ScoreRankCurve operator[](QueryNumber query) const {
    return {lengths_[query], std::span(values_).subspan(query * stride(), stride())};
  }
  // The factor by which stakes count the query's scores beside its weight: what the statistics of the moment when they
  // were computed made of scores of the epoch (drift.h).
  float scale(QueryNumber query) const { return scales_[query]; }
  void Set(QueryNumber query, uint32_t n, std::span<const float> values, float scale);
  // The bytes of one curve: 20 for three pieces.
  size_t curve_bytes() const { return stride() * sizeof(float); }
  size_t MemoryBytes() const { return (lengths_.capacity() + scales_.capacity()) * 4 + values_.capacity() * 4; }

 private:
  size_t stride() const { return pieces_ + 2; }

  uint32_t pieces_;
  std::vector<uint32_t> lengths_;
  std::vector<float> scales_;
  std::vector<float> values_;
};

// The rank that a curve gives a page: that of the stake, and of the page before a change. 0 when it does not match.
uint32_t RankIn(const ScoreRankCurve& curve, float score);

// What a page has at stake in one answer list: I(rank) · score, for a query of weight 1.
double StakeIn(const ScoreRankCurve& curve, const ViewLikelihood& view, float score);

// Everything that fitting needs, none of it changing: it may run on any thread.
struct FitRequest {
  std::shared_ptr<const Epoch> epoch;
  std::shared_ptr<const index::Snapshot> snapshot;
  std::shared_ptr<const ViewLikelihood> view;
  std::shared_ptr<const score::Scoring> scoring;
  uint32_t pieces = 3;
  std::vector<index::TermId> terms;  // by slot of `epoch`, as Epoch::FindTerms() has them for the snapshot
  // Within an epoch; without them all queries are fitted anew. `epoch` has the statistics of `epoch_before`, whose
  // curves are `before`, and maybe another workload.
  std::shared_ptr<const Epoch> epoch_before;
  std::shared_ptr<const CurveSet> before;
  static constexpr QueryNumber kNoQuery = 0xFFFFFFFF;
  std::vector<QueryNumber> number_before;  // by query of `epoch`: its number before, or kNoQuery
  std::vector<QueryNumber> queries;        // fitted anew: those that are new among them
  std::vector<QueryNumber> reweighed;      // their weights are others, their curves stay
  std::vector<QueryNumber> removed;        // by their numbers before
  double scale = 1;                        // what became of every weight before the workload was replaced

  // The weight of a query in the stakes so far; 0 for a new one.
  double WeightBefore(QueryNumber query) const {
    const QueryNumber known = number_before[query];
    return known == kNoQuery ? 0 : WeightThen(known);
  }
  // The same by the number before.
  double WeightThen(QueryNumber known) const {
    return scale * epoch_before->workload().weight(known) * before->scale(known);
  }
};

struct FitResult {
  FitRequest request;
  std::shared_ptr<const CurveSet> curves;
  // Of the queries that were fitted within an epoch, in their order: what the statistics of the snapshot do to scores.
  std::vector<QueryDrift> drifts;
  // Of a new epoch: by document, its stake.
  std::vector<double> stakes;
  // Within an epoch: what has to be added to `scale` times the stakes so far.
  std::vector<StakeMove> moves;
  uint64_t answers = 0;  // the number of answers that were scored
};

FitResult FitCurves(const FitRequest& request);

}  // namespace freshdex::quality

// What a page's stake is made of, and what a curve says beside the list that it stands for: for explanations, on any
// thread, from values that do not change.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "native/index/snapshot.h"
#include "native/quality/curve_set.h"
#include "native/quality/epoch.h"
#include "native/quality/view_likelihood.h"

namespace freshdex::quality {

// What measures at a moment.
struct MeasuringState {
  std::shared_ptr<const Epoch> epoch;
  std::shared_ptr<const CurveSet> curves;
  std::shared_ptr<const ViewLikelihood> view;
};

struct StakePart {
  uint32_t query_id;
  uint32_t rank1;  // by the curve
  float score;     // under the statistics of the epoch
  double weight;   // of the query
  double stake;    // weight included
};

struct StakeParts {
  std::vector<StakePart> parts;  // the largest stakes first, at most `limit`
  double total = 0;              // of all queries
};
// REQUIRES: the document is visible in the snapshot.
StakeParts StakePartsOf(const MeasuringState& state, const index::Snapshot& snapshot, index::DocId doc, size_t limit);

struct RankedAnswer {
  index::DocId doc;
  float score;
  uint32_t fitted_rank1;
  uint32_t exact_rank1;  // pages of equal score are in the order of their numbers
};
// The answers to a query at the ranks 1 to `top`, and from there on at ranks about twice as far each.
std::vector<RankedAnswer> RankedAnswers(const MeasuringState& state, const index::Snapshot& snapshot, QueryNumber query,
                                        uint32_t top);

}  // namespace freshdex::quality

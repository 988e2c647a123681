// Documents that come first in a search, whether they match or not.
#pragma once

#include <cstdint>
#include <vector>

#include "native/score/column_request.h"
#include "native/score/query.h"
#include "native/score/similarity.h"
#include "native/score/top_k.h"

namespace freshdex::score {

struct PinnedHits {
  std::vector<Hit> hits;                // those that are there, each once, with their scores
  std::vector<index::DocId> strangers;  // those of them that do not match
};

PinnedHits ScorePinned(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                       const std::vector<BoostFunction>& boosts, const std::vector<index::DocId>& pinned);

}  // namespace freshdex::score

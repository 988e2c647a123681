// Documents that come first in a search, whether they match or not.
#pragma once

#include <cstdint>
#include <vector>

#include "native/score/column_request.h"
#include "native/score/query.h"
#include "native/score/search.h"
#include "native/score/similarity.h"
#include "native/score/top_k.h"

namespace freshdex::score {

// Of the pinned documents of a request, those behind the end of its budget keep the score 0.
struct PinnedHits {
  std::vector<Hit> hits;                // those that are there, each once, with their scores
  std::vector<index::DocId> strangers;  // those of them that do not match
};

PinnedHits ScorePinned(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                       const std::vector<BoostFunction>& boosts, const SearchRequest& request);

}  // namespace freshdex::score

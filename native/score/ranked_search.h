// A search through all matches: sorted by columns, behind a cursor, in groups, with facets and boosts.
#pragma once

#include "native/score/search.h"

namespace freshdex::score {

// REQUIRES: the request has columns.
SearchOutcome SearchRanked(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                           const SearchRequest& request, SearchCache* cache);

}  // namespace freshdex::score

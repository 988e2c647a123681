// A search: plan, match, score, keep the best.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "native/score/column_request.h"
#include "native/score/document_set.h"
#include "native/score/facet_counter.h"
#include "native/score/query.h"
#include "native/score/search_budget.h"
#include "native/score/search_cache.h"
#include "native/score/similarity.h"
#include "native/score/top_k.h"

namespace freshdex::score {

struct SearchRequest {
  uint32_t limit = 10;
  uint32_t offset = 0;
  uint64_t max_scored = 0;                 // 0: no limit
  uint64_t count_up_to = UINT64_MAX;       // matches beyond this many, and beyond the hits, need not be counted
  bool looks_at_all_matches = false;       // for tests: no match is ruled out by bounds
  const ColumnRequest* columns = nullptr;  // what is asked of columns; null: nothing
  const DocumentSet* passing = nullptr;    // nothing else matches, nor may be pinned; null: any document may
  SearchBudget* budget = nullptr;          // none: no limit. It must outlive the search.
  // Documents that come first, in this order and once each, whether they match or not. Those that are not there are
  // left out; those that do not match count as matches and score 0 for their text.
  std::vector<index::DocId> pinned;
};

// What the columns say of a search through all matches.
struct ColumnOutcome {
  std::optional<CursorPoint> last;  // of the last hit, with groups of the first hit of the last group; none: no hit
  std::vector<FacetCounts> facets;  // as they were asked for
  std::vector<ColumnValue> groups;  // in order of their first hits
  std::vector<uint32_t> group_of;   // by hit: which of `groups`; empty without groups
};

struct SearchOutcome {
  std::vector<Hit> hits;
  uint64_t total = 0;
  bool is_total_exact = true;  // false: there are more than total, which is at least count_up_to
  bool is_partial = false;     // stopped early: total and hits cover only what was scored
  bool is_truncated = false;   // some expansions were left out
  std::optional<ColumnOutcome> columns;
};

// `cache` is that of earlier searches of the same index, or null.
SearchOutcome Search(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                     const SearchRequest& request, SearchCache* cache = nullptr);

// The score of a hit from its text score.
double Combine(const index::Snapshot& snapshot, const Scoring& scoring, double text, index::DocId doc);

// One JSON text per hit: the parts its score is made of. An empty one where the budget was spent before.
std::vector<std::string> Explain(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                                 const std::vector<Hit>& hits, SearchBudget* budget,
                                 const std::vector<BoostFunction>& boosts = {});

}  // namespace freshdex::score

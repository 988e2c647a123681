// The best hits of a flat query without a look at every match.
//
// One leaf: its blocks that can hold a better hit, those of the best bounds first. Any of several leaves: block-max
// MAXSCORE (Turtle and Flood 1995, Ding and Suel 2011) in windows of documents: leaves that cannot make a hit by
// themselves are looked up only for the documents that the others leave over. All leaves: the rarest proposes documents
// block by block, and once enough matches are counted, only those that can still be hits.
//
// Documents are ruled out by bounds and rough scores, with a margin wider than single precision errs. What remains is
// scored exactly, in the order of docs/search-model.md: hits and scores are those of a search through all matches.
#pragma once

#include <optional>

#include "native/score/best_hits.h"
#include "native/score/flat_query.h"
#include "native/score/search.h"

namespace freshdex::score {

// The best k documents of one leaf; of those it came to, when the budget is spent. Of all searches, those that are not
// among `passing` are no matches; null: all are.
void SearchOne(LeafBlocks* leaf, BestHits* best, size_t k, const DocumentSet* passing, SearchBudget* budget);

// The documents of one leaf, counted until there are more than `up_to`.
uint64_t CountOne(LeafBlocks* leaf, uint64_t up_to, const DocumentSet* passing, SearchBudget* budget);

// None where bounds could not be exact enough or would not pay; nothing is decoded then. REQUIRES: the request asks for
// hits, has a budget, and sets no limit of scored documents.
std::optional<SearchOutcome> SearchByBounds(const index::Snapshot& snapshot, const Scoring& scoring,
                                            const FlatQuery& query, const SearchRequest& request, ScorerCache* scorers);

}  // namespace freshdex::score

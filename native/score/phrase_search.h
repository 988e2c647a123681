// The best documents that have a phrase in one field.
//
// Where the index has a list of the phrase, it is answered as a word is. Otherwise the lists of its words, and those of
// its parts (phrase_sources.h), propose documents block by block, the shortest first, and those that are in all lists
// are searched for the phrase (phrase_scan.h). A phrase is at most as frequent as its rarest part in the document,
// which bounds its score: once enough matches are counted, a document is searched only if it can still be a hit.
#pragma once

#include <optional>

#include "native/score/query.h"
#include "native/score/search.h"

namespace freshdex::score {

// None where several fields may have the phrase, or bounds could not be exact enough. REQUIRES: a phrase of at least
// two tokens; the request asks for hits, has a budget, and sets no limit of scored documents.
std::optional<SearchOutcome> SearchPhrase(const index::Snapshot& snapshot, const Scoring& scoring,
                                          const QueryNode& query, const SearchRequest& request, ScorerCache* scorers);

}  // namespace freshdex::score

// How far the statistics of an epoch are behind those of the moment, query by query.
//
// Scores of an epoch keep its statistics (measurer.h, M1), so that ranks are always looked up on the scale on which
// curves were fitted. What a batch does to statistics is mostly a factor common to all scores of a query: with one word
// in one field exactly idf'/idf. ΔQ_A and stakes are linear in scores, so this factor belongs to the weight of the
// query and no curve has to move for it. It is not the same for all pages of a list when words of the query, whose
// shares differ from page to page, drift apart; then the order of the list may differ, too.
#pragma once

#include <span>
#include <vector>

#include "native/index/snapshot.h"
#include "native/quality/epoch.h"
#include "native/score/similarity.h"

namespace freshdex::quality {

struct QueryDrift {
  // Scores under the statistics of the moment are about this many times those of the epoch. Above 0, finite.
  float scale = 1;
  // That factor as ln, for the word with the largest less that for the word with the smallest. A page whose score is of
  // one word alone would be off by no more than this. Average lengths that have moved are added: they move long pages
  // more than short ones.
  float spread = 0;
};

// The drifts of `queries`, in their order. `frequencies`: by slot, the documents that have the word in the field at the
// moment; those of words that no such query has are not read.
std::vector<QueryDrift> DriftOf(const Epoch& epoch, std::span<const QueryNumber> queries, const index::Snapshot& now,
                                const score::Scoring& scoring, std::span<const uint32_t> frequencies);

}  // namespace freshdex::quality

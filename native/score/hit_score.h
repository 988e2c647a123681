// The score of a hit, from that of its text, the boosts by columns and the weight of the document
// (docs/search-model.md).
#pragma once

#include <vector>

#include "native/index/snapshot.h"
#include "native/score/column_request.h"
#include "native/score/similarity.h"

namespace freshdex::score {

// By how much a boost multiplies the score of the text: 1 or less for a decay, 1 or more for a logarithm. Of several
// values the one that gives most.
double BoostFactor(const index::Snapshot& snapshot, const BoostFunction& boost, index::DocId doc);

// `text` is the score of the text alone.
double ScoreOfHit(const index::Snapshot& snapshot, const Scoring& scoring, const std::vector<BoostFunction>& boosts,
                  double text, index::DocId doc);

}  // namespace freshdex::score

// What one page's new score does to the quality of one query's answers: ΔQ_A (User-centric crawling, Eq. 6 without its
// denominator).
#pragma once

#include <cstdint>

#include "native/quality/score_rank_curve.h"
#include "native/quality/view_likelihood.h"

namespace freshdex::quality {

struct RankShift {
  uint32_t rank1_before;  // 0: not in the list
  uint32_t rank1_after;
  double delta_quality;  // >= 0, for a query of weight 1
  // The rank after the move when it is rounded as the one before is, and not towards it: with this a later move begins.
  uint32_t rank1_settled;
};

// The page moves from score s1 to s2 in the list of `curve`; a score of 0 does not match. All other pages are taken to
// be as they were, so that no move does harm: what rounding leaves below 0 is 0. n == 0: no list, the page is alone.
// Ranks and sums: docs/refresh-model.md. REQUIRES: curve.IsWellFormed(), s1 and s2 >= 0 and finite.
RankShift EstimateDeltaQuality(const ScoreRankCurve& curve, const ViewLikelihood& view, double s1, double s2);

}  // namespace freshdex::quality

#include "native/quality/delta_quality.h"

#include <algorithm>
#include <cmath>

namespace freshdex::quality {
namespace {

RankShift ShiftAlone(const ViewLikelihood& view, double s1, double s2) {
  const uint32_t before = s1 > 0 ? 1 : 0, after = s2 > 0 ? 1 : 0;
  return {before, after, before < after ? view.At(1) * s2 : 0, after};
}

uint32_t Rounded(double rank) { return static_cast<uint32_t>(rank + 0.5); }

// A list of fewer than kExactBelow scores: no approximation. Its scores are kept as float32, so scores are compared as
// such.
RankShift ShiftInExactList(const ScoreRankCurve& curve, const ViewLikelihood& view, double s1, double s2) {
  const uint32_t before = s1 > 0 ? Rounded(curve.RankOf(static_cast<float>(s1))) : 0;
  const auto score_after = static_cast<float>(s2);
  uint32_t after = s2 > 0 ? 1 : 0;
  for (uint32_t rank = 1; rank <= curve.n; ++rank) {
    // Pages with an equal score come before the one that moves.
    if (s2 > 0 && rank != before && curve.values[rank - 1] >= score_after) ++after;
  }
  double delta = (view.At(after) - view.At(before)) * s2;
  uint32_t new_rank = 0;
  for (uint32_t rank = 1; rank <= curve.n; ++rank) {
    if (rank == before) continue;
    if (++new_rank == after) ++new_rank;
    delta += (view.At(new_rank) - view.At(rank)) * curve.values[rank - 1];
  }
  return {before, after, std::max(0.0, delta), s2 > 0 ? Rounded(curve.RankOf(score_after)) : 0};
}

// The rank after the move. A page that lands between the pages of ranks k and k + 1 has rank k when it comes from
// above, since it left its own place, and k + 1 when it comes from below. A page that appears with a score below the
// curve comes behind all. `rank` is that of s2 on the curve.
uint32_t RankAfter(const ScoreRankCurve& curve, uint32_t before, double s1, double s2, double rank) {
  if (s1 == s2) return before;
  if (s2 < s1) return std::max(before, static_cast<uint32_t>(rank));
  const auto above = static_cast<uint32_t>(std::ceil(rank));
  if (before > 0) return std::min(before, above);
  return above == curve.n && std::log(s2) < curve.KnotLogScore(curve.pieces()) ? curve.n + 1 : above;
}

// What the pages gain that move up or down by one rank when a page goes from one rank to another. With g(r) the score
// at an old rank: sum of (I(r-1) - I(r)) g(r) over those that move up, by parts, where the differences g(r) - g(r+1)
// inside a piece of the curve are replaced by their mean. Pieces meet at the whole rank below a knot.
double DisplacedQuality(const ScoreRankCurve& curve, const ViewLikelihood& view, uint32_t from, uint32_t to) {
  if (from == to) return 0;
  const bool falls = from < to;
  // The old ranks of the pages that move.
  const uint32_t first = falls ? from + 1 : to, last = falls ? to : from - 1;
  const uint32_t offset = falls ? 0 : 1;
  const double first_score = curve.ScoreAt(first);
  uint32_t rank = first;
  double score = first_score, middle = 0;
  for (uint32_t j = 1; rank < last; ++j) {
    const uint32_t next = j < curve.pieces() ? std::min(last, static_cast<uint32_t>(curve.KnotRank(j))) : last;
    if (next <= rank) continue;
    const double next_score = curve.ScoreAt(next);
    middle += view.Sum(rank + offset, next - 1 + offset) * ((score - next_score) / (next - rank));
    rank = next;
    score = next_score;
  }
  const double gain = view.At(std::min(from, to)) * first_score - middle - view.At(std::max(from, to)) * score;
  return falls ? gain : -gain;
}

}  // namespace

RankShift EstimateDeltaQuality(const ScoreRankCurve& curve, const ViewLikelihood& view, double s1, double s2) {
  if (s1 == 0 && s2 == 0) return {0, 0, 0, 0};
  if (curve.n == 0) return ShiftAlone(view, s1, s2);
  if (curve.n < kExactBelow) return ShiftInExactList(curve, view, s1, s2);
  const uint32_t before = s1 > 0 ? Rounded(curve.RankOf(s1)) : 0;
  const double rank = s2 > 0 ? curve.RankOf(s2) : 0;
  const uint32_t after = s2 > 0 ? RankAfter(curve, before, s1, s2, rank) : 0;
  if (before == after) return {before, after, 0, Rounded(rank)};
  const double self = (view.At(after) - view.At(before)) * s2;
  // A page that vanishes leaves its rank as if it fell behind all others; one that appears comes from behind them.
  const double displaced =
      DisplacedQuality(curve, view, before > 0 ? before : curve.n + 1, after > 0 ? after : curve.n);
  return {before, after, std::max(0.0, self + displaced), Rounded(rank)};
}

}  // namespace freshdex::quality

// ΔQ_A by its definitions: for a list of scores by ranking all pages before and after, and for a curve by adding up
// rank after rank.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/quality/score_rank_curve.h"

namespace freshdex::test {

struct NaiveShift {
  uint32_t rank1_before;
  uint32_t rank1_after;
  double delta_quality;
};

inline double NaiveView(uint32_t rank1) { return rank1 == 0 ? 0 : std::pow(rank1, -1.5); }

// Numerator of Eq. 5 for one query: the pages of `order` by their live scores.
inline double NaiveQuality(const std::vector<size_t>& order, const std::vector<double>& live) {
  double quality = 0;
  for (size_t i = 0; i < order.size(); ++i) quality += NaiveView(static_cast<uint32_t>(i + 1)) * live[order[i]];
  return quality;
}

// The page at `place` of the descending list gets score `after`; place == scores.size() for a page that is not in it.
// All other pages are as they were, and come before it where their scores are equal.
inline NaiveShift ExactDeltaQuality(const std::vector<double>& scores, size_t place, double after) {
  std::vector<double> live = scores;
  if (place == scores.size()) live.push_back(0);
  live[place] = after;
  std::vector<size_t> old_order, new_order;
  for (size_t i = 0; i < scores.size(); ++i) old_order.push_back(i);
  for (size_t i = 0; i < scores.size(); ++i) {
    if (i != place) new_order.push_back(i);
  }
  uint32_t rank1_after = 0;
  if (after > 0) {
    const auto behind =
        std::find_if(new_order.begin(), new_order.end(), [&](size_t page) { return scores[page] < after; });
    rank1_after = static_cast<uint32_t>(behind - new_order.begin()) + 1;
    new_order.insert(behind, place);
  }
  const uint32_t rank1_before = place == scores.size() ? 0 : static_cast<uint32_t>(place + 1);
  return {rank1_before, rank1_after, NaiveQuality(new_order, live) - NaiveQuality(old_order, live)};
}

// The score that the estimate gives to each old rank: that of the curve at both ends of the move and at the whole rank
// below every knot, and in between a straight line, which is what a mean difference comes to.
inline double PolygonScore(const quality::ScoreRankCurve& curve, const std::vector<uint32_t>& corners, uint32_t rank1) {
  for (size_t i = 0; i + 1 < corners.size(); ++i) {
    if (rank1 > corners[i + 1]) continue;
    const double left = curve.ScoreAt(corners[i]), right = curve.ScoreAt(corners[i + 1]);
    return left + (right - left) * (rank1 - corners[i]) / (corners[i + 1] - corners[i]);
  }
  return curve.ScoreAt(corners.back());
}

// The estimate for a curve of n >= 4, for given ranks, without summation by parts and not cut off at 0.
inline double PolygonDeltaQuality(const quality::ScoreRankCurve& curve, uint32_t before, uint32_t after, double s2) {
  const uint32_t from = before == 0 ? curve.n + 1 : before, to = after == 0 ? curve.n : after;
  const uint32_t first = from < to ? from + 1 : to, last = from < to ? to : from - 1;
  std::vector<uint32_t> corners{first};
  for (uint32_t j = 1; j < curve.pieces(); ++j) {
    const auto corner = static_cast<uint32_t>(std::exp(double{curve.values[0]} * j / curve.pieces()));
    if (corner > corners.back() && corner < last) corners.push_back(corner);
  }
  if (last > corners.back()) corners.push_back(last);
  double delta = (NaiveView(after) - NaiveView(before)) * s2;
  for (uint32_t rank = first; rank <= last; ++rank) {
    const uint32_t moved = from < to ? rank - 1 : rank + 1;
    delta += (NaiveView(moved) - NaiveView(rank)) * PolygonScore(curve, corners, rank);
  }
  return delta;
}

}  // namespace freshdex::test

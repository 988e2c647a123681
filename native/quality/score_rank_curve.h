// F_q: from a score to the rank that it has in the answer list of a query, and back, in a few floats (User-centric
// crawling, section 4.2).
//
// Log-log and piecewise linear. For a list of n >= 4 scores: [ln n, y_0 .. y_pieces], y_j = ln score at rank n^(j /
// pieces), strictly decreasing, so that the curve can be inverted. For n < 4 the scores themselves, descending, then
// zeros. Bytes: docs/refresh-model.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace freshdex::quality {

inline constexpr uint32_t kMinPieces = 1, kMaxPieces = 8, kExactBelow = 4;

// A view; it does not own the values.
struct ScoreRankCurve {
  uint32_t n = 0;                 // length of the list that it was fitted on
  std::span<const float> values;  // pieces + 2

  uint32_t pieces() const { return static_cast<uint32_t>(values.size()) - 2; }
  // One knot: its rank (not whole), and the logarithm of its score. REQUIRES: n >= kExactBelow, j <= pieces().
  double KnotRank(uint32_t j) const;
  double KnotLogScore(uint32_t j) const { return values[j + 1]; }

  // The continuous rank of a score, in [1, n]: 1 above the list's maximum, n below its minimum. In an exact list, a
  // score that several pages have gets the last of their ranks. REQUIRES: n >= 1, score > 0.
  double RankOf(double score) const;
  // ln of that rank; infinite below the list's minimum. REQUIRES: n >= kExactBelow.
  double LogRankOf(double log_score) const;
  // The inverse. REQUIRES: n >= 1, 1 <= rank <= n.
  double ScoreAt(double rank) const;
  // For bytes from outside. All that the other functions rely on, n < 2^32 - 1 included.
  bool IsWellFormed() const;
};

// Fits curves of many lists, keeping what they have in common.
class CurveFitter {
 public:
  // `scores` is the whole answer list, descending, at least one score, all > 0 and finite. Decreasing least squares on
  // ln score with weights r^-1/2 when every piece has two ranks, that is n >= 2^pieces; InterpolateCurve otherwise.
  // REQUIRES: kMinPieces <= pieces <= kMaxPieces, values.size() == pieces + 2.
  void Fit(std::span<const float> scores, uint32_t pieces, std::span<float> values);
  // Of the list that was fitted last, if n >= kExactBelow.
  std::span<const double> log_scores() const { return log_scores_; }
  // ln(rank + 1/2), for ranks of lists that were fitted.
  double LogOfHalfAbove(uint32_t rank1) const { return ranks_[rank1].log_half; }

 private:
  struct Rank {
    double log;
    double log_half;  // of the rank + 1/2
    double weight;    // rank^-1/2
  };

  void ExtendRanks(size_t n);
  void TakeLogs(std::span<const float> scores);

  std::vector<Rank> ranks_;  // by rank, from 0 on
  std::vector<double> log_scores_;
};

inline void FitCurve(std::span<const float> scores, uint32_t pieces, std::span<float> values) {
  CurveFitter().Fit(scores, pieces, values);
}

// The same form with the list's own scores at the knots, log-log interpolated where the rank of a knot is not whole.
void InterpolateCurve(std::span<const float> scores, uint32_t pieces, std::span<float> values);

}  // namespace freshdex::quality

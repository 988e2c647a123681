#include "native/quality/score_rank_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace freshdex::quality {
namespace {

using Knots = std::array<double, kMaxPieces + 1>;

// Smallest drop of ln score from knot to knot: a flat list must stay invertible.
constexpr double kMinDrop = 1e-6;

double ExactRankOf(std::span<const float> scores, double score) {
  size_t reached = 0;
  while (reached < scores.size() && scores[reached] >= score) ++reached;
  if (reached == 0) return 1;
  if (reached == scores.size()) return static_cast<double>(reached);
  const double above = scores[reached - 1], below = scores[reached];
  return static_cast<double>(reached) + (above - score) / (above - below);
}

double ExactScoreAt(std::span<const float> scores, double rank) {
  const auto whole = static_cast<size_t>(rank);
  if (whole >= scores.size()) return scores.back();
  const double above = scores[whole - 1], below = scores[whole];
  return above + (below - above) * (rank - static_cast<double>(whole));
}

bool IsExactList(uint32_t n, std::span<const float> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    const float value = values[i];
    if (i >= n ? value != 0 : !std::isfinite(value) || value <= 0 || (i > 0 && value > values[i - 1])) return false;
  }
  return true;
}

void WriteExactList(std::span<const float> scores, std::span<float> values) {
  std::fill(values.begin(), values.end(), 0.0f);
  std::copy(scores.begin(), scores.end(), values.begin());
}

// Makes the knots strictly decreasing as float32, each a little below the one before where it was not.
void WriteKnots(size_t n, const Knots& knots, std::span<float> values) {
  values[0] = static_cast<float>(std::log(static_cast<double>(n)));
  values[1] = static_cast<float>(knots[0]);
  for (size_t i = 2; i < values.size(); ++i) {
    const float before = values[i - 1];
    const auto value = static_cast<float>(std::min(knots[i - 1], before - kMinDrop));
    values[i] = value < before ? value : std::nextafter(before, -std::numeric_limits<float>::infinity());
  }
}

// ln score at a rank that need not be whole.
double InterpolateLog(std::span<const float> scores, double log_rank) {
  const double n = static_cast<double>(scores.size());
  const double whole = std::clamp(std::floor(std::exp(log_rank)), 1.0, n);
  const double above = std::log(double{scores[static_cast<size_t>(whole) - 1]});
  if (whole == n) return above;
  const double below = std::log(double{scores[static_cast<size_t>(whole)]});
  const double fraction = (log_rank - std::log(whole)) / std::log1p(1 / whole);
  return above + (below - above) * std::clamp(fraction, 0.0, 1.0);
}

// The normal equations of the knots: symmetric and tridiagonal, since a rank lies between two knots and its ln score is
// a mixture of theirs.
class NormalEquations {
 public:
  // A rank in piece j: `right` is how much of the mixture is knot j + 1.
  void Add(uint32_t j, double right, double weight, double log_score) {
    const double left = 1 - right;
    diagonal_[j] += weight * left * left;
    beside_[j] += weight * left * right;
    diagonal_[j + 1] += weight * right * right;
    sums_[j] += weight * left * log_score;
    sums_[j + 1] += weight * right * log_score;
  }

  // The best knots that do not rise. While some do, the two that rise most become one and all are solved anew: answer
  // lists often have a step at the top and a plateau behind it, which straight pieces overshoot.
  Knots Solve(uint32_t pieces) {
    std::array<uint32_t, kMaxPieces + 1> group{};  // by knot: its variable
    for (uint32_t j = 0; j <= pieces; ++j) group[j] = j;
    for (uint32_t last = pieces;; --last) {
      const Knots solved = SolveVariables(last);
      uint32_t worst = last;
      for (uint32_t j = 0; j < last; ++j) {
        if (solved[j + 1] > solved[j] &&
            (worst == last || solved[j + 1] - solved[j] > solved[worst + 1] - solved[worst]))
          worst = j;
      }
      if (worst == last) {
        Knots knots{};
        for (uint32_t j = 0; j <= pieces; ++j) knots[j] = solved[group[j]];
        return knots;
      }
      Merge(worst, last);
      for (uint32_t j = 0; j <= pieces; ++j) group[j] -= group[j] > worst;
    }
  }

 private:
  // Gauss without pivots: the matrix is positive definite when every piece has two ranks.
  Knots SolveVariables(uint32_t last) const {
    Knots diagonal = diagonal_, sums = sums_;
    for (uint32_t j = 0; j < last; ++j) {
      const double factor = beside_[j] / diagonal[j];
      diagonal[j + 1] -= factor * beside_[j];
      sums[j + 1] -= factor * sums[j];
    }
    Knots solved{};
    solved[last] = sums[last] / diagonal[last];
    for (uint32_t j = last; j-- > 0;) solved[j] = (sums[j] - beside_[j] * solved[j + 1]) / diagonal[j];
    return solved;
  }

  // Variables j and j + 1 become one.
  void Merge(uint32_t j, uint32_t last) {
    diagonal_[j] += diagonal_[j + 1] + 2 * beside_[j];
    sums_[j] += sums_[j + 1];
    for (uint32_t i = j; i < last; ++i) {
      beside_[i] = beside_[i + 1];
      if (i == j) continue;
      diagonal_[i] = diagonal_[i + 1];
      sums_[i] = sums_[i + 1];
    }
  }

  Knots diagonal_{}, beside_{}, sums_{};
};

}  // namespace

double ScoreRankCurve::KnotRank(uint32_t j) const { return std::exp(values[0] * (static_cast<double>(j) / pieces())); }

double ScoreRankCurve::LogRankOf(double log_score) const {
  if (log_score >= KnotLogScore(0)) return 0;
  if (log_score < KnotLogScore(pieces())) return std::numeric_limits<double>::infinity();
  uint32_t j = 0;
  while (log_score < KnotLogScore(j + 1)) ++j;
  const double fraction = (KnotLogScore(j) - log_score) / (KnotLogScore(j) - KnotLogScore(j + 1));
  return (j + fraction) / pieces() * values[0];
}

double ScoreRankCurve::RankOf(double score) const {
  if (n < kExactBelow) return ExactRankOf(values.first(n), score);
  return std::clamp<double>(std::exp(LogRankOf(std::log(score))), 1, n);
}

double ScoreRankCurve::ScoreAt(double rank) const {
  if (n < kExactBelow) return ExactScoreAt(values.first(n), rank);
  // ln n is kept as float32, so that the last rank may lie a little beyond the last knot.
  const double place = std::min<double>(std::log(rank) / values[0] * pieces(), pieces());
  const uint32_t j = std::min(static_cast<uint32_t>(place), pieces() - 1);
  return std::exp(KnotLogScore(j) + (KnotLogScore(j + 1) - KnotLogScore(j)) * (place - j));
}

bool ScoreRankCurve::IsWellFormed() const {
  if (n == 0 && values.empty()) return true;
  if (values.size() < kMinPieces + 2 || values.size() > kMaxPieces + 2 || n == std::numeric_limits<uint32_t>::max())
    return false;
  if (n < kExactBelow) return IsExactList(n, values);
  if (values[0] != static_cast<float>(std::log(static_cast<double>(n)))) return false;
  for (size_t i = 1; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || (i > 1 && !(values[i] < values[i - 1]))) return false;
  }
  return true;
}

void CurveFitter::ExtendRanks(size_t n) {
  while (ranks_.size() <= n) {
    const double rank = static_cast<double>(ranks_.size());
    ranks_.push_back({std::log(rank), std::log(rank + 0.5), 1 / std::sqrt(rank)});
  }
}

void CurveFitter::TakeLogs(std::span<const float> scores) {
  log_scores_.resize(scores.size());
  for (size_t i = 0; i < scores.size(); ++i) {
    // Neighbours often have equal scores: lengths and frequencies are small whole numbers.
    const bool is_known = i > 0 && scores[i] == scores[i - 1];
    log_scores_[i] = is_known ? log_scores_[i - 1] : std::log(double{scores[i]});
  }
}

void CurveFitter::Fit(std::span<const float> scores, uint32_t pieces, std::span<float> values) {
  if (scores.size() < kExactBelow) return WriteExactList(scores, values);
  ExtendRanks(scores.size());
  TakeLogs(scores);
  if (scores.size() < size_t{1} << pieces) return InterpolateCurve(scores, pieces, values);
  NormalEquations equations;
  const double pieces_per_log = pieces / ranks_[scores.size()].log;
  for (size_t i = 0; i < scores.size(); ++i) {
    const double place = ranks_[i + 1].log * pieces_per_log;
    const uint32_t j = std::min(static_cast<uint32_t>(place), pieces - 1);
    equations.Add(j, place - j, ranks_[i + 1].weight, log_scores_[i]);
  }
  WriteKnots(scores.size(), equations.Solve(pieces), values);
}

void InterpolateCurve(std::span<const float> scores, uint32_t pieces, std::span<float> values) {
  if (scores.size() < kExactBelow) return WriteExactList(scores, values);
  const double log_n = std::log(static_cast<double>(scores.size()));
  Knots knots{};
  for (uint32_t j = 0; j <= pieces; ++j) knots[j] = InterpolateLog(scores, log_n * j / pieces);
  WriteKnots(scores.size(), knots, values);
}

}  // namespace freshdex::quality

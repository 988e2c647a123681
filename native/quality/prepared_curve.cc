#include "native/quality/prepared_curve.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace freshdex::quality {
namespace {

constexpr uint32_t kLogRanks = 1024;

// ln r of the ranks that nearly all shifts are about.
double LogRank(uint32_t rank1) {
  static const std::vector<double> table = [] {
    std::vector<double> logs(kLogRanks + 1, 0.0);
    for (uint32_t rank = 1; rank <= kLogRanks; ++rank) logs[rank] = std::log(static_cast<double>(rank));
    return logs;
  }();
  return rank1 <= kLogRanks ? table[rank1] : std::log(static_cast<double>(rank1));
}

uint32_t WholeRank(double rank) { return static_cast<uint32_t>(rank + 0.5); }

}  // namespace

PreparedCurve::PreparedCurve(const ScoreRankCurve& curve, double weight)
    : n_(curve.n), is_short_(curve.n >= kExactBelow && curve.pieces() == kPieces), weight_(weight) {
  if (!is_short_) return;
  log_n_ = curve.values[0];
  std::copy_n(curve.values.begin() + 1, kPieces + 1, log_scores_.begin());
  for (uint32_t j = 1; j < kPieces; ++j) {
    knot_ranks_[j - 1] = std::min(curve.n, static_cast<uint32_t>(curve.KnotRank(j)));
    knot_scores_[j - 1] = curve.ScoreAt(knot_ranks_[j - 1]);
  }
}

// ScoreRankCurve::RankOf() of a logarithm.
double PreparedCurve::RankOf(double log_score) const {
  if (log_score >= log_scores_[0]) return 1;
  if (log_score < log_scores_[kPieces]) return n_;
  const uint32_t j = uint32_t{log_score < log_scores_[1]} + uint32_t{log_score < log_scores_[2]};
  const double above = log_scores_[j], below = log_scores_[j + 1];
  const double fraction = (above - log_score) / (above - below);
  return std::clamp<double>(std::exp((j + fraction) / kPieces * log_n_), 1, n_);
}

double PreparedCurve::ScoreAt(uint32_t rank1) const {
  const double place = std::min<double>(LogRank(rank1) / log_n_ * kPieces, kPieces);
  const uint32_t j = std::min(static_cast<uint32_t>(place), kPieces - 1);
  const double above = log_scores_[j], below = log_scores_[j + 1];
  return std::exp(above + (below - above) * (place - j));
}

double PreparedCurve::Displaced(const ViewLikelihood& view, uint32_t from, uint32_t to) const {
  if (from == to) return 0;
  const bool falls = from < to;
  const uint32_t first = falls ? from + 1 : to, last = falls ? to : from - 1;
  const uint32_t offset = falls ? 0 : 1;
  const double first_score = ScoreAt(first);
  uint32_t rank = first;
  double score = first_score, middle = 0;
  for (uint32_t j = 1; rank < last; ++j) {
    const bool is_knot = j < kPieces && knot_ranks_[j - 1] < last;
    const uint32_t next = is_knot ? knot_ranks_[j - 1] : last;
    if (next <= rank) continue;
    const double next_score = is_knot ? knot_scores_[j - 1] : ScoreAt(last);
    middle += view.Sum(rank + offset, next - 1 + offset) * ((score - next_score) / (next - rank));
    rank = next;
    score = next_score;
  }
  const double gain = view.At(std::min(from, to)) * first_score - middle - view.At(std::max(from, to)) * score;
  return falls ? gain : -gain;
}

RankShift PreparedCurve::Estimate(const ViewLikelihood& view, double s1, double s2) const {
  const uint32_t before = s1 > 0 ? WholeRank(RankOf(std::log(s1))) : 0;
  const double log_after = s2 > 0 ? std::log(s2) : 0;
  const double rank = s2 > 0 ? RankOf(log_after) : 0;
  uint32_t after = 0;
  if (s2 > 0) {
    if (s1 == s2) {
      after = before;
    } else if (s2 < s1) {
      after = std::max(before, static_cast<uint32_t>(rank));
    } else {
      after = static_cast<uint32_t>(std::ceil(rank));
      if (before > 0) {
        after = std::min(before, after);
      } else if (after == n_ && log_after < log_scores_[kPieces]) {
        after = n_ + 1;
      }
    }
  }
  if (before == after) return {before, after, 0, WholeRank(rank)};
  const double self = (view.At(after) - view.At(before)) * s2;
  const double displaced = Displaced(view, before > 0 ? before : n_ + 1, after > 0 ? after : n_);
  return {before, after, std::max(0.0, self + displaced), WholeRank(rank)};
}

}  // namespace freshdex::quality

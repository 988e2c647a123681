// A score→rank curve with what many estimates share worked out once: ΔQ_A of a score shift with four to six logarithms
// and exponentials instead of up to fourteen, and all of it in one cache line. The results are those of
// EstimateDeltaQuality(), to the last bit.
#pragma once

#include <array>
#include <cstdint>

#include "native/quality/delta_quality.h"
#include "native/quality/score_rank_curve.h"
#include "native/quality/view_likelihood.h"

namespace freshdex::quality {

class alignas(64) PreparedCurve {
 public:
  static constexpr uint32_t kPieces = 3;  // the only number of pieces that has a short way

  PreparedCurve() = default;
  // `weight` is that of the query: it lies beside, and is no part of the estimate.
  PreparedCurve(const ScoreRankCurve& curve, double weight);
  double weight() const { return weight_; }

  // Whether Estimate() can be asked: a curve of kPieces pieces, and a list that is not kept score by score.
  bool is_short() const { return is_short_; }
  uint32_t n() const { return n_; }
  // As EstimateDeltaQuality() has it. REQUIRES: is_short(), and s1 or s2 above 0.
  RankShift Estimate(const ViewLikelihood& view, double s1, double s2) const;

 private:
  double RankOf(double log_score) const;
  double ScoreAt(uint32_t rank1) const;
  double Displaced(const ViewLikelihood& view, uint32_t from, uint32_t to) const;

  uint32_t n_ = 0;
  bool is_short_ = false;
  float log_n_ = 0;
  std::array<float, kPieces + 1> log_scores_{};     // at the knots
  std::array<uint32_t, kPieces - 1> knot_ranks_{};  // the whole ranks below the knots inside
  std::array<double, kPieces - 1> knot_scores_{};   // at these ranks
  double weight_ = 0;
};
static_assert(sizeof(PreparedCurve) == 64);

}  // namespace freshdex::quality

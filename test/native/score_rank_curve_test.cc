#include "native/quality/score_rank_curve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_answer_list.h"

namespace freshdex::quality {
namespace {

using test::Random;

using Fit = void (*)(std::span<const float>, uint32_t, std::span<float>);

std::vector<float> Values(const std::vector<float>& scores, uint32_t pieces, Fit fit) {
  std::vector<float> values(pieces + 2, -1);
  fit(scores, pieces, values);
  return values;
}

ScoreRankCurve View(const std::vector<float>& scores, const std::vector<float>& values) {
  return {static_cast<uint32_t>(scores.size()), values};
}

// Weighted squared error of the knots that are given, by the definition.
double Loss(const std::vector<float>& scores, uint32_t pieces, const std::vector<double>& knots) {
  double loss = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    const double rank = static_cast<double>(i + 1);
    const double place = pieces * std::log(rank) / std::log(static_cast<double>(scores.size()));
    double value = 0;
    for (size_t j = 0; j < knots.size(); ++j)
      value += knots[j] * std::max(0.0, 1 - std::abs(place - static_cast<double>(j)));
    loss += std::pow(rank, -0.5) * std::pow(std::log(static_cast<double>(scores[i])) - value, 2);
  }
  return loss;
}

// The reference was computed from scores in doubles: 4.2 as float32 makes the second knot one unit less in its last
// place, 0x3fb7b0d9.
TEST(ScoreRankCurve, InterpolatesTheReferenceList) {
  const std::vector<float> scores{8,    5,     4.2f, 3.3f,  2.9f, 2.5f,  2,    1.7f,  1.5f,
                                  1.2f, 1.1f,  1,    0.9f,  0.8f, 0.75f, 0.7f, 0.6f,  0.55f,
                                  0.5f, 0.45f, 0.4f, 0.35f, 0.3f, 0.25f, 0.2f, 0.15f, 0.1f};
  std::vector<uint32_t> bits;
  for (const float value : Values(scores, 3, InterpolateCurve)) bits.push_back(std::bit_cast<uint32_t>(value));
  EXPECT(bits == (std::vector<uint32_t>{0x4052eefe, 0x40051592, 0x3fb7b0d9, 0x3ecf991f, 0xc0135d8e}));
}

TEST(ScoreRankCurve, KeepsShortListsAsTheyAre) {
  for (const Fit fit : {FitCurve, InterpolateCurve}) {
    EXPECT(Values({2}, 3, fit) == (std::vector<float>{2, 0, 0, 0, 0}));
    EXPECT(Values({2, 2}, 1, fit) == (std::vector<float>{2, 2, 0}));
    EXPECT(Values({3, 2, 0.5f}, 1, fit) == (std::vector<float>{3, 2, 0.5f}));
  }
}

TEST(ScoreRankCurve, ReadsShortLists) {
  const std::vector<float> scores{4, 2, 2}, values{4, 2, 2};
  const ScoreRankCurve curve = View(scores, values);
  EXPECT_EQ(curve.RankOf(9), 1.0);
  EXPECT_EQ(curve.RankOf(4), 1.0);
  EXPECT_EQ(curve.RankOf(3), 1.5);
  EXPECT_EQ(curve.RankOf(2), 3.0);
  EXPECT_EQ(curve.RankOf(1), 3.0);
  EXPECT_EQ(curve.ScoreAt(1), 4.0);
  EXPECT_EQ(curve.ScoreAt(1.25), 3.5);
  EXPECT_EQ(curve.ScoreAt(2.5), 2.0);
  EXPECT_EQ(curve.ScoreAt(3), 2.0);
}

// ln score linear in ln rank is on every curve, whatever its pieces.
TEST(ScoreRankCurve, FindsAPowerLaw) {
  std::vector<float> scores;
  for (int rank = 1; rank <= 1000; ++rank) scores.push_back(static_cast<float>(7 * std::pow(rank, -0.8)));
  for (uint32_t pieces = kMinPieces; pieces <= kMaxPieces; ++pieces) {
    const std::vector<float> values = Values(scores, pieces, FitCurve);
    for (const double rank : {1.0, 1.5, 12.0, 333.3, 1000.0}) {
      EXPECT(std::abs(View(scores, values).ScoreAt(rank) / (7 * std::pow(rank, -0.8)) - 1) < 2e-6);
      EXPECT(std::abs(View(scores, values).RankOf(7 * std::pow(rank, -0.8)) / rank - 1) < 2e-6);
    }
  }
}

TEST(ScoreRankCurve, HasTheLeastSquares) {
  Random random;
  for (size_t round = 0; round < test::Rounds(60); ++round) {
    const auto pieces = static_cast<uint32_t>(random.Between(kMinPieces, kMaxPieces));
    const std::vector<float> scores =
        test::RandomAnswerList(&random, (size_t{1} << pieces) + 2 + random.Below(500), 0.8);
    const std::vector<float> values = Values(scores, pieces, FitCurve);
    std::vector<double> knots(values.begin() + 1, values.end());
    // Where knots had to be pushed down, or are coarse, they are not the best.
    bool is_free = true;
    for (size_t j = 1; j < knots.size(); ++j) is_free = is_free && knots[j] < knots[j - 1] - 1e-5;
    if (!is_free) continue;
    const double least = Loss(scores, pieces, knots);
    for (double& knot : knots) {
      const double fitted = knot;
      for (const double step : {-0.01, 0.01}) {
        knot = fitted + step;
        EXPECT(Loss(scores, pieces, knots) > least);
      }
      knot = fitted;
    }
  }
}

TEST(ScoreRankCurve, InterpolatesWhereAPieceHasTooFewRanks) {
  Random random;
  for (uint32_t pieces = 2; pieces <= kMaxPieces; ++pieces) {
    for (const size_t n : {size_t{4}, (size_t{1} << pieces) - 1, size_t{1} << pieces}) {
      const std::vector<float> scores = test::RandomAnswerList(&random, n, 1);
      EXPECT_EQ(Values(scores, pieces, FitCurve) == Values(scores, pieces, InterpolateCurve), n < size_t{1} << pieces);
    }
  }
}

TEST(ScoreRankCurve, TakesTheListsScoresAtItsKnots) {
  const std::vector<float> scores{9, 7, 4, 3};
  const std::vector<float> values = Values(scores, 4, InterpolateCurve);
  // Knots at 1, sqrt 2, 2, 2 sqrt 2, 4.
  EXPECT(std::abs(values[1] - std::log(9)) < 1e-6);
  EXPECT(std::abs(values[2] - (std::log(9) + std::log(7)) / 2) < 1e-6);
  EXPECT(std::abs(values[3] - std::log(7)) < 1e-6);
  EXPECT(std::abs(values[4] - (std::log(7) + std::log(4.0 / 7) * std::log(std::sqrt(2)) / std::log(1.5))) < 1e-6);
  EXPECT(std::abs(values[5] - std::log(3)) < 1e-6);
}

TEST(ScoreRankCurve, InvertsWhateverTheList) {
  Random random;
  for (size_t round = 0; round < test::Rounds(3000); ++round) {
    const size_t n = random.Chance(0.5) ? random.Between(1, 8) : random.Between(1, 700);
    const std::vector<float> scores = test::RandomAnswerList(&random, n);
    const auto pieces = static_cast<uint32_t>(random.Between(kMinPieces, kMaxPieces));
    for (const Fit fit : {FitCurve, InterpolateCurve}) {
      const std::vector<float> values = Values(scores, pieces, fit);
      const ScoreRankCurve curve = View(scores, values);
      EXPECT(curve.IsWellFormed());
      double before = std::numeric_limits<double>::infinity();
      for (int i = 0; i <= 20; ++i) {
        const double rank = i == 20 ? static_cast<double>(n) : 1 + static_cast<double>(n - 1) * i / 20;
        const double score = curve.ScoreAt(rank);
        EXPECT(score > 0 && score <= before);
        before = score;
        const double again = curve.RankOf(score);
        EXPECT(again >= 1 && again <= static_cast<double>(n));
        // A short list may be flat: no curve, and a tie is as good as its last rank.
        EXPECT(n < kExactBelow ? curve.ScoreAt(again) == score || std::abs(again - rank) < 1e-6
                               : std::abs(again / rank - 1) < 1e-6);
      }
    }
  }
}

TEST(ScoreRankCurve, EndsWithItsList) {
  const std::vector<float> scores{8, 6, 5, 4, 2, 1};
  const std::vector<float> values = Values(scores, 3, FitCurve);
  const ScoreRankCurve curve = View(scores, values);
  for (const double score : {8.1, 1e30, 1e300, std::numeric_limits<double>::max()}) EXPECT_EQ(curve.RankOf(score), 1.0);
  for (const double score : {0.9, 1e-30, 1e-300, std::numeric_limits<double>::denorm_min()})
    EXPECT_EQ(curve.RankOf(score), 6.0);
}

TEST(ScoreRankCurve, SaysWhenItIsMalformed) {
  const float log5 = static_cast<float>(std::log(5.0)), nan = std::nanf(""),
              infinity = std::numeric_limits<float>::infinity();
  const auto is_good = [](uint32_t n, std::vector<float> values) { return ScoreRankCurve{n, values}.IsWellFormed(); };
  EXPECT(is_good(5, {log5, 2, 1}));
  EXPECT(is_good(5, {log5, 9, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT(!is_good(5, {log5, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT(!is_good(5, {log5, 2}));
  EXPECT(!is_good(5, {}));
  EXPECT(!is_good(6, {log5, 2, 1}));
  EXPECT(!is_good(5, {log5, 1, 1}));
  EXPECT(!is_good(5, {log5, 1, 2}));
  for (const float bad : {nan, infinity, -infinity}) {
    EXPECT(!is_good(5, {bad, 2, 1}));
    EXPECT(!is_good(5, {log5, bad, 1}));
    EXPECT(!is_good(5, {log5, 2, bad}));
    EXPECT(!is_good(2, {bad, 1, 0}));
  }
  EXPECT(is_good(0, {}));
  EXPECT(is_good(0, {0, 0, 0}));
  EXPECT(!is_good(0, {1, 0, 0}));
  EXPECT(!is_good(0, {0, 0}));
  EXPECT(is_good(2, {3, 3, 0}));
  EXPECT(!is_good(2, {3, 4, 0}));
  EXPECT(!is_good(2, {3, 0, 0}));
  EXPECT(!is_good(2, {3, -1, 0}));
  EXPECT(!is_good(2, {3, 2, 1}));
  EXPECT(!is_good(4294967295u, {static_cast<float>(std::log(4294967295.0)), 2, 1}));
}

}  // namespace
}  // namespace freshdex::quality

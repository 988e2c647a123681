#include "native/quality/prepared_curve.h"

#include <cstdint>
#include <vector>

#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_answer_list.h"

namespace freshdex::quality {
namespace {

using test::Random;

double RandomShiftScore(Random* random, const std::vector<float>& scores) {
  if (random->Chance(0.1)) return 0;
  if (random->Chance(0.4)) return random->Pick(scores);
  return static_cast<float>(random->Pick(scores) * (0.5 + random->Unit()));
}

TEST(PreparedCurve, GivesWhatTheCurveGives) {
  Random random;
  const ViewLikelihood natural;
  const double head[] = {3, 2, 2, 1};
  const ViewLikelihood::Support tail[] = {{40, 0.1}, {2000, 0.001}};
  const ViewLikelihood other = *ViewLikelihood::Make(head, tail);
  const ViewLikelihood closed = ViewLikelihood::ClosedFrom(5);
  size_t moved = 0;
  for (size_t round = 0; round < test::Rounds(4000); ++round) {
    const size_t n = random.Chance(0.1) ? random.Between(1000, 5000) : random.Between(1, 300);
    const auto pieces = static_cast<uint32_t>(random.Chance(0.9) ? 3 : random.Between(kMinPieces, kMaxPieces));
    const std::vector<float> scores = test::RandomAnswerList(&random, n);
    std::vector<float> values(pieces + 2);
    FitCurve(scores, pieces, values);
    const ScoreRankCurve curve{static_cast<uint32_t>(n), values};
    const double weight = random.Unit();
    const PreparedCurve prepared(curve, weight);
    EXPECT_EQ(prepared.n(), n);
    EXPECT_EQ(prepared.weight(), weight);
    EXPECT_EQ(prepared.is_short(), n >= kExactBelow && pieces == PreparedCurve::kPieces);
    if (!prepared.is_short()) continue;
    const ViewLikelihood& view = random.Chance(0.6) ? natural : random.Chance(0.5) ? other : closed;
    for (int shift = 0; shift < 10; ++shift) {
      const double s1 = RandomShiftScore(&random, scores), s2 = RandomShiftScore(&random, scores);
      if (s1 == 0 && s2 == 0) continue;
      const RankShift expected = EstimateDeltaQuality(curve, view, s1, s2);
      const RankShift actual = prepared.Estimate(view, s1, s2);
      EXPECT_EQ(actual.rank1_before, expected.rank1_before);
      EXPECT_EQ(actual.rank1_after, expected.rank1_after);
      EXPECT_EQ(actual.rank1_settled, expected.rank1_settled);
      EXPECT_EQ(actual.delta_quality, expected.delta_quality);
      moved += actual.delta_quality > 0;
    }
  }
  EXPECT(moved > 0);
}

}  // namespace
}  // namespace freshdex::quality

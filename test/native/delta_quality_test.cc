#include "native/quality/delta_quality.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/naive_delta_quality.h"
#include "test/native/random.h"
#include "test/native/random_answer_list.h"

namespace freshdex::quality {
namespace {

using test::Random;

bool IsNear(double actual, double expected, double scale) {
  return std::abs(actual - expected) <= 1e-9 * std::max(1.0, scale);
}

// The reference curve of 27 scores, from 8 to 0.1, with its bytes as they are.
constexpr float kReference[] = {0x1.a5ddfcp+1f, 0x1.0a2b24p+1f, 0x1.6f61b4p+0f, 0x1.9f323ep-2f, -0x1.26bb1cp+1f};
constexpr ScoreRankCurve kReferenceCurve{27, kReference};

struct Reference {
  const char* name;
  double s1, s2;
  uint32_t before, after;
  double exact_sums, closed_from_5;
};

constexpr Reference kReferences[] = {
    {"drop over pieces", 5.0, 0.5, 2, 14, 1.021993924670677, 1.0219394079241293},
    {"drop", 8.0, 1.6, 1, 8, 3.0585021407569633, 3.0584417730922224},
    {"small drop", 1.2, 1.05, 10, 10, 0, 0},
    {"rise", 0.4, 3.0, 15, 5, 0.07322638675636495, 0.07322647566144788},
    {"rise to top", 1.1, 9.0, 10, 1, 1.9882053019700585, 1.9882203599339388},
    {"rise one", 1.0, 1.15, 11, 11, 0, 0},
    {"no change", 2.5, 2.5, 5, 5, 0, 0},
    {"vanish", 4.2, 0, 3, 0, 0.4634467790724034, 0.4634354998040913},
    {"vanish last", 0.1, 0, 27, 0, 0, 0},
    {"new in the middle", 0, 1.3, 0, 10, 0.01985166019666616, 0.019851683013441212},
    {"new at the top", 0, 20.0, 0, 1, 13.246840467361995, 13.246855569387336},
    {"new below all", 0, 0.05, 0, 28, 0.00033746827947252433, 0.00033746827947252433},
    {"drop below all", 3.3, 0.01, 4, 27, 0.22981414172534342, 0.22981407081671687},
    {"tie with another", 1.5, 2.0, 9, 7, 0.003321635391601914, 0.003321635391601914},
};

TEST(DeltaQuality, AgreesWithTheReference) {
  const ViewLikelihood view;
  const ViewLikelihood closed = ViewLikelihood::ClosedFrom(5);
  EXPECT(kReferenceCurve.IsWellFormed());
  for (const Reference& reference : kReferences) {
    const RankShift shift = EstimateDeltaQuality(kReferenceCurve, view, reference.s1, reference.s2);
    EXPECT_EQ(
        std::string(reference.name) + " " + std::to_string(shift.rank1_before) + " " +
            std::to_string(shift.rank1_after),
        std::string(reference.name) + " " + std::to_string(reference.before) + " " + std::to_string(reference.after));
    EXPECT(IsNear(shift.delta_quality, reference.exact_sums, 1));
    EXPECT(IsNear(EstimateDeltaQuality(kReferenceCurve, closed, reference.s1, reference.s2).delta_quality,
                  reference.closed_from_5, 1));
  }
}

TEST(DeltaQuality, OfAPageThatIsAlone) {
  const ViewLikelihood view;
  const auto expect = [&](double s1, double s2, const RankShift& expected) {
    const RankShift shift = EstimateDeltaQuality({}, view, s1, s2);
    EXPECT_EQ(shift.rank1_before, expected.rank1_before);
    EXPECT_EQ(shift.rank1_after, expected.rank1_after);
    EXPECT_EQ(shift.delta_quality, expected.delta_quality);
    EXPECT_EQ(shift.rank1_settled, expected.rank1_settled);
  };
  expect(0, 0, {0, 0, 0, 0});
  expect(0, 2.5, {0, 1, 2.5, 1});
  expect(2, 0, {1, 0, 0, 0});
  expect(2, 3, {1, 1, 0, 1});
}

// What a move leaves behind is where the next one begins, so that stakes kept by shifts telescope.
TEST(DeltaQuality, SettlesWhereTheNextMoveBegins) {
  Random random;
  const ViewLikelihood view;
  for (size_t round = 0; round < test::Rounds(20000); ++round) {
    const std::vector<float> scores = test::RandomAnswerList(&random, 1 + random.Below(40));
    std::vector<float> values(5);
    FitCurve(scores, 3, values);
    const ScoreRankCurve curve{static_cast<uint32_t>(scores.size()), values};
    const float first = random.Chance(0.2) ? 0 : random.Pick(scores),
                second = random.Pick(scores) * static_cast<float>(0.5 + random.Unit());
    const RankShift there = EstimateDeltaQuality(curve, view, first, second);
    const RankShift back = EstimateDeltaQuality(curve, view, second, first);
    EXPECT_EQ(there.rank1_settled, back.rank1_before);
    EXPECT_EQ(back.rank1_settled, there.rank1_before);
  }
}

TEST(DeltaQuality, IsExactInShortLists) {
  Random random;
  const ViewLikelihood view;
  for (size_t round = 0; round < test::Rounds(20000); ++round) {
    std::vector<double> scores(random.Between(1, kExactBelow - 1));
    for (double& score : scores) score = static_cast<double>(random.Between(1, 4));
    std::sort(scores.rbegin(), scores.rend());
    std::vector<float> values(random.Between(kMinPieces, kMaxPieces) + 2);
    std::copy(scores.begin(), scores.end(), values.begin());
    // In a tie, the page is the last.
    size_t place = random.Below(scores.size() + 1);
    while (place + 1 < scores.size() && scores[place + 1] == scores[place]) ++place;
    const double s1 = place < scores.size() ? scores[place] : 0, s2 = static_cast<double>(random.Below(6));
    const test::NaiveShift exact = test::ExactDeltaQuality(scores, place, s2);
    const RankShift shift = EstimateDeltaQuality({static_cast<uint32_t>(scores.size()), values}, view, s1, s2);
    EXPECT_EQ(shift.rank1_before, exact.rank1_before);
    EXPECT_EQ(shift.rank1_after, exact.rank1_after);
    EXPECT(IsNear(shift.delta_quality, exact.delta_quality, 1));
    EXPECT(exact.delta_quality > -1e-12);
  }
}

TEST(DeltaQuality, ComparesShortListsAsTheyAreKept) {
  const ViewLikelihood view;
  const std::vector<float> values{0.7f, 0.3f, 0.1f};
  const RankShift same = EstimateDeltaQuality({3, values}, view, 0.3, 0.3);
  EXPECT_EQ(same.rank1_before, 2);
  EXPECT_EQ(same.rank1_after, 2);
  // Equal to a score of the list but for the last bits: behind it.
  EXPECT_EQ(EstimateDeltaQuality({3, values}, view, 0, 0.3).rank1_after, 3);
  EXPECT_EQ(EstimateDeltaQuality({3, values}, view, 0.7, 0.1).rank1_after, 3);
  // And harmless, though its last bits make it worth a little more than what passes it.
  EXPECT_EQ(EstimateDeltaQuality({3, values}, view, 0.3, double{values[2]} * (1 + 1e-9)).delta_quality, 0.0);
  EXPECT_EQ(EstimateDeltaQuality({3, values}, view, 1e-300, 1e300).rank1_before, 3);
  EXPECT_EQ(EstimateDeltaQuality({3, values}, view, 1e-300, 1e300).rank1_after, 1);
}

struct RandomMove {
  double s1, s2;
};

RandomMove MoveIn(Random* random, const std::vector<float>& scores) {
  const auto pick = [&]() -> double {
    const double kind = random->Unit();
    if (kind < 0.15) return 0;
    if (kind < 0.25) return double{scores.front()} * (1 + random->Unit());
    if (kind < 0.35) return double{scores.back()} * random->Unit();
    return double{random->Pick(scores)} * (random->Chance(0.5) ? 1 : 0.9 + 0.2 * random->Unit());
  };
  return {pick(), pick()};
}

TEST(DeltaQuality, AddsUpToWhatTheCurveSays) {
  Random random;
  const ViewLikelihood view;
  for (size_t round = 0; round < test::Rounds(4000); ++round) {
    const size_t n = random.Chance(0.4) ? random.Between(kExactBelow, 12)
                                        : random.Between(kExactBelow, random.Chance(0.1) ? 5000 : 400);
    const std::vector<float> scores = test::RandomAnswerList(&random, n);
    std::vector<float> values(random.Between(kMinPieces, kMaxPieces) + 2);
    FitCurve(scores, static_cast<uint32_t>(values.size() - 2), values);
    const ScoreRankCurve curve{static_cast<uint32_t>(n), values};
    const auto [s1, s2] = MoveIn(&random, scores);
    const RankShift shift = EstimateDeltaQuality(curve, view, s1, s2);
    EXPECT_EQ(shift.rank1_before == 0, s1 == 0);
    EXPECT_EQ(shift.rank1_after == 0, s2 == 0);
    EXPECT(shift.rank1_before <= n && shift.rank1_after <= n + (s1 == 0 ? 1 : 0));
    EXPECT(s1 == 0 || s2 == 0 ||
           (s2 > s1 ? shift.rank1_after <= shift.rank1_before : shift.rank1_after >= shift.rank1_before));
    EXPECT(shift.delta_quality >= 0);
    if (shift.rank1_before == shift.rank1_after) {
      EXPECT_EQ(shift.delta_quality, 0.0);
      continue;
    }
    const double expected = test::PolygonDeltaQuality(curve, shift.rank1_before, shift.rank1_after, s2);
    EXPECT(IsNear(shift.delta_quality, std::max(0.0, expected), std::max({s1, s2, curve.ScoreAt(1)})));
  }
}

// Where a list is on its curve, the ranks of a move are those of the list.
TEST(DeltaQuality, FindsTheRanksOfAPowerLaw) {
  Random random;
  const ViewLikelihood view;
  std::vector<float> scores;
  for (int rank = 1; rank <= 500; ++rank) scores.push_back(static_cast<float>(9 * std::pow(rank, -0.7)));
  std::vector<float> values(5);
  FitCurve(scores, 3, values);
  const std::vector<double> exact_scores(scores.begin(), scores.end());
  for (size_t round = 0; round < test::Rounds(2000); ++round) {
    const size_t place = random.Below(scores.size() + 1);
    const double s1 = place < scores.size() ? exact_scores[place] : 0;
    const double between = static_cast<double>(random.Below(scores.size() + 1)) + 0.2 + 0.6 * random.Unit();
    const double s2 = random.Chance(0.1) ? 0 : 9 * std::pow(between, -0.7);
    const test::NaiveShift exact = test::ExactDeltaQuality(exact_scores, place, s2);
    const RankShift shift = EstimateDeltaQuality({500, values}, view, s1, s2);
    EXPECT_EQ(shift.rank1_before, exact.rank1_before);
    EXPECT_EQ(shift.rank1_after, exact.rank1_after);
    EXPECT(exact.delta_quality > -1e-12);
  }
}

TEST(DeltaQuality, HandlesTheLongestLists) {
  const ViewLikelihood view;
  const uint32_t n = 4294967294u;
  const float values[] = {static_cast<float>(std::log(double{n})), 2, 1, -1, -9};
  const ScoreRankCurve curve{n, values};
  EXPECT(curve.IsWellFormed());
  for (const double s1 : {0.0, 1e-9, 0.01, 1.0, 7.0, 9.0}) {
    for (const double s2 : {0.0, 1e-9, 0.01, 1.0, 7.0, 9.0}) {
      const RankShift shift = EstimateDeltaQuality(curve, view, s1, s2);
      EXPECT(std::isfinite(shift.delta_quality) && shift.delta_quality >= 0);
      if (s1 > 0) EXPECT(shift.rank1_before >= 1 && shift.rank1_before <= n);
    }
  }
  EXPECT_EQ(EstimateDeltaQuality(curve, view, 0, 1e-9).rank1_after, n + 1);
  EXPECT_EQ(EstimateDeltaQuality(curve, view, 1, 1e-9).rank1_after, n);
}

}  // namespace
}  // namespace freshdex::quality

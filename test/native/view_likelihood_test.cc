#include "native/quality/view_likelihood.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::quality {
namespace {

using Support = ViewLikelihood::Support;
using test::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool IsWithin(double actual, double expected, double relative) {
  return std::abs(actual - expected) <= relative * std::abs(expected);
}

double SumOneByOne(const ViewLikelihood& view, uint32_t first, uint32_t last) {
  double sum = 0;
  for (uint32_t rank = last; rank >= first && rank > 0; --rank) sum += view.At(rank);
  return sum;
}

bool IsAccepted(std::vector<double> head, std::vector<Support> tail) {
  return ViewLikelihood::Make(head, tail).has_value();
}

TEST(ViewLikelihood, IsThePapersByDefault) {
  const ViewLikelihood view;
  EXPECT_EQ(view.At(0), 0.0);
  for (const uint32_t rank : {1u, 2u, 3u, 1023u, 1024u, 1025u, 5000000u, 4294967295u})
    EXPECT(IsWithin(view.At(rank), std::pow(rank, -1.5), 1e-14));
}

TEST(ViewLikelihood, SumsAsManyRanksAsAsked) {
  const ViewLikelihood view;
  EXPECT_EQ(view.Sum(2, 1), 0.0);
  EXPECT_EQ(view.Sum(4000000000u, 1), 0.0);
  EXPECT_EQ(view.Sum(1, 1), 1.0);
  for (const uint32_t rank : {2u, 1000u, 1024u, 1025u, 70000u, 4294967295u})
    EXPECT(IsWithin(view.Sum(rank, rank), view.At(rank), 1e-11));
  // zeta(3/2) less the rest of the series, 2 / sqrt(n + 1/2) to the third order.
  EXPECT(IsWithin(view.Sum(1, 4294967295u), 2.612375348685488 - 2 / std::sqrt(4294967295.5), 1e-12));
}

TEST(ViewLikelihood, SumsToWhatTheTermsDo) {
  Random random;
  const ViewLikelihood view;
  for (size_t round = 0; round < test::Rounds(2000); ++round) {
    const auto first = static_cast<uint32_t>(random.Chance(0.5) ? random.Between(1, 1100) : random.Between(1, 200000));
    const auto last = static_cast<uint32_t>(first + random.Below(random.Chance(0.5) ? 40 : 20000));
    EXPECT(IsWithin(view.Sum(first, last), SumOneByOne(view, first, last), 1e-10));
  }
}

// The reference sums of r^-3/2 from i to j: exact and by the closed form.
TEST(ViewLikelihood, AgreesWithReferenceSums) {
  struct Reference {
    uint32_t first, last;
    double exact, closed;
  };
  const ViewLikelihood view;
  for (const Reference& reference : std::vector<Reference>{{1, 1, 1.0, 1.0},
                                                           {1, 10, 1.9953364933456017, 2.0079605715596447},
                                                           {2, 10, 0.9953364933456016, 0.9960479161414566},
                                                           {3, 50, 0.9773863885245386, 0.977508767002876},
                                                           {10, 100, 0.44916038195979874, 0.4491609550420388},
                                                           {10, 1000, 0.5854318861736574, 0.585432459274125},
                                                           {100, 10000, 0.18050174996927196, 0.18050174998750002}}) {
    const auto& [first, last, exact, closed] = reference;
    EXPECT(std::abs(view.Sum(first, last) - exact) < 1e-12);
    EXPECT(std::abs(view.At(first) * EulerMaclaurinSum(1.5, first, last) - closed) < 1e-12);
    EXPECT(std::abs(ViewLikelihood::ClosedFrom(1).Sum(first, last) - closed) < 1e-12);
    EXPECT(std::abs(ViewLikelihood::ClosedFrom(last - first + 2).Sum(first, last) - exact) < 1e-12);
  }
}

TEST(EulerMaclaurinSum, TakesAnyExponent) {
  for (const double exponent : {0.0, 0.3, 1.0, 1.0 + 1e-12, 2.0, 7.5}) {
    double sum = 0;
    for (double rank = 3000; rank <= 9000; ++rank) sum += std::pow(rank / 3000, -exponent);
    EXPECT(IsWithin(EulerMaclaurinSum(exponent, 3000, 9000), sum, 1e-9));
  }
}

TEST(ViewLikelihood, TakesATable) {
  const std::vector<double> head{1, 0.5, 0.5, 0.25};
  const auto view = ViewLikelihood::Make(head, {});
  EXPECT(view.has_value());
  for (uint32_t rank = 1; rank <= 4; ++rank) EXPECT_EQ(view->At(rank), head[rank - 1]);
  EXPECT_EQ(view->At(5), 0.0);
  EXPECT_EQ(view->At(2000), 0.0);
  EXPECT_EQ(view->Sum(2, 3000), 1.25);
}

TEST(ViewLikelihood, JoinsPointsByPowerLaws) {
  const auto view = ViewLikelihood::Make(std::vector<double>{8, 4}, std::vector<Support>{{8, 1}, {3200, 0.5}});
  EXPECT(view.has_value());
  EXPECT(IsWithin(view->At(4), 2, 1e-14));
  EXPECT(IsWithin(view->At(8), 1, 1e-14));
  EXPECT(IsWithin(view->At(160), std::sqrt(0.5), 1e-14));
  EXPECT(IsWithin(view->At(1280000), 0.25, 1e-14));
  EXPECT(IsWithin(view->Sum(500, 5000), SumOneByOne(*view, 500, 5000), 1e-10));
}

TEST(ViewLikelihood, EndsWhereItIsTold) {
  for (const double end : {2000.5, 2001.0}) {
    const auto view = ViewLikelihood::Make(std::vector<double>{1}, std::vector<Support>{{1000, 0.5}, {end, 0}});
    EXPECT(view.has_value());
    EXPECT_EQ(view->At(2000), 0.5);
    EXPECT_EQ(view->At(2001), 0.0);
    EXPECT(IsWithin(view->Sum(1001, 4000), 500, 1e-12));
  }
  EXPECT(IsAccepted({1, 0, 0}, {{7, 0}, {9, 0}}));
}

TEST(ViewLikelihood, RefusesWhatIsNoLikelihood) {
  EXPECT(!IsAccepted({}, {}));
  EXPECT(!IsAccepted({}, {{5, 1}}));
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) EXPECT(!IsAccepted({bad}, {}));
  for (const double bad : {-0.1, 1.1, kNan, kInfinity}) {
    EXPECT(!IsAccepted({1, bad}, {}));
    EXPECT(!IsAccepted({1}, {{2, bad}}));
    EXPECT(!IsAccepted({1}, {{2, 0.5}, {3, bad}}));
  }
  for (const double bad : {-5.0, 0.0, 1.0, 2.0, kNan, kInfinity}) EXPECT(!IsAccepted({1, 1}, {{bad, 0.5}}));
  EXPECT(!IsAccepted({1}, {{4, 0.5}, {4, 0.4}}));
  EXPECT(!IsAccepted({1, 0}, {{4, 0.5}}));
  // Would never reach 0.
  EXPECT(!IsAccepted({1}, {{4, 1}}));
  EXPECT(!IsAccepted({1}, {{4, 0.5}, {8, 0.5}}));
  // Sums beyond the largest double.
  EXPECT(!IsAccepted({1e308, 1e308}, {}));
}

std::optional<ViewLikelihood> RandomView(Random* random) {
  std::vector<double> head(random->Between(1, 5));
  double value = 1;
  for (double& item : head) item = value *= random->Chance(0.3) ? 1 : random->Unit();
  std::vector<Support> tail(random->Below(5));
  double rank = static_cast<double>(head.size());
  for (Support& point : tail) {
    rank += random->Chance(0.3) ? 0.25 : 1500 * random->Unit();
    const double pick = random->Unit();
    value = pick < 0.1 ? 0 : pick < 0.2 ? value * 1e-30 : value * random->Unit();
    point = {rank, value};
  }
  return ViewLikelihood::Make(head, tail);
}

TEST(ViewLikelihood, NeverRisesAndSumsItsTerms) {
  Random random;
  for (size_t round = 0; round < test::Rounds(300); ++round) {
    const auto view = RandomView(&random);
    EXPECT(view.has_value());
    for (uint32_t rank = 1; rank < 6000; ++rank)
      EXPECT(view->At(rank + 1) <= view->At(rank) * (1 + 1e-12) && view->At(rank) >= 0);
    for (int run = 0; run < 10; ++run) {
      const auto first = static_cast<uint32_t>(random.Between(1, 5000));
      const auto last = static_cast<uint32_t>(random.Between(first, 6000));
      const double sum = SumOneByOne(*view, first, last);
      EXPECT(IsWithin(view->Sum(first, last), sum, sum > 1e-290 ? 1e-6 : 1));
    }
  }
}

}  // namespace
}  // namespace freshdex::quality

#include "native/quality/stake_moves.h"

#include <cstdint>
#include <map>
#include <vector>

#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::quality {
namespace {

// The same sums to the last bit, however many amounts there are.
TEST(StakeMoves, AddsUpAsAMapWould) {
  for (uint64_t round = 0; round < test::Rounds(60); ++round) {
    test::Random random(4400 + round);
    const size_t documents = random.Between(1, random.Chance(0.5) ? 50 : 20'000);
    StakeMoves moves(documents);
    // Twice: it can be used again.
    for (int turn = 0; turn < 2; ++turn) {
      std::map<index::DocId, double> sums;
      for (size_t left = random.Below(random.Chance(0.5) ? 900 : 30'000); left > 0; --left) {
        const auto doc = static_cast<index::DocId>(random.Below(documents));
        const double amount = random.Chance(0.1) ? 0 : random.Unit() - 0.5;
        moves.Add(doc, amount);
        sums[doc] += amount;
        // Amounts that take each other away leave no move.
        if (random.Chance(0.02)) {
          moves.Add(doc, -sums[doc]);
          sums[doc] -= sums[doc];
        }
      }
      std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
      const std::vector<StakeMove> taken = moves.Take();
      EXPECT_EQ(taken.size(), sums.size());
      auto expected = sums.begin();
      for (size_t at = 0; at < taken.size() && expected != sums.end(); ++at, ++expected) {
        EXPECT_EQ(taken[at].doc, expected->first);
        EXPECT_EQ(taken[at].amount, expected->second);
      }
    }
  }
}

TEST(StakeMoves, HasNothingWithoutAmounts) {
  EXPECT(StakeMoves(0).Take().empty());
  EXPECT(StakeMoves(100'000).Take().empty());
}

}  // namespace
}  // namespace freshdex::quality

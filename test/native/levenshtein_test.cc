#include "native/score/levenshtein.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "test/native/edit_distance.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::score {
namespace {

using test::Random;
using Points = std::vector<char32_t>;

constexpr std::string_view kEditedLetters[] = {"a", "b", "\xC3\xA9", "\xE6\x9D\xB1", "\xF0\x9F\x98\x80"};

std::string RandomUtf8(Random* random, size_t longest) {
  std::string word;
  for (size_t left = random->Below(longest + 1); left > 0; --left) word += random->Pick(kEditedLetters);
  return word;
}

TEST(DecodeCodePoints, ReadsUtf8) {
  EXPECT(DecodeCodePoints("") == Points{});
  EXPECT(DecodeCodePoints("a\xC3\xA9\xE6\x9D\xB1\xF0\x9F\x98\x80z") == (Points{'a', 0xE9, 0x6771, 0x1F600, 'z'}));
  EXPECT(DecodeCodePoints("\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF") ==
         (Points{0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF}));
}

TEST(DecodeCodePoints, CountsEachInvalidByteAsOne) {
  EXPECT(DecodeCodePoints("\x80") == Points{0x110080});
  EXPECT(DecodeCodePoints("a\xC3") == (Points{'a', 0x1100C3}));
  EXPECT(DecodeCodePoints("\xE6\x9D") == (Points{0x1100E6, 0x11009D}));
  EXPECT(DecodeCodePoints("\xF0\x9F\x98") == (Points{0x1100F0, 0x11009F, 0x110098}));
}

TEST(DecodeCodePoints, TakesNoByteThatIsNoContinuation) {
  EXPECT(DecodeCodePoints("\xC3z") == (Points{0x1100C3, 'z'}));
  EXPECT(DecodeCodePoints("\xE6\x9Dzz") == (Points{0x1100E6, 0x11009D, 'z', 'z'}));
  EXPECT(DecodeCodePoints("\xFFxyz") == (Points{0x1100FF, 'x', 'y', 'z'}));
}

TEST(LevenshteinAutomaton, AgreesWithTheTableOfDistances) {
  Random random;
  for (size_t round = 0; round < test::Rounds(5000); ++round) {
    const Points word = DecodeCodePoints(RandomUtf8(&random, 7));
    const Points other = DecodeCodePoints(RandomUtf8(&random, 9));
    for (int edits = 1; edits <= LevenshteinAutomaton::kMaxEdits; ++edits) {
      const LevenshteinAutomaton automaton(word, edits);
      LevenshteinAutomaton::State state = automaton.Start();
      for (size_t taken = 0;; ++taken) {
        const std::vector<int> row =
            test::DistancesToPrefixes(word, {other.begin(), other.begin() + static_cast<std::ptrdiff_t>(taken)});
        EXPECT_EQ(automaton.Distance(state), std::min(row.back(), edits + 1));
        EXPECT_EQ(automaton.IsDead(state), *std::min_element(row.begin(), row.end()) > edits);
        if (taken == other.size()) break;
        state = automaton.Step(state, other[taken]);
      }
    }
  }
}

TEST(LevenshteinAutomaton, ReachesAllWordsOneOrTwoEditsAway) {
  const Points word = DecodeCodePoints("abab");
  for (const auto& [text, distance] : std::vector<std::pair<std::string, int>>{{"abab", 0},
                                                                               {"aba", 1},
                                                                               {"babab", 1},
                                                                               {"aaab", 1},
                                                                               {"ab", 2},
                                                                               {"baab", 1},
                                                                               {"baba", 2},
                                                                               {"ababab", 2},
                                                                               {"abba", 1},
                                                                               {"b", 3},
                                                                               {"", 3}}) {
    const LevenshteinAutomaton automaton(word, 2);
    LevenshteinAutomaton::State state = automaton.Start();
    for (const char32_t c : DecodeCodePoints(text)) state = automaton.Step(state, c);
    EXPECT_EQ(automaton.Distance(state), distance);
  }
}

TEST(LevenshteinAutomaton, DiesInLongWordsAndStaysDead) {
  const LevenshteinAutomaton automaton(Points(3, 'a'), 2);
  LevenshteinAutomaton::State state = automaton.Start();
  for (size_t i = 1; i < 1000; ++i) {
    state = automaton.Step(state, 'a');
    EXPECT_EQ(automaton.IsDead(state), i > 5);
    EXPECT_EQ(automaton.Distance(state), i > 5 ? 3 : static_cast<int>(i > 3 ? i - 3 : 3 - i));
  }
}

}  // namespace
}  // namespace freshdex::score

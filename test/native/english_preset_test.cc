#include <string>
#include <string_view>

#include "native/analysis/analyzer.h"
#include "test/native/analyzed_text.h"
#include "test/native/harness.h"

namespace freshdex::analysis {
namespace {

TEST(EnglishPreset, StopWordsLeaveHoles) {
  const TokenList list = AnalyzeExact(Preset::kEnglish, "The end of the World, AND that's not it");
  EXPECT_EQ(WordsOf(list), (Words{"end", "world", "that"}));
  EXPECT_EQ(list.tokens[0].holes_before, 1);
  EXPECT_EQ(list.tokens[1].holes_before, 2);
  EXPECT_EQ(list.tokens[2].holes_before, 1);
  EXPECT_EQ(list.trailing_holes, 2);
}

TEST(EnglishPreset, RemovesExactlyTheStopWords) {
  const std::string_view stop_words =
      "a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
      "this to was will with";
  EXPECT_EQ(English(stop_words), Words{});
  EXPECT_EQ(AnalyzeExact(Preset::kEnglish, stop_words).trailing_holes, 33);
  EXPECT_EQ(English("i he an1 _a á th theirs"), (Words{"i", "he", "an1", "_a", "á", "th", "their"}));
}

TEST(EnglishPreset, HolesSaturateBeforeATokenAndNotAtTheEnd) {
  const std::string many = Repeat("the ", 70'000);
  TokenList list = AnalyzeExact(Preset::kEnglish, many);
  EXPECT_EQ(list.trailing_holes, 70'000);
  Analyze(Preset::kEnglish, "end", &list);
  EXPECT_EQ(list.tokens[0].holes_before, 65'535);
  EXPECT_EQ(list.trailing_holes, 0);
}

TEST(EnglishPreset, StemsOnlyAsciiLettersAndApostrophes) {
  EXPECT_EQ(English("Running foxes' DOGS"), (Words{"run", "fox", "dog"}));
  EXPECT_EQ(English("dog's dog’s don't don’t o’clock’s"), (Words{"dog", "dog", "don't", "don't", "o'clock"}));
  EXPECT_EQ(English("cafés run2s snake_cases example.coms"), (Words{"cafés", "run2s", "snake_cases", "example.coms"}));
  EXPECT_EQ(English("café’s nai\u0308ves"), (Words{"café’s", "nai\u0308ves"}));
  EXPECT_EQ(English("\u212Aings İstanbuls run\u00ADning"), (Words{"king", "istanbul", "run"}));
}

TEST(NormalizeWord, LowersAndNothingElse) {
  EXPECT_EQ(Normalize(""), "");
  EXPECT_EQ(Normalize("The RUNNING, Don’t! ΣΑΣ ΐς İI"), "the running, don’t! σασ ΐσ ii");
  EXPECT_EQ(Normalize("A\xFF\xC3"), "a\uFFFD\uFFFD");
  EXPECT_EQ(Normalize(std::string_view("A\0B", 3)), std::string_view("a\0b", 3));
}

TEST(NormalizeWord, GivesTheTokensOfWords) {
  for (const char* word : {"Straße", "ŁÓDŹ", "ΟΔΥΣΣΕΎΣ", "İstanbul", "Ёлка", "O’Neill", "HTTP2", "𐐀𐐁"}) {
    EXPECT_EQ(Standard(word), Words{Normalize(word)});
  }
}

TEST(Tokens, AreAppendedAndCleared) {
  TokenList list;
  Analyze(Preset::kStandard, "one", &list);
  Analyze(Preset::kStandard, "two three", &list);
  EXPECT_EQ(WordsOf(list), (Words{"one", "two", "three"}));
  list.Clear();
  EXPECT(Flatten(list) == Flatten(TokenList{}));
}

}  // namespace
}  // namespace freshdex::analysis

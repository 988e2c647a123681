#include "native/analysis/porter2.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::analysis {
namespace {

using test::Random;

std::string Stem(std::string_view word) {
  std::string buffer(word);
  buffer.resize((word.size() + 7) / 8 * 8);
  buffer.resize(StemEnglish(buffer.data(), word.size()));
  return buffer;
}

TEST(Porter2, KnownStems) {
  const std::pair<std::string_view, std::string_view> pairs[] = {{"skis", "ski"},
                                                                 {"skies", "sky"},
                                                                 {"dying", "die"},
                                                                 {"lying", "lie"},
                                                                 {"tying", "tie"},
                                                                 {"idly", "idl"},
                                                                 {"gently", "gentl"},
                                                                 {"ugly", "ugli"},
                                                                 {"early", "earli"},
                                                                 {"only", "onli"},
                                                                 {"singly", "singl"},
                                                                 {"sky", "sky"},
                                                                 {"news", "news"},
                                                                 {"howe", "howe"},
                                                                 {"atlas", "atlas"},
                                                                 {"cosmos", "cosmos"},
                                                                 {"bias", "bias"},
                                                                 {"andes", "andes"},
                                                                 {"inning", "inning"},
                                                                 {"innings", "inning"},
                                                                 {"outing", "outing"},
                                                                 {"canning", "canning"},
                                                                 {"herring", "herring"},
                                                                 {"earring", "earring"},
                                                                 {"proceed", "proceed"},
                                                                 {"exceed", "exceed"},
                                                                 {"succeed", "succeed"},
                                                                 {"exceeding", "exceed"},
                                                                 {"general", "general"},
                                                                 {"generate", "generat"},
                                                                 {"generically", "generic"},
                                                                 {"communism", "communism"},
                                                                 {"community", "communiti"},
                                                                 {"arsenal", "arsenal"},
                                                                 {"arsenic", "arsenic"},
                                                                 {"caresses", "caress"},
                                                                 {"ties", "tie"},
                                                                 {"cries", "cri"},
                                                                 {"gas", "gas"},
                                                                 {"this", "this"},
                                                                 {"gaps", "gap"},
                                                                 {"kiwis", "kiwi"},
                                                                 {"bus", "bus"},
                                                                 {"died", "die"},
                                                                 {"hoping", "hope"},
                                                                 {"hopped", "hop"},
                                                                 {"luxuriated", "luxuri"},
                                                                 {"agreed", "agre"},
                                                                 {"feed", "feed"},
                                                                 {"repeatedly", "repeat"},
                                                                 {"fizzed", "fizz"},
                                                                 {"sized", "size"},
                                                                 {"owed", "owe"},
                                                                 {"bed", "bed"},
                                                                 {"sing", "sing"},
                                                                 {"cry", "cri"},
                                                                 {"by", "by"},
                                                                 {"say", "say"},
                                                                 {"enjoy", "enjoy"},
                                                                 {"relational", "relat"},
                                                                 {"conditional", "condit"},
                                                                 {"valenci", "valenc"},
                                                                 {"digitizer", "digit"},
                                                                 {"conformabli", "conform"},
                                                                 {"radically", "radic"},
                                                                 {"vietnamization", "vietnam"},
                                                                 {"operator", "oper"},
                                                                 {"feudalism", "feudal"},
                                                                 {"decisiveness", "decis"},
                                                                 {"hopefulness", "hope"},
                                                                 {"callousness", "callous"},
                                                                 {"sensibiliti", "sensibl"},
                                                                 {"apology", "apolog"},
                                                                 {"carelessly", "careless"},
                                                                 {"quickly", "quick"},
                                                                 {"nationalize", "nation"},
                                                                 {"electrical", "electr"},
                                                                 {"goodness", "good"},
                                                                 {"talkative", "talkat"},
                                                                 {"demonstrative", "demonstr"},
                                                                 {"replacement", "replac"},
                                                                 {"adoption", "adopt"},
                                                                 {"effective", "effect"},
                                                                 {"rate", "rate"},
                                                                 {"cease", "ceas"},
                                                                 {"controll", "control"},
                                                                 {"roll", "roll"},
                                                                 {"youth", "youth"},
                                                                 {"yellow", "yellow"},
                                                                 {"sayings", "say"},
                                                                 {"boyish", "boyish"},
                                                                 {"yyyy", "yyyi"},
                                                                 {"aed", "a"},
                                                                 {"dog's", "dog"},
                                                                 {"dogs'", "dog"},
                                                                 {"dog's'", "dog"},
                                                                 {"o'clock", "o'clock"},
                                                                 {"'tis", "tis"},
                                                                 {"''s", ""},
                                                                 {"'''", "'"},
                                                                 {"a", "a"},
                                                                 {"us", "us"}};
  for (const auto& [word, stem] : pairs) EXPECT_EQ(Stem(word), stem);
}

TEST(Porter2, LongWordsFollowTheSameRules) {
  const std::string many(70, 'b');
  EXPECT_EQ(Stem(many + "ational"), many + "ation");
  EXPECT_EQ(Stem(many + "ying"), many + "i");
  EXPECT_EQ(Stem(many + "eyed"), many + "ey");
  EXPECT_EQ(Stem("yes" + many + "ingly"), "yes" + many.substr(1));
}

TEST(Porter2, NeverMakesAWordLonger) {
  Random random(4);
  for (int round = 0; round < 100'000; ++round) {
    std::string word(random.Between(1, 80), 'a');
    for (char& c : word) c = random.Pick(std::string_view("aeiouybcdefgilmnrstz'"));
    EXPECT(Stem(word).size() <= word.size());
  }
}

}  // namespace
}  // namespace freshdex::analysis

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/analysis/ascii_eight.h"
#include "native/analysis/unicode.h"
#include "test/native/analyzed_text.h"
#include "test/native/harness.h"
#include "test/native/naive_segmenter.h"
#include "test/native/random.h"

namespace freshdex::analysis {
namespace {

using test::Random;

// What a caller does who keeps the tokens of chunks apart.
Flat Join(Flat a, const Flat& b) {
  a.bytes += b.bytes;
  for (auto [length, holes] : b.tokens) {
    a.tokens.emplace_back(length, static_cast<uint16_t>(a.trailing_holes + holes));
    a.trailing_holes = 0;
  }
  a.trailing_holes += b.trailing_holes;
  a.truncated += b.truncated;
  return a;
}

const Words kPieces = {"a",
                       "b",
                       "E",
                       "the",
                       "Running",
                       "flies",
                       "of",
                       "to",
                       "ünder",
                       "É",
                       "ß",
                       "Ł",
                       "Σ",
                       "ς",
                       "Ж",
                       "İ",
                       "ı",
                       "0",
                       "7",
                       "42",
                       "٣",
                       "_",
                       "__",
                       "‿",
                       ".",
                       ",",
                       ";",
                       ":",
                       "'",
                       "’",
                       "‘",
                       "·",
                       "-",
                       "@",
                       "/",
                       "\"",
                       "[",
                       "日",
                       "本語",
                       "カ",
                       "が",
                       "か\u3099",
                       "한국",
                       "々",
                       "ー",
                       "\u0301",
                       "\u0308\u0327",
                       "\u00AD",
                       "\u200B",
                       "\u200D",
                       "\uFEFF",
                       "\uFE0F",
                       "😀",
                       "🇫🇷",
                       "½",
                       "²",
                       "𝔘",
                       "𠀀",
                       "𐐀",
                       "\xC3",
                       "\xE2\x80",
                       "\xF0\x9F\x98",
                       "\xFF",
                       "\x80",
                       "abcdefgh",
                       "abcdefghijklmnopqrstuvwxyz"};
const Words kSpaces = {" ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u0085", "\u00A0", "\u1680",
                       "\u2000", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};

TEST(Segmentation, CutsAsciiTextIntoLowerCaseWords) {
  EXPECT_EQ(Standard(""), Words{});
  EXPECT_EQ(Standard(" \t\n ... !?"), Words{});
  EXPECT_EQ(Standard("x"), Words{"x"});
  EXPECT_EQ(Standard("The QUICK (brown) fox-trot; well"), (Words{"the", "quick", "brown", "fox", "trot", "well"}));
  EXPECT_EQ(Standard("A1 b2c 2nd HTTP2"), (Words{"a1", "b2c", "2nd", "http2"}));
}

TEST(Segmentation, KeepsWordsOfEveryLengthAtEveryOffset) {
  const std::string letters = Repeat("AbCdEfGhIjKlMnOpQrStUvWxYz", 10);
  const std::string lower = Repeat("abcdefghijklmnopqrstuvwxyz", 10);
  for (size_t length = 1; length <= kMaxTokenBytes; ++length) {
    for (size_t offset = 0; offset < 9; ++offset) {
      const std::string text = std::string(offset, '-') + letters.substr(0, length);
      EXPECT_EQ(Standard(text), Words{lower.substr(0, length)});
      EXPECT_EQ(Standard(text + "!0"), (Words{lower.substr(0, length), "0"}));
    }
  }
}

TEST(Segmentation, AsciiTableAgreesWithUnicodeTable) {
  for (char32_t c = 0; c < 0x80; ++c) {
    const WordClass word_class = ClassOf(c);
    const uint16_t kinds = word_class == WordClass::kLetter      ? kLatinLetter
                           : word_class == WordClass::kDigit     ? kAnyDigit
                           : word_class == WordClass::kConnector ? kAnyConnector
                           : word_class == WordClass::kMidLetter || word_class == WordClass::kMidNumber ||
                                   word_class == WordClass::kMidEither
                               ? kJoins
                               : uint16_t{0};
    EXPECT_EQ(kAsciiTable[c] & 0xFF00, kinds);
    if ((kinds & kWordCharacters) != 0) {
      EXPECT_EQ(static_cast<char32_t>(kAsciiTable[c] & 0x00FF), ToLower(c));
    }
  }
}

TEST(Segmentation, EightBytesAgreeWithTheAsciiTable) {
  for (int c = 0; c < 0x100; ++c) {
    const uint16_t kinds = kAsciiTable[static_cast<size_t>(c)] & kWordCharacters;
    for (size_t place = 0; place < 8; ++place) {
      std::string bytes = "aZaZaZaZ";
      bytes[place] = static_cast<char>(c);
      const AsciiEight eight(reinterpret_cast<const uint8_t*>(bytes.data()));
      EXPECT_EQ(eight.word_characters(), kinds != 0 ? 8 : place);
      EXPECT_EQ(eight.MadeOf(), kinds != 0 ? kLatinLetter | kinds : place > 0 ? kLatinLetter : 0);
      char lower[8];
      eight.StoreLower(lower);
      if (kinds != 0) EXPECT_EQ(lower[place], static_cast<char>(kAsciiTable[static_cast<size_t>(c)] & 0xFF));
    }
  }
}

TEST(Segmentation, LowerCasesEuropeanLetters) {
  EXPECT_EQ(Standard("CAFÉ Straße ŁÓDŹ Ærø ẞ"), (Words{"café", "straße", "łódź", "ærø", "ß"}));
  EXPECT_EQ(Standard("ΟΔΥΣΣΕΥΣ Ὀδυσσεύς ὀδυσσεύσ"), (Words{"οδυσσευσ", "ὀδυσσεύσ", "ὀδυσσεύσ"}));
  EXPECT_EQ(Standard("МОСКВА Ёлка Київ"), (Words{"москва", "ёлка", "київ"}));
  EXPECT_EQ(Standard("İstanbul ISPARTA ısı"), (Words{"istanbul", "isparta", "ısı"}));
  EXPECT_EQ(Standard("Ⱥ \u212A Ω 𐐀"), (Words{"ⱥ", "k", "ω", "𐐨"}));
  EXPECT_EQ(Standard("ǅ Ⅷ ª 1º"), (Words{"ǆ", "ⅷ", "ª", "1º"}));
}

TEST(Segmentation, MarksStayOnTheirLetters) {
  EXPECT_EQ(Standard("Cafe\u0301s nai\u0308ve"), (Words{"cafe\u0301s", "nai\u0308ve"}));
  EXPECT_EQ(Standard("\u0301abc \u0301"), Words{"abc"});
  EXPECT_EQ(Standard("a\u0301'\u0301b\u0301"), Words{"a\u0301'\u0301b\u0301"});
  EXPECT_EQ(Standard("हिन्दी नमस्ते"), (Words{"हिन्दी", "नमस्ते"}));
}

TEST(Segmentation, JoinsLettersAcrossApostrophesAndPoints) {
  EXPECT_EQ(Standard("Don't don’t O'Neill's"), (Words{"don't", "don’t", "o'neill's"}));
  EXPECT_EQ(Standard("'quoted' ‘so’ dogs' rock'n'roll"), (Words{"quoted", "so", "dogs", "rock'n'roll"}));
  EXPECT_EQ(Standard("example.com. U.S.A. col·legi c:a"), (Words{"example.com", "u.s.a", "col·legi", "c:a"}));
  EXPECT_EQ(Standard("a..b a''b a.'b std::string"), (Words{"a", "b", "a", "b", "a", "b", "std", "string"}));
  EXPECT_EQ(Standard("a,b a;b"), (Words{"a", "b", "a", "b"}));
}

TEST(Segmentation, JoinsDigitsAcrossPointsAndCommas) {
  EXPECT_EQ(Standard("3.14 1,000,000 1'000 5;6 ٣٫٤"), (Words{"3.14", "1,000,000", "1'000", "5;6", "٣", "٤"}));
  EXPECT_EQ(Standard("10:30 1..2 7. ,8 v1.2.3"), (Words{"10", "30", "1", "2", "7", "8", "v1.2.3"}));
  EXPECT_EQ(Standard("a.1 1.a"), (Words{"a", "1", "1", "a"}));
}

TEST(Segmentation, CutsAddressesAtTheirPunctuation) {
  EXPECT_EQ(Standard("Jane.Doe+x@mail.example.org"), (Words{"jane.doe", "x", "mail.example.org"}));
  EXPECT_EQ(Standard("https://a.example/b_c?d=1&e#f"), (Words{"https", "a.example", "b_c", "d", "1", "e", "f"}));
}

TEST(Segmentation, ConnectorsNeedALetterOrDigit) {
  EXPECT_EQ(Standard("snake_case _private trailing_ __"), (Words{"snake_case", "_private", "trailing_"}));
  EXPECT_EQ(Standard("_ ‿ a‿b _1 _'a"), (Words{"a‿b", "_1", "a"}));
}

TEST(Segmentation, CjkRunsBecomePairs) {
  EXPECT_EQ(Standard("日本語"), (Words{"日本", "本語"}));
  EXPECT_EQ(Standard("日"), Words{"日"});
  EXPECT_EQ(Standard("東京タワーへ行く"), (Words{"東京", "京タ", "タワ", "ワー", "ーへ", "へ行", "行く"}));
  EXPECT_EQ(Standard("한국어 말"), (Words{"한국", "국어", "말"}));
  EXPECT_EQ(Standard("日本。語"), (Words{"日本", "語"}));
  EXPECT_EQ(Standard("漢 字\n語　彙"), (Words{"漢", "字", "語", "彙"}));
  EXPECT_EQ(Standard("第3章ABC版v2"), (Words{"第", "3", "章", "abc", "版", "v2"}));
  EXPECT_EQ(Standard("か\u3099く ｶﾞｽ 葛\U000E0100城"), (Words{"か\u3099く", "ｶﾞｽ", "葛城"}));
  EXPECT_EQ(Standard("𠀀𠀁"), Words{"𠀀𠀁"});
}

TEST(Segmentation, EmojiAndSymbolsAreNoTokens) {
  EXPECT_EQ(Standard("😀 👩‍💻 🇫🇷 ❤️ ™ © ½ ② → Ⓐ ℹ"), Words{});
  EXPECT_EQ(Standard("hi😀there a❤️b"), (Words{"hi", "there", "a", "b"}));
}

TEST(Segmentation, IgnorableCharactersNeitherCutNorStay) {
  EXPECT_EQ(Standard("\uFEFFHello co\u00ADop a\u200Db"), (Words{"hello", "coop", "ab"}));
  EXPECT_EQ(Standard("don\u00AD't 1\u200D.\u200D5"), (Words{"don't", "1.5"}));
  EXPECT_EQ(Standard("zero\u200Bwidth"), (Words{"zero", "width"}));
  EXPECT_EQ(Standard("\uFEFF \u00AD"), Words{});
}

TEST(Segmentation, ControlCharactersSeparate) {
  EXPECT_EQ(Standard(std::string_view("a\0b\0", 4)), (Words{"a", "b"}));
  EXPECT_EQ(Standard("a\x1F"
                     "b\x7F"
                     "c"),
            (Words{"a", "b", "c"}));
}

TEST(Segmentation, EveryWhiteSpaceSeparates) {
  for (const std::string& space : kSpaces) {
    EXPECT_EQ(Standard("a" + space + "b"), (Words{"a", "b"}));
    EXPECT_EQ(Standard("日" + space + "本"), (Words{"日", "本"}));
  }
}

TEST(InvalidUtf8, EveryTruncatedSequenceSeparates) {
  for (const char* whole : {"é", "ẞ", "日", "𝔘", "𠀀"}) {
    const std::string_view sequence = whole;
    for (size_t length = 1; length < sequence.size(); ++length) {
      const std::string broken(sequence.substr(0, length));
      EXPECT_EQ(Standard(broken), Words{});
      EXPECT_EQ(Standard("ab" + broken), Words{"ab"});
      EXPECT_EQ(Standard(broken + "cd"), Words{"cd"});
      EXPECT_EQ(Standard("ab" + broken + "cd"), (Words{"ab", "cd"}));
    }
  }
}

TEST(InvalidUtf8, ForbiddenFormsSeparate) {
  // Stray continuation, overlong forms of A and é, surrogates, above U+10FFFF, bytes that never occur.
  for (const char* bad : {"\x80", "\xC1\x81", "\xE0\x81\x81", "\xF0\x80\x81\x81", "\xE0\x83\xA9", "\xED\xA0\x80",
                          "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xF8\x88\x80\x80\x80", "\xFE"}) {
    const auto* begin = reinterpret_cast<const uint8_t*>(bad);
    const Decoded decoded = DecodeUtf8(begin, begin + std::strlen(bad));
    EXPECT_EQ(decoded.code_point, kReplacement);
    EXPECT_EQ(decoded.length, 1);
    EXPECT_EQ(Standard(std::string("a") + bad + "b"), (Words{"a", "b"}));
  }
}

TEST(InvalidUtf8, EveryScalarValueSurvivesARoundTrip) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    char bytes[kMaxUtf8Bytes];
    const size_t length = EncodeUtf8(c, bytes);
    const auto* begin = reinterpret_cast<const uint8_t*>(bytes);
    const Decoded decoded = DecodeUtf8(begin, begin + length);
    if (decoded.code_point == c && decoded.length == length) continue;
    EXPECT_EQ(decoded.code_point, c);
  }
}

TEST(InvalidUtf8, RandomBytesGiveValidTokens) {
  Random random(1);
  for (int round = 0; round < 200'000; ++round) {
    std::string text(random.Below(40), '\0');
    // High bytes are favoured: uniform ones seldom form a sequence.
    for (char& c : text) c = static_cast<char>(random.Chance(0.5) ? random.Between(0xC0, 0xFF) : random.Below(256));
    for (const Preset preset : {Preset::kStandard, Preset::kEnglish}) {
      const TokenList list = AnalyzeExact(preset, text);
      Flatten(list);
      for (const std::string& word : WordsOf(list)) EXPECT(word.find("\uFFFD") == word.npos);
      EXPECT_EQ(Normalize(list.bytes).find("\uFFFD"), std::string::npos);
    }
    Normalize(text);
  }
}

TEST(Segmentation, AgreesWithTheNaiveTwin) {
  Random random(2);
  for (int round = 0; round < 50'000; ++round) {
    std::string text;
    for (uint64_t i = random.Below(24); i > 0; --i) text += random.Pick(random.Chance(0.2) ? kSpaces : kPieces);
    EXPECT_EQ(Standard(text), NaiveSegmenter(text).Run());
  }
}

TEST(Segmentation, DoesNotDependOnCutsAtWhiteSpace) {
  Random random(3);
  for (int round = 0; round < 30'000; ++round) {
    const auto random_text = [&random] {
      std::string text;
      for (uint64_t i = random.Below(20); i > 0; --i) text += random.Pick(random.Chance(0.4) ? kSpaces : kPieces);
      return text;
    };
    std::string before = random_text();
    std::string after = random_text();
    if (random.Chance(0.5)) {
      before += random.Pick(kSpaces);
    } else {
      after.insert(0, random.Pick(kSpaces));
    }
    for (const Preset preset : {Preset::kStandard, Preset::kEnglish}) {
      const Flat whole = Flatten(AnalyzeExact(preset, before + after));
      EXPECT(whole == Join(Flatten(AnalyzeExact(preset, before)), Flatten(AnalyzeExact(preset, after))));
      TokenList appended = AnalyzeExact(preset, before);
      Analyze(preset, after, &appended);
      EXPECT(whole == Flatten(appended));
    }
  }
}

TEST(LongTokens, AreCutAtACodePointBoundary) {
  struct Example {
    std::string text;
    size_t kept;
  };
  const Example examples[] = {{std::string(255, 'a'), 255},
                              {std::string(256, 'A'), 255},
                              {Repeat("é", 128), 254},
                              {"x" + Repeat("é", 128), 255},
                              {Repeat("ẞ", 128), 254},
                              {Repeat("𝔘", 64), 252},
                              {std::string(254, 'a') + "éb", 254},
                              {std::string(254, 'a') + "'b", 255},
                              {std::string(255, 'a') + "\u0301", 255},
                              {Repeat("1,", 200) + "1", 255}};
  for (const Example& example : examples) {
    const TokenList list = AnalyzeExact(Preset::kStandard, example.text + " end");
    EXPECT_EQ(list.tokens.size(), 2);
    EXPECT_EQ(list.tokens[0].length, example.kept);
    EXPECT_EQ(list.text(list.tokens[1]), "end");
    EXPECT_EQ(list.truncated, example.text.size() == example.kept ? 0 : 1);
  }
}

TEST(LongTokens, OfMegabytesTakeLinearTime) {
  constexpr size_t kBytes = 10'000'000;
  for (const char* piece :
       {"a", "Z9_", "é", "Ⱥ", "\u0301", "a'", "1,", "a\u0301", "a'\u0301\u0301", "\u00AD", "a:\u00AD"}) {
    const TokenList list = AnalyzeExact(Preset::kEnglish, "w" + Repeat(piece, kBytes / std::strlen(piece)));
    EXPECT(list.tokens.size() <= 2);
    EXPECT(list.truncated <= 1);
  }
  EXPECT_EQ(Standard(std::string(kBytes, '_')), Words{});
  EXPECT_EQ(Standard("a'" + Repeat("\u0301", kBytes / 2)), Words{"a"});
}

TEST(LongTokens, AreCutInCjkRunsByCharacter) {
  const TokenList list = AnalyzeExact(Preset::kStandard, "か" + Repeat("\u3099", 1'000'000) + "き" + "く");
  EXPECT_EQ(list.tokens.size(), 2);
  EXPECT_EQ(list.tokens[0].length, 126 + 3);
  EXPECT_EQ(list.text(list.tokens[1]), "きく");
  EXPECT_EQ(list.truncated, 1);
  EXPECT_EQ(AnalyzeExact(Preset::kStandard, Repeat("漢", 100'000)).tokens.size(), 99'999);
}

}  // namespace
}  // namespace freshdex::analysis

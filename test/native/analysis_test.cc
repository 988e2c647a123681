#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/analysis/analyzer.h"
#include "native/analysis/ascii_eight.h"
#include "native/analysis/porter2.h"
#include "native/analysis/unicode.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::analysis {
namespace {

using test::Random;
using Words = std::vector<std::string>;

// The text is analysed in a block of exactly its size, so that a sanitizer sees any read past the end.
TokenList AnalyzeExact(Preset preset, std::string_view text) {
  const auto block = std::make_unique<char[]>(text.size());
  if (!text.empty()) std::memcpy(block.get(), text.data(), text.size());
  TokenList list;
  Analyze(preset, {block.get(), text.size()}, &list);
  return list;
}

Words WordsOf(const TokenList& list) {
  Words words;
  for (const TokenList::Token& token : list.tokens) words.emplace_back(list.text(token));
  return words;
}

Words Standard(std::string_view text) { return WordsOf(AnalyzeExact(Preset::kStandard, text)); }
Words English(std::string_view text) { return WordsOf(AnalyzeExact(Preset::kEnglish, text)); }

std::string Repeat(std::string_view piece, size_t count) {
  std::string text;
  text.reserve(piece.size() * count);
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

std::string Stem(std::string_view word) {
  std::string buffer(word);
  buffer.resize((word.size() + 7) / 8 * 8);
  buffer.resize(StemEnglish(buffer.data(), word.size()));
  return buffer;
}

std::string Utf8(char32_t code_point) {
  char bytes[kMaxUtf8Bytes];
  return {bytes, EncodeUtf8(code_point, bytes)};
}

// Token offsets are left out: they follow from the lengths.
struct Flat {
  std::string bytes;
  std::vector<std::pair<uint16_t, uint16_t>> tokens;
  uint32_t trailing_holes;
  uint64_t truncated;
  bool operator==(const Flat&) const = default;
};

Flat Flatten(const TokenList& list) {
  Flat flat{list.bytes, {}, list.trailing_holes, list.truncated};
  uint32_t begin = 0;
  for (const TokenList::Token& token : list.tokens) {
    EXPECT_EQ(token.begin, begin);
    EXPECT(token.length >= 1 && token.length <= kMaxTokenBytes);
    begin += token.length;
    flat.tokens.emplace_back(token.length, token.holes_before);
  }
  EXPECT_EQ(begin, list.bytes.size());
  return flat;
}

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

// A naive twin of the segmenter: all code points first, then the rules one by one, without limit of length.
class NaiveSegmenter {
 public:
  explicit NaiveSegmenter(std::string_view text) {
    const auto* next = reinterpret_cast<const uint8_t*>(text.data());
    for (const auto* const end = next + text.size(); next != end;) {
      const Decoded decoded = DecodeUtf8(next, end);
      next += decoded.length;
      if (ClassOf(decoded.code_point) != WordClass::kIgnorable) text_.push_back(decoded.code_point);
    }
  }

  Words Run() {
    for (size_t i = 0; i < text_.size();) {
      const WordClass here = At(i);
      size_t end = i + 1;
      if (here == WordClass::kCjk) {
        while (At(end) == WordClass::kCjk || At(end) == WordClass::kMark) ++end;
        AddPairs(i, end);
      } else if (IsWord(here)) {
        while (Continues(i, end)) ++end;
        AddWord(i, end);
      }
      i = end;
    }
    return std::move(words_);
  }

 private:
  static bool IsWord(WordClass c) {
    return c == WordClass::kLetter || c == WordClass::kDigit || c == WordClass::kConnector;
  }

  WordClass At(size_t i) const { return i < text_.size() ? ClassOf(text_[i]) : WordClass::kOther; }

  bool Continues(size_t begin, size_t i) const {
    const WordClass here = At(i);
    if (IsWord(here) || here == WordClass::kMark) return true;
    size_t before = i - 1;
    while (before > begin && At(before) == WordClass::kMark) --before;
    size_t after = i + 1;
    while (At(after) == WordClass::kMark) ++after;
    if (At(before) != At(after)) return false;
    if (At(after) == WordClass::kLetter) return here == WordClass::kMidLetter || here == WordClass::kMidEither;
    if (At(after) == WordClass::kDigit) return here == WordClass::kMidNumber || here == WordClass::kMidEither;
    return false;
  }

  void AddWord(size_t begin, size_t end) {
    std::string word;
    bool has_content = false;
    for (size_t i = begin; i < end; ++i) {
      word += Utf8(ToLower(text_[i]));
      has_content |= At(i) == WordClass::kLetter || At(i) == WordClass::kDigit;
    }
    if (has_content) words_.push_back(word);
  }

  void AddPairs(size_t begin, size_t end) {
    Words characters;
    for (size_t i = begin; i < end; ++i) {
      if (At(i) == WordClass::kCjk) characters.emplace_back();
      characters.back() += Utf8(text_[i]);
    }
    if (characters.size() == 1) words_.push_back(characters[0]);
    for (size_t i = 1; i < characters.size(); ++i) words_.push_back(characters[i - 1] + characters[i]);
  }

  std::vector<char32_t> text_;
  Words words_;
};

const Words kPieces = {
    "a", "b", "E", "the", "Running", "flies", "of", "to", "ünder", "É", "ß", "Ł", "Σ", "ς", "Ж", "İ", "ı", "0", "7",
    "42", "٣", "_", "__", "‿", ".", ",", ";", ":", "'", "’", "‘", "·", "-", "@", "/", "\"", "[", "日", "本語", "カ",
    "が", "か\u3099", "한국", "々", "ー", "\u0301", "\u0308\u0327", "\u00AD", "\u200B", "\u200D", "\uFEFF",
    "\uFE0F", "😀", "🇫🇷", "½", "²", "𝔘", "𠀀", "𐐀", "\xC3", "\xE2\x80", "\xF0\x9F\x98", "\xFF", "\x80", "abcdefgh",
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
  EXPECT_EQ(Standard("a\x1F" "b\x7F" "c"), (Words{"a", "b", "c"}));
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
  const Example examples[] = {
      {std::string(255, 'a'), 255},          {std::string(256, 'A'), 255},
      {Repeat("é", 128), 254},               {"x" + Repeat("é", 128), 255},
      {Repeat("ẞ", 128), 254},               {Repeat("𝔘", 64), 252},
      {std::string(254, 'a') + "éb", 254},   {std::string(254, 'a') + "'b", 255},
      {std::string(255, 'a') + "\u0301", 255}, {Repeat("1,", 200) + "1", 255}};
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
  for (const char* piece : {"a", "Z9_", "é", "Ⱥ", "\u0301", "a'", "1,", "a\u0301", "a'\u0301\u0301", "\u00AD",
                            "a:\u00AD"}) {
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

// Expected stems computed with the Snowball English stemmer.
TEST(Porter2, KnownStems) {
  const std::pair<std::string_view, std::string_view> pairs[] = {
      {"skis", "ski"}, {"skies", "sky"}, {"dying", "die"}, {"lying", "lie"}, {"tying", "tie"},
      {"idly", "idl"}, {"gently", "gentl"}, {"ugly", "ugli"}, {"early", "earli"}, {"only", "onli"},
      {"singly", "singl"}, {"sky", "sky"}, {"news", "news"}, {"howe", "howe"}, {"atlas", "atlas"},
      {"cosmos", "cosmos"}, {"bias", "bias"}, {"andes", "andes"}, {"inning", "inning"}, {"innings", "inning"},
      {"outing", "outing"}, {"canning", "canning"}, {"herring", "herring"}, {"earring", "earring"},
      {"proceed", "proceed"}, {"exceed", "exceed"}, {"succeed", "succeed"}, {"exceeding", "exceed"},
      {"general", "general"}, {"generate", "generat"}, {"generically", "generic"}, {"communism", "communism"},
      {"community", "communiti"}, {"arsenal", "arsenal"}, {"arsenic", "arsenic"}, {"caresses", "caress"},
      {"ties", "tie"}, {"cries", "cri"}, {"gas", "gas"}, {"this", "this"}, {"gaps", "gap"}, {"kiwis", "kiwi"},
      {"bus", "bus"}, {"died", "die"}, {"hoping", "hope"}, {"hopped", "hop"}, {"luxuriated", "luxuri"},
      {"agreed", "agre"}, {"feed", "feed"}, {"repeatedly", "repeat"}, {"fizzed", "fizz"}, {"sized", "size"},
      {"owed", "owe"}, {"bed", "bed"}, {"sing", "sing"}, {"cry", "cri"}, {"by", "by"}, {"say", "say"},
      {"enjoy", "enjoy"}, {"relational", "relat"}, {"conditional", "condit"}, {"valenci", "valenc"},
      {"digitizer", "digit"}, {"conformabli", "conform"}, {"radically", "radic"}, {"vietnamization", "vietnam"},
      {"operator", "oper"}, {"feudalism", "feudal"}, {"decisiveness", "decis"}, {"hopefulness", "hope"},
      {"callousness", "callous"}, {"sensibiliti", "sensibl"}, {"apology", "apolog"}, {"carelessly", "careless"},
      {"quickly", "quick"}, {"nationalize", "nation"}, {"electrical", "electr"}, {"goodness", "good"},
      {"talkative", "talkat"}, {"demonstrative", "demonstr"}, {"replacement", "replac"}, {"adoption", "adopt"},
      {"effective", "effect"}, {"rate", "rate"}, {"cease", "ceas"}, {"controll", "control"}, {"roll", "roll"},
      {"youth", "youth"}, {"yellow", "yellow"}, {"sayings", "say"}, {"boyish", "boyish"}, {"yyyy", "yyyi"},
      {"aed", "a"}, {"dog's", "dog"}, {"dogs'", "dog"}, {"dog's'", "dog"}, {"o'clock", "o'clock"}, {"'tis", "tis"},
      {"''s", ""}, {"'''", "'"}, {"a", "a"}, {"us", "us"}};
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

#include "native/analysis/porter2.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "native/analysis/eight_bytes.h"
#include "native/analysis/packed_words.h"

namespace freshdex::analysis {
namespace {

// Whole words with a stem of their own, tested before any step.
constexpr std::array<std::string_view, 18> kIrregular = {"skis",   "skies", "dying", "lying",  "tying",  "idly",
                                                         "gently", "ugly",  "early", "only",   "singly", "sky",
                                                         "news",   "howe",  "atlas", "cosmos", "bias",   "andes"};
constexpr std::array<std::string_view, 18> kIrregularStems = {"ski",   "sky",  "die",   "lie",    "tie",   "idl",
                                                              "gentl", "ugli", "earli", "onli",   "singl", "sky",
                                                              "news",  "howe", "atlas", "cosmos", "bias",  "andes"};
constexpr PackedWords<18> kIrregularSet(kIrregular);

// Words that are stems when they have passed step 1a.
constexpr PackedWords<8> kFinished(std::array<std::string_view, 8>{"inning", "outing", "canning", "herring", "earring",
                                                                   "proceed", "exceed", "succeed"});

// A y that acts as a consonant is written Y while stemming.
enum LetterKind : uint8_t {
  kVowel = 1,
  kNotAfterShort = 2,  // vowels and w, x, Y: a syllable that ends in one of these is not short
  kDoubles = 4,        // letters that a suffix may have doubled
  kBeforeLi = 8,
};

consteval std::array<uint8_t, 256> BuildLetterKinds() {
  std::array<uint8_t, 256> kinds{};
  const auto mark = [&kinds](std::string_view letters, uint8_t kind) {
    for (const char c : letters) kinds[static_cast<uint8_t>(c)] |= kind;
  };
  mark("aeiouy", kVowel | kNotAfterShort);
  mark("wxY", kNotAfterShort);
  mark("bdfgmnprt", kDoubles);
  mark("cdeghkmnrt", kBeforeLi);
  return kinds;
}
constexpr std::array<uint8_t, 256> kLetterKinds = BuildLetterKinds();

bool Is(LetterKind kind, char c) { return (kLetterKinds[static_cast<uint8_t>(c)] & kind) != 0; }

// Steps 2 to 4 look for some forty suffixes that few words have. The last two letters tell in which of these steps
// a suffix is possible at all.
enum StepBit : uint8_t { kStep2 = 1, kStep3 = 2, kStep4 = 4 };

// Letters by their low five bits: all of a to z and Y (as y) get numbers of their own.
constexpr size_t PairIndex(char before, char last) {
  return (static_cast<size_t>(before) & 31) << 5 | (static_cast<size_t>(last) & 31);
}

consteval std::array<uint8_t, 1024> BuildStepsOfPair() {
  std::array<uint8_t, 1024> steps{};
  const auto mark = [&steps](std::string_view pairs, uint8_t step) {
    for (size_t i = 0; i < pairs.size(); i += 3) steps[PairIndex(pairs[i], pairs[i + 1])] |= step;
  };
  mark("al ci er gi li on or sm ss ti ", kStep2);
  mark("al ss te ti ul ve ze ", kStep3);
  mark("al ce er ic le nt on sm te ti us ve ze ", kStep4);
  return steps;
}
constexpr std::array<uint8_t, 1024> kStepsOfPair = BuildStepsOfPair();

// One word on its way through the steps. R1 and R2, as offsets, keep their place while the end of the word changes.
class Stemmer {
 public:
  Stemmer(char* text, size_t length) : text_(text), length_(length) {}

  size_t Run() {
    DropLeadingApostrophe();
    FindRegions();
    Step0();
    Step1a();
    Step1b();
    Step1c();
    if (MayApply(kStep2, r1_)) Step2();
    if (MayApply(kStep3, r1_)) Step3();
    if (MayApply(kStep4, r2_)) Step4();
    Step5();
    if (has_consonant_y_) std::replace(text_, text_ + length_, 'Y', 'y');
    return length_;
  }

 private:
  // A vowel and a consonant come before R1, so a word with two letters in a region has four.
  bool MayApply(StepBit step, size_t region) const {
    return length_ >= region + 2 && (kStepsOfPair[PairIndex(text_[length_ - 2], text_[length_ - 1])] & step) != 0;
  }

  // Without memcmp, which the compiler turns into calls for lengths that are not a power of two.
  template <size_t size>
  bool Ends(const char (&suffix)[size]) const {
    constexpr size_t kLength = size - 1;
    if (length_ < kLength) return false;
    uint8_t difference = 0;
    for (size_t i = 0; i < kLength; ++i) {
      difference |= static_cast<uint8_t>(text_[length_ - kLength + i] ^ suffix[i]);
    }
    return difference == 0;
  }

  // True when the word ends in `suffix`, also when that lies outside the region and nothing is replaced: the longest
  // suffix of a step decides alone, so a true ends the search.
  template <size_t suffix_size, size_t replacement_size>
  bool Swap(const char (&suffix)[suffix_size], const char (&replacement)[replacement_size], size_t region) {
    static_assert(replacement_size <= suffix_size);
    if (!Ends(suffix)) return false;
    const size_t stem = length_ - (suffix_size - 1);
    if (stem >= region) {
      std::memcpy(text_ + stem, replacement, replacement_size - 1);
      length_ = stem + replacement_size - 1;
    }
    return true;
  }

  template <size_t size>
  bool Delete(const char (&suffix)[size], size_t region) {
    return Swap(suffix, "", region);
  }

  bool EndsInShortSyllable(size_t end) const {
    if (end == 2) return Is(kVowel, text_[0]) && !Is(kVowel, text_[1]);
    return end > 2 && !Is(kVowel, text_[end - 3]) && Is(kVowel, text_[end - 2]) && !Is(kNotAfterShort, text_[end - 1]);
  }

  void DropLeadingApostrophe() {
    if (text_[0] != '\'') return;
    --length_;
    std::memmove(text_, text_ + 1, length_);
  }

  void FindRegions() {
    if (length_ >= kMaxMaskLetters || !FindRegionsByMask()) {
      MarkConsonantY();
      first_vowel_ = NextVowel(0);
      r1_ = RegionAfter(0);
      r2_ = RegionAfter(r1_);
    }
    const size_t special = SpecialRegion();
    if (special == 0) return;
    r1_ = special;
    r2_ = RegionAfter(special);
  }

  // The regions of nearly all words, without a branch for each letter. False, with nothing done, for a word that has a
  // y acting as a consonant: at the start or after a vowel.
  bool FindRegionsByMask() {
    uint64_t vowels = 0;  // bit i answers for letter i
    uint64_t ys = 0;
    for (size_t i = 0; i < length_; i += 8) {
      const uint64_t letters = LoadEight(text_ + i) & ~kTopBits;
      const uint64_t unlike_y = LanesUnlike(letters, 'y');
      const uint64_t unlike_vowel = LanesUnlike(letters, 'a') & LanesUnlike(letters, 'e') & LanesUnlike(letters, 'i') &
                                    LanesUnlike(letters, 'o') & LanesUnlike(letters, 'u') & unlike_y;
      vowels |= GatherTopBits(unlike_vowel ^ kTopBits) << i;
      ys |= GatherTopBits(unlike_y ^ kTopBits) << i;
    }
    const uint64_t word = (uint64_t{1} << length_) - 1;
    if ((ys & word & (vowels << 1 | 1)) != 0) return false;
    const uint64_t end = uint64_t{1} << length_;
    const auto region_after = [&](size_t begin) {
      const uint64_t vowels_left = (vowels & word) >> begin << begin | end;
      const int vowel = std::countr_zero(vowels_left);
      const uint64_t others_left = (~vowels & word) >> vowel << vowel | end;
      return std::min(static_cast<size_t>(std::countr_zero(others_left)) + 1, length_);
    };
    first_vowel_ = static_cast<size_t>(std::countr_zero((vowels & word) | end));
    r1_ = region_after(0);
    r2_ = region_after(r1_);
    return true;
  }

  void MarkConsonantY() {
    bool after_vowel = true;  // the start of the word counts as one
    for (size_t i = 0; i < length_; ++i) {
      if (text_[i] == 'y' && after_vowel) {
        text_[i] = 'Y';
        has_consonant_y_ = true;
      }
      after_vowel = Is(kVowel, text_[i]);
    }
  }

  size_t NextVowel(size_t i) const {
    while (i < length_ && !Is(kVowel, text_[i])) ++i;
    return i;
  }

  // The offset after the first non-vowel that follows a vowel at or after `begin`, else the end of the word.
  size_t RegionAfter(size_t begin) const {
    size_t i = NextVowel(begin);
    while (i < length_ && Is(kVowel, text_[i])) ++i;
    return i < length_ ? i + 1 : length_;
  }

  // Where R1 begins in words that would be cut too short by the rule; 0 for all others.
  size_t SpecialRegion() const {
    if (length_ < 5) return 0;
    switch (PackWord(text_, 5)) {
      case PackWord("gener"):
      case PackWord("arsen"):
        return 5;
      case PackWord("commu"):
        return length_ > 5 && text_[5] == 'n' ? 6 : 0;
      default:
        return 0;
    }
  }

  void Step0() {
    const char last = text_[length_ - 1];
    if (last == '\'' || (last == 's' && text_[length_ - 2] == '\'')) {
      if (!Delete("'s'", 0) && !Delete("'s", 0)) Delete("'", 0);
    }
  }

  void Step1a() {
    if (Ends("ied") || Ends("ies")) {
      length_ -= length_ > 4 ? 2 : 1;
      return;
    }
    if (!Ends("s") || Ends("us") || Ends("ss")) return;
    if (Swap("sses", "ss", 0)) return;
    // The vowel may not stand directly before the s: gas and this keep theirs, gaps and kiwis do not.
    if (length_ > 2 && first_vowel_ < length_ - 2) --length_;
  }

  void Step1b() {
    const size_t suffix = Step1bSuffix();
    if (suffix == 0 || IsFinished()) return;
    const size_t stem = length_ - suffix;
    if (text_[stem] == 'e' && text_[stem + 1] == 'e') {
      if (stem >= r1_) length_ = stem + 2;
      return;
    }
    if (first_vowel_ >= stem) return;
    length_ = stem;
    if (Ends("at") || Ends("bl") || Ends("iz")) {
      text_[length_++] = 'e';
    } else if (length_ > 1 && text_[length_ - 1] == text_[length_ - 2] && Is(kDoubles, text_[length_ - 1])) {
      --length_;
    } else if (length_ <= r1_ && EndsInShortSyllable(length_)) {
      text_[length_++] = 'e';
    }
  }

  // Length of the suffix that step 1b acts on: eedly, ingly, edly, eed, ing, ed; 0 without one.
  size_t Step1bSuffix() const {
    if (length_ < 2) return 0;
    switch (text_[length_ - 1]) {
      case 'd':
        return Ends("eed") ? 3 : Ends("ed") ? 2 : 0;
      case 'g':
        return Ends("ing") ? 3 : 0;
      case 'y':
        return Ends("eedly") || Ends("ingly") ? 5 : Ends("edly") ? 4 : 0;
      default:
        return 0;
    }
  }

  // Words that step 1a leaves as they are and no later step may touch. All end in a suffix of step 1b, and no step
  // after that one looks at words that end in g or d, so it is enough to ask here.
  bool IsFinished() const {
    return (length_ == 6 || length_ == 7) && kFinished.Find(PackWord(text_, length_)) != kFinished.kNotFound;
  }

  void Step1c() {
    if (length_ < 3) return;
    char& last = text_[length_ - 1];
    if ((last == 'y' || last == 'Y') && !Is(kVowel, text_[length_ - 2])) last = 'i';
  }

  // Steps 2 to 4: the last letter but one picks the few suffixes that are possible; among these a suffix comes before
  // its own ends. True when one was found.
  bool Step2() {
    switch (text_[length_ - 2]) {
      case 'a':
        return Swap("ational", "ate", r1_) || Swap("tional", "tion", r1_);
      case 'c':
        return Swap("enci", "ence", r1_) || Swap("anci", "ance", r1_);
      case 'e':
        return Swap("izer", "ize", r1_);
      case 'g':
        return Ends("logi") && Swap("ogi", "og", r1_);
      case 'l':
        return Step2Li();
      case 'o':
        return Swap("ization", "ize", r1_) || Swap("ation", "ate", r1_) || Swap("ator", "ate", r1_);
      case 's':
        return Swap("alism", "al", r1_) || Swap("fulness", "ful", r1_) || Swap("ousness", "ous", r1_) ||
               Swap("iveness", "ive", r1_);
      case 't':
        return Swap("biliti", "ble", r1_) || Swap("aliti", "al", r1_) || Swap("iviti", "ive", r1_);
      default:
        return false;
    }
  }

  bool Step2Li() {
    return Swap("lessli", "less", r1_) || Swap("entli", "ent", r1_) || Swap("fulli", "ful", r1_) ||
           Swap("ousli", "ous", r1_) || Swap("abli", "able", r1_) || Swap("alli", "al", r1_) ||
           Swap("bli", "ble", r1_) || (Is(kBeforeLi, text_[length_ - 3]) && Delete("li", r1_));
  }

  bool Step3() {
    switch (text_[length_ - 2]) {
      case 'a':
        return Swap("ational", "ate", r1_) || Swap("tional", "tion", r1_) || Swap("ical", "ic", r1_);
      case 's':
        return Delete("ness", r1_);
      case 't':
        return Swap("icate", "ic", r1_) || Swap("iciti", "ic", r1_);
      case 'u':
        return Delete("ful", r1_);
      case 'v':
        return Delete("ative", r2_);
      case 'z':
        return Swap("alize", "al", r1_);
      default:
        return false;
    }
  }

  bool Step4() {
    switch (text_[length_ - 2]) {
      case 'a':
        return Delete("al", r2_);
      case 'c':
        return Delete("ance", r2_) || Delete("ence", r2_);
      case 'e':
        return Delete("er", r2_);
      case 'i':
        return Delete("ic", r2_);
      case 'l':
        return Delete("able", r2_) || Delete("ible", r2_);
      case 'n':
        return Delete("ement", r2_) || Delete("ment", r2_) || Delete("ent", r2_) || Delete("ant", r2_);
      case 'o':
        return (Ends("sion") || Ends("tion")) && Delete("ion", r2_);
      case 's':
        return Delete("ism", r2_);
      case 't':
        return Delete("ate", r2_) || Delete("iti", r2_);
      case 'u':
        return Delete("ous", r2_);
      case 'v':
        return Delete("ive", r2_);
      case 'z':
        return Delete("ize", r2_);
      default:
        return false;
    }
  }

  void Step5() {
    if (length_ <= r1_) return;
    const size_t stem = length_ - 1;
    if (text_[stem] == 'e') {
      if (stem >= r2_ || (stem >= r1_ && !EndsInShortSyllable(stem))) length_ = stem;
    } else if (text_[stem] == 'l') {
      if (stem >= r2_ && text_[stem - 1] == 'l') length_ = stem;
    }
  }

  // A bit for each letter and one for the end of the word.
  static constexpr size_t kMaxMaskLetters = 64;

  char* const text_;
  size_t length_;
  size_t first_vowel_ = 0;  // offset; the length when there is none
  size_t r1_ = 0;
  size_t r2_ = 0;
  bool has_consonant_y_ = false;
};

}  // namespace

size_t StemEnglish(char* word, size_t length) {
  if (length < 3) return length;
  if (length <= 6) {
    const size_t found = kIrregularSet.Find(PackWord(word, length));
    if (found != kIrregularSet.kNotFound) {
      const std::string_view stem = kIrregularStems[found];
      std::memcpy(word, stem.data(), stem.size());
      return stem.size();
    }
  }
  return Stemmer(word, length).Run();
}

}  // namespace freshdex::analysis

// Text to tokens. Pure functions: no state, no clock, safe from any thread.
//
//   standard   words and CJK bigrams (segmenter.h), lower-cased
//   english    standard, then: stop words become holes, and words of ASCII letters and apostrophes (U+2019 counts as
//              one and is written ') are stemmed (porter2.h); all others stay as they are
//
// Each of them folds accents or keeps them: folding takes diacritical marks away before words are looked at, so that
// composed and decomposed characters give the same tokens. A word that had an accent is no stop word.
//
// Analysis is local to white space: the tokens of a text are those of its parts, wherever it is cut before or after
// white space characters. Analysing the parts one after the other into the same list gives the very same list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "native/analysis/token_list.h"

namespace freshdex::analysis {

// Part of an index's identity: do not renumber.
enum class Preset : uint8_t { kStandard = 0, kEnglish = 1, kStandardFolding = 3, kEnglishFolding = 4 };

constexpr bool IsEnglish(Preset preset) { return preset == Preset::kEnglish || preset == Preset::kEnglishFolding; }
constexpr bool Folds(Preset preset) { return preset >= Preset::kStandardFolding; }

// Part of an index's identity. A version goes up when any text would give other tokens; english builds on standard, so
// its version goes up with that of standard.
inline constexpr uint32_t kStandardVersion = 1;
inline constexpr uint32_t kEnglishVersion = 1;

// Tokens can take more bytes than the text: twice for CJK, three halves for a few capital letters. Up to this
// size offsets into an empty list fit 32 bits.
inline constexpr size_t kMaxTextBytes = size_t{1} << 30;

// Appends the tokens of `utf8`. Holes left by earlier text count before the first new token; afterwards
// out->trailing_holes is what follows the last. Bytes that are not UTF-8 separate words like U+FFFD.
// Linear in the text. REQUIRES: out->bytes.size() + 2 * utf8.size() < 2^32.
void Analyze(Preset preset, std::string_view utf8, TokenList* out);

// The same, but words that are to be stemmed come as they are written, marked as such: their tokens are StemOf() them.
// For whoever knows the stems of most words already.
void AnalyzeWords(Preset preset, std::string_view utf8, TokenList* out);

// The token of a word that AnalyzeWords() marked. REQUIRES: 1 <= word.size() <= kMaxTokenBytes.
std::string StemOf(std::string_view word);

// Bytes of a text: those of one word, or of a pair of CJK characters with what stands between them.
struct TextPlace {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// As Analyze(), and says for every token where in the text it stands. Places of neighbours overlap in CJK text only.
// REQUIRES: as for Analyze(); both lists are empty.
void AnalyzeWithPlaces(Preset preset, std::string_view utf8, TokenList* out, std::vector<TextPlace>* places);

// Lower case, no accents where the preset folds them, and under english a straight apostrophe in words of ASCII
// letters: what prefix and fuzzy words go through before they are compared with tokens. Bytes that are not UTF-8 become
// U+FFFD, so the result is valid UTF-8.
std::string Normalize(std::string_view utf8, Preset preset = Preset::kStandard);

}  // namespace freshdex::analysis

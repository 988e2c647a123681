// The output of analysis: one flat run of bytes and a token table over it, so that a text of a million words costs a
// handful of allocations, and none when a cleared list is used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace freshdex::analysis {

// Longer tokens are cut at a code point boundary. One byte is enough for a length wherever tokens are stored.
inline constexpr size_t kMaxTokenBytes = 255;

// Invariants:
//   I1  Token bytes lie in `bytes` in token order, one directly after the other.
//   I2  1 <= length <= kMaxTokenBytes, and a token is valid UTF-8.
//   I3  position(i) = sum over j <= i of holes_before(j), plus i.
struct TokenList {
  struct Token {
    uint32_t begin;
    uint8_t length;
    bool is_unstemmed = false;  // of AnalyzeWords(): a word whose token is its stem
    uint16_t holes_before = 0;  // stop words removed since the previous token; stays at 65,535 when there were more
  };

  std::string bytes;
  std::vector<Token> tokens;
  uint32_t trailing_holes = 0;  // stop words removed since the last token
  uint64_t truncated = 0;       // tokens cut to kMaxTokenBytes

  // Empties the list and keeps its capacity.
  void Clear() {
    bytes.clear();
    tokens.clear();
    trailing_holes = 0;
    truncated = 0;
  }

  // The view lives until the list changes.
  std::string_view text(const Token& token) const { return {bytes.data() + token.begin, token.length}; }
};

}  // namespace freshdex::analysis

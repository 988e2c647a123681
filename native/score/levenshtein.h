// A Levenshtein automaton for one word and one or two edits, on code points. An edit inserts, deletes or replaces one
// code point, or makes two neighbours change places; nothing is edited twice (optimal string alignment). A state is the
// band of the edit-distance table around its diagonal, the only entries that can still lead to a match, so a step costs
// 2 * edits + 1 additions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace freshdex::score {

// Invalid bytes count as one code point each, with a value outside Unicode.
std::vector<char32_t> DecodeCodePoints(std::string_view utf8);

class LevenshteinAutomaton {
 public:
  static constexpr int kMaxEdits = 2;

  struct State {
    uint32_t depth = 0;  // code points consumed
    // band[k] is the distance to the word's prefix of length depth - edits + k, capped at edits + 1.
    std::array<uint8_t, 2 * kMaxEdits + 1> band{};
    // The same one code point earlier, and the code point consumed last: what a change of places needs.
    std::array<uint8_t, 2 * kMaxEdits + 1> band_before{};
    char32_t last = 0;
  };

  // REQUIRES: 1 <= edits <= kMaxEdits.
  LevenshteinAutomaton(std::vector<char32_t> word, int edits) : word_(std::move(word)), edits_(edits) {}

  State Start() const;
  State Step(const State& state, char32_t c) const;
  // Whether no continuation can match.
  bool IsDead(const State& state) const;
  // Edits between the word and what was consumed, or edits + 1 when more.
  int Distance(const State& state) const;

 private:
  const std::vector<char32_t> word_;
  const int edits_;
};

}  // namespace freshdex::score

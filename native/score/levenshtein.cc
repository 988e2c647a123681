#include "native/score/levenshtein.h"

#include <algorithm>

namespace freshdex::score {

namespace {

// Bytes of the sequence that starts at `i`, or 0 when none does.
size_t SequenceLength(std::string_view utf8, size_t i) {
  const uint8_t lead = static_cast<uint8_t>(utf8[i]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
  if (length > utf8.size() - i) return 0;
  for (size_t k = 1; k < length; ++k) {
    if ((static_cast<uint8_t>(utf8[i + k]) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::vector<char32_t> DecodeCodePoints(std::string_view utf8) {
  std::vector<char32_t> points;
  for (size_t i = 0; i < utf8.size();) {
    const uint8_t lead = static_cast<uint8_t>(utf8[i]);
    const size_t length = SequenceLength(utf8, i);
    if (length == 0) {
      points.push_back(0x110000u + lead);
      ++i;
      continue;
    }
    char32_t point = length == 1 ? lead : lead & (0x7Fu >> length);
    for (size_t k = 1; k < length; ++k) point = point << 6 | (static_cast<uint8_t>(utf8[i + k]) & 0x3Fu);
    points.push_back(point);
    i += length;
  }
  return points;
}

LevenshteinAutomaton::State LevenshteinAutomaton::Start() const {
  State state;
  const int far = edits_ + 1;
  for (int k = 0; k <= 2 * edits_; ++k) {
    const int prefix = k - edits_;
    const bool is_inside = prefix >= 0 && prefix <= static_cast<int>(word_.size());
    state.band[static_cast<size_t>(k)] = static_cast<uint8_t>(is_inside ? prefix : far);
  }
  return state;
}

LevenshteinAutomaton::State LevenshteinAutomaton::Step(const State& state, char32_t c) const {
  State next;
  next.depth = state.depth + 1;
  next.band_before = state.band;
  next.last = c;
  const int far = edits_ + 1;
  for (int k = 0; k <= 2 * edits_; ++k) {
    const int64_t prefix = static_cast<int64_t>(next.depth) - edits_ + k;
    int best = far;
    if (prefix >= 0 && prefix <= static_cast<int64_t>(word_.size())) {
      if (k < 2 * edits_) best = std::min(best, state.band[static_cast<size_t>(k + 1)] + 1);  // c is inserted
      if (prefix > 0) {
        if (k > 0)
          best = std::min(best, next.band[static_cast<size_t>(k - 1)] + 1);  // the word's code point is deleted
        const int cost = word_[static_cast<size_t>(prefix - 1)] == c ? 0 : 1;
        best = std::min(best, state.band[static_cast<size_t>(k)] + cost);
        // Two rows up and two columns to the left is the same place of the band two code points ago.
        const bool is_swapped = next.depth > 1 && prefix > 1 && word_[static_cast<size_t>(prefix - 1)] == state.last &&
                                word_[static_cast<size_t>(prefix - 2)] == c;
        if (is_swapped) best = std::min(best, state.band_before[static_cast<size_t>(k)] + 1);
      }
    }
    next.band[static_cast<size_t>(k)] = static_cast<uint8_t>(std::min(best, far));
  }
  return next;
}

bool LevenshteinAutomaton::IsDead(const State& state) const {
  for (int k = 0; k <= 2 * edits_; ++k) {
    if (state.band[static_cast<size_t>(k)] <= edits_) return false;
  }
  return true;
}

int LevenshteinAutomaton::Distance(const State& state) const {
  const int64_t k = static_cast<int64_t>(word_.size()) - state.depth + edits_;
  return k >= 0 && k <= 2 * edits_ ? state.band[static_cast<size_t>(k)] : edits_ + 1;
}

}  // namespace freshdex::score

#include "native/score/phrase_scan.h"

#include <algorithm>
#include <string>

#include "native/index/term_codes.h"

namespace freshdex::score {
namespace {

// The positions that the code from `begin` to its last byte `last` takes: one for a term.
int64_t PositionsOf(std::string_view codes, size_t begin, size_t last) {
  if (begin < last) return 1;
  const index::Symbol symbol = static_cast<uint8_t>(codes[last]) - index::kFirstEndByte;
  return index::IsHole(symbol) ? symbol + 1 : 1;
}

}  // namespace

PhraseScan::PhraseScan(std::span<const index::TermId> terms, std::span<const uint32_t> offsets) {
  for (size_t i = 0; i < terms.size();) {
    const size_t first = i;
    std::string codes;
    do {
      index::AppendTerm(&codes, terms[i++]);
    } while (i < terms.size() && offsets[i] == offsets[i - 1] + 1);
    stretches_.push_back({index::CodePattern(std::move(codes)), offsets[first], int64_t{offsets[i - 1]} + 1});
  }
  for (size_t i = 1; i < stretches_.size(); ++i) {
    if (stretches_[i].pattern.codes().size() > stretches_[searched_].pattern.codes().size()) searched_ = i;
  }
}

// `at` is where the codes behind the searched stretch begin.
bool PhraseScan::HasStretchesBehind(std::string_view codes, size_t at) const {
  int64_t position = stretches_[searched_].end;
  for (size_t i = searched_ + 1; i < stretches_.size(); ++i) {
    const Stretch& stretch = stretches_[i];
    while (position < stretch.begin) {
      if (at == codes.size()) return false;
      size_t last = at;
      while (last + 1 < codes.size() && !index::EndsCode(codes[last])) ++last;
      position += PositionsOf(codes, at, last);
      at = last + 1;
    }
    const size_t bytes = stretch.pattern.codes().size();
    if (position > stretch.begin || bytes > codes.size() - at || !stretch.pattern.IsAt(codes, at)) return false;
    at += bytes;
    position = stretch.end;
  }
  return true;
}

// `at` is where the searched stretch begins.
bool PhraseScan::HasStretchesBefore(std::string_view codes, size_t at) const {
  int64_t position = stretches_[searched_].begin;
  for (size_t i = searched_; i-- > 0;) {
    const Stretch& stretch = stretches_[i];
    while (position > stretch.end) {
      if (at == 0) return false;
      const size_t last = at - 1;
      size_t begin = last;
      while (begin > 0 && !index::EndsCode(codes[begin - 1])) --begin;
      position -= PositionsOf(codes, begin, last);
      at = begin;
    }
    const size_t bytes = stretch.pattern.codes().size();
    if (position < stretch.end || bytes > at || !stretch.pattern.IsAt(codes, at - bytes)) return false;
    at -= bytes;
    position = stretch.begin;
  }
  return true;
}

uint32_t PhraseScan::Count(std::string_view codes) const {
  const index::CodePattern& pattern = stretches_[searched_].pattern;
  if (is_one_stretch()) return std::min(pattern.Count(codes), index::kMaxTf);
  uint32_t count = 0;
  for (size_t at = pattern.Find(codes, 0); at != index::CodePattern::kNowhere; at = pattern.Find(codes, at + 1)) {
    count += HasStretchesBehind(codes, at + pattern.codes().size()) && HasStretchesBefore(codes, at);
  }
  return std::min(count, index::kMaxTf);
}

}  // namespace freshdex::score

// How often a phrase stands in the codes of a field (native/index/term_codes.h).
//
// Tokens without a hole between them in the phrase stand one behind the other in the codes, so that they are searched
// as one string of bytes: a *stretch*. Of several stretches the longest is searched, and the others are looked for from
// there by position. Between two stretches of the phrase, the field may have holes or any tokens.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "native/index/code_search.h"
#include "native/index/ids.h"

namespace freshdex::score {

// A search through a record costs about as much as scoring this many documents.
inline constexpr uint64_t kCandidateCost = 16;

class PhraseScan {
 public:
  // terms[i] stands offsets[i] positions behind terms[0]. REQUIRES: at least one term, offsets strictly ascending from
  // 0.
  PhraseScan(std::span<const index::TermId> terms, std::span<const uint32_t> offsets);

  // The number of places where the phrase begins, at most kMaxTf. REQUIRES: the codes of one field, whole.
  uint32_t Count(std::string_view codes) const;
  // Whether no hole is in the phrase.
  bool is_one_stretch() const { return stretches_.size() == 1; }

 private:
  struct Stretch {
    index::CodePattern pattern;
    int64_t begin;  // position of the first token
    int64_t end;    // behind the last
  };

  bool HasStretchesBehind(std::string_view codes, size_t at) const;
  bool HasStretchesBefore(std::string_view codes, size_t at) const;

  std::vector<Stretch> stretches_;
  size_t searched_ = 0;  // the stretch that is searched
};

}  // namespace freshdex::score

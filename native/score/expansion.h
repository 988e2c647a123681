// Prefix and fuzzy words: which terms they stand for. They are compared with spellings, the words of documents before
// stemming, so that a term comes in by any of its spellings and a fuzzy match has the edits of the nearest one.
#pragma once

#include <string_view>
#include <vector>

#include "native/index/snapshot.h"

namespace freshdex::score {

struct ExpandedTerm {
  index::TermId term;
  uint32_t df;
  double weight;  // by which its frequency counts: 1, or less by the edits of a fuzzy match
};

struct Expansion {
  std::vector<ExpandedTerm> terms;  // largest df first, ties by bytes
  bool is_truncated = false;
};

// Terms of `field` that occur in a document of the snapshot; at most `limit`, those with the largest df. Two
// neighbours changing places are one edit. A fuzzy match begins with the first code point of the word, or with its
// first two in the other order.
Expansion ExpandPrefix(const index::Snapshot& snapshot, index::FieldId field, std::string_view prefix, size_t limit);
// Terms with a spelling some beginning of which is at most `edits` away from the word; the fewest edits count.
Expansion ExpandNearPrefix(const index::Snapshot& snapshot, index::FieldId field, std::string_view word, int edits,
                           size_t limit);
Expansion ExpandFuzzy(const index::Snapshot& snapshot, index::FieldId field, std::string_view word, int edits,
                      size_t limit);

}  // namespace freshdex::score

// Words that a beginning may become: what a search box offers while somebody types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "native/index/snapshot.h"
#include "native/score/search_budget.h"

namespace freshdex::score {

struct Completion {
  std::string text;  // a spelling
  uint32_t df;       // the documents with its token, in the field where they are most
  int edits;         // between what was given and the beginning of the spelling
};

// Words of the fields of the mask that begin with `word`, which is normalised, or whose beginning is at most `edits`
// away from it; with `is_whole` those that are at most so far away as a whole. Of the spellings of one token there is
// one: the nearest, of these the shortest, of these the first by bytes. The nearest words come first, then those of
// more documents, then by bytes. Once the budget is spent, those of what was looked at by then. REQUIRES: 0 <= edits
// <= 2.
std::vector<Completion> CompleteWord(const index::Snapshot& snapshot, uint32_t field_mask, std::string_view word,
                                     int edits, bool is_whole, size_t limit, SearchBudget* budget);

// Completions of one state of an index that were asked for: people type the same beginnings. What the time was not
// enough for is not kept. Belongs to one thread.
class CompletionCache {
 public:
  std::vector<Completion> Complete(const index::Snapshot& snapshot, uint32_t field_mask, std::string_view word,
                                   int edits, bool is_whole, size_t limit, SearchBudget* budget);

 private:
  static constexpr size_t kMostKept = 1024;

  uint64_t sequence_ = 0;
  std::unordered_map<std::string, std::vector<Completion>> kept_;
};

}  // namespace freshdex::score

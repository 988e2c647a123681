// Numbers of terms, or of spellings, in order of (field, bytes), for prefix and fuzzy expansion.
//
// Several immutable sorted lists (tiers), each term in exactly one of them: a batch adds its new terms as a small tier,
// and tiers of like size are merged, so that a lookup searches O(log terms) tiers and a term is moved O(log terms)
// times. What is said of terms here holds for spellings too.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "native/index/ids.h"
#include "native/index/spelling_table.h"
#include "native/index/term_dict.h"

namespace freshdex::index {

using SortedTier = std::vector<uint32_t>;

// Dict: FieldOf(number), Text(number).
template <typename Dict>
class SortedWords {
 public:
  // Adds `terms` (any order, none present yet) as a tier and merges tiers of like size.
  void Add(const Dict& dict, std::vector<uint32_t> terms);

  // Adds terms that are in order already as a tier of their own.
  void AddSorted(std::vector<uint32_t> terms) {
    if (!terms.empty()) tiers_.push_back(std::make_shared<const SortedTier>(std::move(terms)));
  }

  static bool IsBefore(const Dict& dict, uint32_t a, uint32_t b);

  const std::vector<std::shared_ptr<const SortedTier>>& tiers() const { return tiers_; }
  size_t size() const;
  size_t MemoryBytes() const { return size() * sizeof(uint32_t); }

  // Index into `tier` of the first term >= (field, bytes), searching from index `from` on.
  static size_t LowerBound(const Dict& dict, const SortedTier& tier, FieldId field, std::string_view bytes,
                           size_t from = 0);
  // Index of the first term behind those of the field that start with `prefix`.
  static size_t EndOfPrefix(const Dict& dict, const SortedTier& tier, FieldId field, std::string_view prefix,
                            size_t from = 0);

 private:
  std::vector<std::shared_ptr<const SortedTier>> tiers_;  // largest first
};

using SortedTerms = SortedWords<TermDict>;
using SortedSpellings = SortedWords<SpellingTable>;

}  // namespace freshdex::index

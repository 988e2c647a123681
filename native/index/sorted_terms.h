// Term numbers in order of (field, bytes), for prefix and fuzzy expansion.
//
// Several immutable sorted lists (tiers), each term in exactly one of them: a batch adds its new terms as a small tier,
// and tiers of like size are merged, so that a lookup searches O(log terms) tiers and a term is moved O(log terms)
// times.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "native/index/ids.h"
#include "native/index/term_dict.h"

namespace freshdex::index {

using SortedTier = std::vector<TermId>;

class SortedTerms {
 public:
  // Adds `terms` (any order, none present yet) as a tier and merges tiers of like size.
  void Add(const TermDict& dict, std::vector<TermId> terms);

  // Adds terms that are in order already as a tier of their own.
  void AddSorted(std::vector<TermId> terms) {
    if (!terms.empty()) tiers_.push_back(std::make_shared<const SortedTier>(std::move(terms)));
  }

  static bool IsBefore(const TermDict& dict, TermId a, TermId b);

  const std::vector<std::shared_ptr<const SortedTier>>& tiers() const { return tiers_; }
  size_t size() const;
  size_t MemoryBytes() const { return size() * sizeof(TermId); }

  // Index into `tier` of the first term >= (field, bytes), searching from index `from` on.
  static size_t LowerBound(const TermDict& dict, const SortedTier& tier, FieldId field, std::string_view bytes,
                           size_t from = 0);
  // Index of the first term behind those of the field that start with `prefix`.
  static size_t EndOfPrefix(const TermDict& dict, const SortedTier& tier, FieldId field, std::string_view prefix,
                            size_t from = 0);

 private:
  std::vector<std::shared_ptr<const SortedTier>> tiers_;  // largest first
};

}  // namespace freshdex::index

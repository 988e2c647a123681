#include "native/index/sorted_terms.h"

#include <algorithm>
#include <iterator>

namespace freshdex::index {

bool SortedTerms::IsBefore(const TermDict& dict, TermId a, TermId b) {
  if (dict.FieldOf(a) != dict.FieldOf(b)) return dict.FieldOf(a) < dict.FieldOf(b);
  return dict.Text(a) < dict.Text(b);
}

void SortedTerms::Add(const TermDict& dict, std::vector<TermId> terms) {
  if (terms.empty()) return;
  auto before = [&dict](TermId a, TermId b) { return IsBefore(dict, a, b); };
  std::sort(terms.begin(), terms.end(), before);
  // A tier at most three times as large is merged along: sizes then grow by a factor of more than three from tier to
  // tier.
  while (!tiers_.empty() && tiers_.back()->size() <= 3 * terms.size()) {
    SortedTier merged;
    merged.reserve(tiers_.back()->size() + terms.size());
    std::merge(tiers_.back()->begin(), tiers_.back()->end(), terms.begin(), terms.end(), std::back_inserter(merged),
               before);
    terms.swap(merged);
    tiers_.pop_back();
  }
  tiers_.push_back(std::make_shared<const SortedTier>(std::move(terms)));
}

size_t SortedTerms::size() const {
  size_t count = 0;
  for (const auto& tier : tiers_) count += tier->size();
  return count;
}

size_t SortedTerms::LowerBound(const TermDict& dict, const SortedTier& tier, FieldId field, std::string_view bytes,
                               size_t from) {
  auto begin = tier.begin() + static_cast<std::ptrdiff_t>(from);
  auto found = std::lower_bound(begin, tier.end(), bytes, [&](TermId term, std::string_view wanted) {
    if (dict.FieldOf(term) != field) return dict.FieldOf(term) < field;
    return dict.Text(term) < wanted;
  });
  return static_cast<size_t>(found - tier.begin());
}

size_t SortedTerms::EndOfPrefix(const TermDict& dict, const SortedTier& tier, FieldId field, std::string_view prefix,
                                size_t from) {
  auto begin = tier.begin() + static_cast<std::ptrdiff_t>(from);
  auto found = std::partition_point(begin, tier.end(), [&](TermId term) {
    if (dict.FieldOf(term) != field) return dict.FieldOf(term) < field;
    return dict.Text(term) < prefix || dict.Text(term).starts_with(prefix);
  });
  return static_cast<size_t>(found - tier.begin());
}

}  // namespace freshdex::index

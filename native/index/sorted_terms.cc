#include "native/index/sorted_terms.h"

#include <algorithm>
#include <iterator>

namespace freshdex::index {

template <typename Dict>
bool SortedWords<Dict>::IsBefore(const Dict& dict, uint32_t a, uint32_t b) {
  if (dict.FieldOf(a) != dict.FieldOf(b)) return dict.FieldOf(a) < dict.FieldOf(b);
  return dict.Text(a) < dict.Text(b);
}

template <typename Dict>
void SortedWords<Dict>::Add(const Dict& dict, std::vector<uint32_t> terms) {
  if (terms.empty()) return;
  auto before = [&dict](uint32_t a, uint32_t b) { return IsBefore(dict, a, b); };
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

template <typename Dict>
size_t SortedWords<Dict>::size() const {
  size_t count = 0;
  for (const auto& tier : tiers_) count += tier->size();
  return count;
}

template <typename Dict>
size_t SortedWords<Dict>::LowerBound(const Dict& dict, const SortedTier& tier, FieldId field, std::string_view bytes,
                                     size_t from) {
  auto begin = tier.begin() + static_cast<std::ptrdiff_t>(from);
  auto found = std::lower_bound(begin, tier.end(), bytes, [&](uint32_t term, std::string_view wanted) {
    if (dict.FieldOf(term) != field) return dict.FieldOf(term) < field;
    return dict.Text(term) < wanted;
  });
  return static_cast<size_t>(found - tier.begin());
}

template <typename Dict>
size_t SortedWords<Dict>::EndOfPrefix(const Dict& dict, const SortedTier& tier, FieldId field, std::string_view prefix,
                                      size_t from) {
  auto begin = tier.begin() + static_cast<std::ptrdiff_t>(from);
  auto found = std::partition_point(begin, tier.end(), [&](uint32_t term) {
    if (dict.FieldOf(term) != field) return dict.FieldOf(term) < field;
    return dict.Text(term) < prefix || dict.Text(term).starts_with(prefix);
  });
  return static_cast<size_t>(found - tier.begin());
}

template class SortedWords<TermDict>;
template class SortedWords<SpellingTable>;

}  // namespace freshdex::index

#include "native/score/hit_groups.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace freshdex::score {

size_t HitGroups::Find(uint32_t* known, ColumnValue value) {
  if (*known == kNone) {
    *known = static_cast<uint32_t>(groups_.size());
    groups_.push_back({std::move(value), RankedHits(order_, size_)});
  }
  return *known;
}

size_t HitGroups::GroupOf(index::DocId doc) {
  if (!is_keyword()) {
    const std::span<const double> values = column_.Numbers(doc);
    if (values.empty()) return Find(&without_value_, {});
    return Find(&by_number_.try_emplace(values.front(), kNone).first->second, values.front());
  }
  const std::span<const uint32_t> ordinals = column_.Ordinals(doc);
  if (ordinals.empty()) return Find(&without_value_, {});
  const auto word_of = [this](uint32_t ordinal) { return column_.Word(ordinal); };
  const uint32_t first = ordinals.size() == 1 ? ordinals[0] : *std::ranges::min_element(ordinals, {}, word_of);
  if (by_ordinal_[first] != kNone) return by_ordinal_[first];
  return Find(&by_ordinal_[first], std::string(column_.Word(first)));
}

std::vector<HitGroup> HitGroups::Take(const RankedHit* after, size_t offset, size_t limit) {
  std::vector<HitGroup> groups;
  for (Growing& growing : groups_) {
    HitGroup group{std::move(growing.value), growing.hits.Take()};
    if (!after || order_.Precedes(*after, group.hits.front())) groups.push_back(std::move(group));
  }
  const auto precedes = [this](const HitGroup& a, const HitGroup& b) {
    return order_.Precedes(a.hits.front(), b.hits.front());
  };
  const size_t end = std::min(groups.size(), offset + limit);
  std::partial_sort(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(end), groups.end(), precedes);
  groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(end), groups.end());
  groups.erase(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(std::min(offset, end)));
  return groups;
}

}  // namespace freshdex::score

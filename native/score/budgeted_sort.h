// A stable sort that can be left in the middle: a list of millions takes longer to sort than a search may take.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "native/score/search_budget.h"

namespace freshdex::score {

// False when the budget was spent before the end; the items are then in no particular order.
template <typename Item, typename IsBefore>
bool SortWithin(SearchBudget* budget, std::vector<Item>* items, IsBefore is_before) {
  constexpr size_t kPiece = 4096, kItemsBetweenLooks = 1024;
  const size_t count = items->size();
  for (size_t begin = 0; begin < count; begin += kPiece) {
    if (!budget->Spend(kPiece)) return false;
    const auto first = items->begin() + static_cast<std::ptrdiff_t>(begin);
    std::stable_sort(first, items->begin() + static_cast<std::ptrdiff_t>(std::min(begin + kPiece, count)), is_before);
  }
  if (count <= kPiece) return true;
  std::vector<Item> merged;
  for (size_t size = kPiece; size < count; size *= 2) {
    merged.clear();
    merged.reserve(count);
    for (size_t begin = 0; begin < count; begin += 2 * size) {
      size_t a = begin, b = std::min(begin + size, count);
      const size_t a_end = b, b_end = std::min(begin + 2 * size, count);
      while (a < a_end || b < b_end) {
        if (!budget->Spend(kItemsBetweenLooks)) return false;
        for (size_t i = 0; i < kItemsBetweenLooks && (a < a_end || b < b_end); ++i) {
          const bool takes_b = a == a_end || (b < b_end && is_before((*items)[b], (*items)[a]));
          merged.push_back(takes_b ? (*items)[b++] : (*items)[a++]);
        }
      }
    }
    items->swap(merged);
  }
  return true;
}

}  // namespace freshdex::score

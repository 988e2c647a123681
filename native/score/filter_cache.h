// The documents that passed the filters of earlier searches, kept for the same filters of later ones. What a write
// left as it was is not looked at again: a filter is evaluated page by page, and pages of columns are copied on write.
//
// Belongs to one thread and to the snapshots of one index.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/score/document_set.h"
#include "native/score/filter.h"
#include "native/score/search_budget.h"

namespace freshdex::score {

using SharedDocuments = std::shared_ptr<const DocumentSet>;

class FilterCache {
 public:
  // The documents that pass; null when the budget is spent. `wire` is the filter's, by which it is known again.
  SharedDocuments Passing(const index::Snapshot& snapshot, std::string_view wire, const FilterNode& filter,
                          SearchBudget* budget);
  // The documents that are there; null when the budget is spent.
  SharedDocuments Visible(const index::Snapshot& snapshot, SearchBudget* budget);
  void Clear();

 private:
  // A page of a column as it was read. It does not keep the page.
  using SeenPage = std::weak_ptr<const index::ColumnPage>;

  struct Kept {
    std::string wire;
    uint64_t sequence = 0;  // of the snapshot whose documents these are
    SharedDocuments passing;
    std::vector<std::vector<SeenPage>> pages;  // by column of the filter, then by page
    // What the pages gave, documents that are not there included; null where it is the same as `passing`.
    SharedDocuments scanned;

    size_t MemoryBytes() const;
  };

  // Brings an entry up to a snapshot; false when the budget is spent, and the entry is as it was.
  bool Update(const index::Snapshot& snapshot, const FilterNode& filter, SearchBudget* budget, Kept* kept);
  void DropOldest();

  // More filters than a page of an application shows at once.
  static constexpr size_t kMaxKept = 32;
  static constexpr size_t kMaxBytes = 16u << 20;

  std::list<Kept> kept_;  // asked for last first
  uint64_t visible_sequence_ = 0;
  SharedDocuments visible_;
};

}  // namespace freshdex::score

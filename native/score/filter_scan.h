// Which documents pass a filter: a scan through the pages of its columns, 512 documents at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "native/score/document_set.h"
#include "native/score/filter.h"
#include "native/score/search_budget.h"

namespace freshdex::score {

class FilterScan {
 public:
  static constexpr size_t kPageDocs = index::ColumnPage::kDocs;
  static constexpr size_t kPageWords = kPageDocs / DocumentSet::kBits;
  using PageBits = std::array<uint64_t, kPageWords>;

  // The snapshot must outlive the scan.
  FilterScan(const index::Snapshot& snapshot, const FilterNode& filter);

  // The documents of a page that pass. Where needs_visible(), documents that are not there may be among them.
  PageBits Scan(size_t page) const { return Evaluate(root_, page); }
  bool needs_visible() const { return needs_visible_; }
  // The columns whose pages the scan reads.
  const std::vector<size_t>& columns() const { return columns_; }

 private:
  // A node with its values as the columns have them.
  struct Node {
    FilterKind kind = FilterKind::kAnd;
    size_t column = 0;
    std::vector<double> numbers;     // ascending, each once
    std::vector<uint32_t> ordinals;  // the same
    std::vector<uint8_t> is_wanted;  // by ordinal, where there are several
    bool has_unknown = false;        // some word is in no document
    ValueRange range;
    std::vector<Node> children;
  };

  Node Prepare(const FilterNode& filter);
  void PrepareValues(const FilterNode& filter, Node* node) const;
  PageBits Evaluate(const Node& node, size_t page) const;
  PageBits EvaluateGroup(const Node& node, size_t page) const;
  PageBits EvaluateLeaf(const Node& node, const index::ColumnPage& page) const;

  const index::Snapshot& snapshot_;
  bool needs_visible_ = false;
  std::vector<size_t> columns_;
  Node root_;
};

// The documents that are there. None when the budget is spent.
std::optional<DocumentSet> VisibleDocuments(const index::Snapshot& snapshot, SearchBudget* budget);

}  // namespace freshdex::score

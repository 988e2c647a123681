#include "native/score/filter_scan.h"

#include <algorithm>
#include <span>

namespace freshdex::score {
namespace {

using index::ColumnPage;
using PageBits = FilterScan::PageBits;

// The documents one of whose values passes the test.
template <typename T, typename Test>
PageBits BitsOf(const ColumnPage& page, Test passes) {
  PageBits bits{};
  if (page.is_dense()) {
    const T* const values = page.All<T>().data();
    for (size_t i = 0; i < bits.size(); ++i) {
      uint64_t word = 0;
      for (size_t j = 0; j < DocumentSet::kBits; ++j) word |= uint64_t{passes(values[i * DocumentSet::kBits + j])} << j;
      bits[i] = word;
    }
    return bits;
  }
  for (size_t nth = 0; nth < FilterScan::kPageDocs; ++nth) {
    bool any = false;
    for (const T value : page.Values<T>(nth)) any = any || passes(value);
    bits[nth / DocumentSet::kBits] |= uint64_t{any} << (nth % DocumentSet::kBits);
  }
  return bits;
}

// The documents whose values include all of these. REQUIRES: ascending, each once.
template <typename T>
PageBits BitsOfAll(const ColumnPage& page, std::span<const T> wanted) {
  PageBits bits{};
  for (size_t nth = 0; nth < FilterScan::kPageDocs; ++nth) {
    const std::span<const T> values = page.Values<T>(nth);
    const bool has_all = std::ranges::includes(values, wanted);
    bits[nth / DocumentSet::kBits] |= uint64_t{has_all} << (nth % DocumentSet::kBits);
  }
  return bits;
}

template <typename T>
PageBits BitsOfAny(const ColumnPage& page, std::span<const T> wanted) {
  if (wanted.size() == 1) return BitsOf<T>(page, [only = wanted[0]](T value) { return value == only; });
  return BitsOf<T>(page, [&](T value) { return std::ranges::binary_search(wanted, value); });
}

// The documents that have a value.
PageBits BitsOfPresent(const ColumnPage& page, bool is_keyword) {
  return is_keyword ? BitsOf<uint32_t>(page, [](uint32_t) { return true; })
                    : BitsOf<double>(page, [](double) { return true; });
}

template <typename T>
void SortOnce(std::vector<T>* values) {
  std::sort(values->begin(), values->end());
  values->erase(std::unique(values->begin(), values->end()), values->end());
}

}  // namespace

FilterScan::FilterScan(const index::Snapshot& snapshot, const FilterNode& filter) : snapshot_(snapshot) {
  root_ = Prepare(filter);
  SortOnce(&columns_);
}

FilterScan::Node FilterScan::Prepare(const FilterNode& filter) {
  Node node;
  node.kind = filter.kind;
  node.column = filter.column;
  node.range = filter.range;
  for (const FilterNode& child : filter.children) node.children.push_back(Prepare(child));
  const bool is_group = filter.kind <= FilterKind::kNot;
  if (!is_group) columns_.push_back(filter.column);
  if (filter.kind == FilterKind::kAny || filter.kind == FilterKind::kAll) PrepareValues(filter, &node);
  const bool passes_all = filter.kind == FilterKind::kAnd && filter.children.empty();
  needs_visible_ = needs_visible_ || passes_all || filter.kind == FilterKind::kNot;
  return node;
}

void FilterScan::PrepareValues(const FilterNode& filter, Node* node) const {
  const index::Column& column = snapshot_.columns[filter.column];
  node->numbers = filter.numbers;
  SortOnce(&node->numbers);
  for (const std::string& word : filter.words) {
    const std::optional<uint32_t> ordinal = column.FindWord(word);
    node->has_unknown = node->has_unknown || !ordinal;
    if (ordinal) node->ordinals.push_back(*ordinal);
  }
  SortOnce(&node->ordinals);
  if (filter.kind == FilterKind::kAny && node->ordinals.size() > 1) {
    node->is_wanted.assign(column.ordinal_count(), 0);
    for (const uint32_t ordinal : node->ordinals) node->is_wanted[ordinal] = 1;
  }
}

PageBits FilterScan::Evaluate(const Node& node, size_t page) const {
  if (node.kind <= FilterKind::kNot) return EvaluateGroup(node, page);
  const ColumnPage* const values = snapshot_.columns[node.column].page(page);
  return values ? EvaluateLeaf(node, *values) : PageBits{};
}

PageBits FilterScan::EvaluateGroup(const Node& node, size_t page) const {
  PageBits bits{};
  if (node.kind == FilterKind::kNot) {
    bits = Evaluate(node.children.front(), page);
    for (uint64_t& word : bits) word = ~word;
    return bits;
  }
  const bool is_and = node.kind == FilterKind::kAnd;
  bits.fill(is_and ? ~uint64_t{0} : 0);
  for (const Node& child : node.children) {
    const PageBits part = Evaluate(child, page);
    for (size_t i = 0; i < bits.size(); ++i) bits[i] = is_and ? bits[i] & part[i] : bits[i] | part[i];
    const uint64_t decided = is_and ? 0 : ~uint64_t{0};
    if (std::ranges::all_of(bits, [decided](uint64_t word) { return word == decided; })) break;
  }
  return bits;
}

PageBits FilterScan::EvaluateLeaf(const Node& node, const ColumnPage& page) const {
  const bool is_keyword = snapshot_.columns[node.column].kind() == index::ColumnKind::kKeyword;
  switch (node.kind) {
    case FilterKind::kRange: {
      const ValueRange range = node.range;
      return BitsOf<double>(page, [range](double value) { return range.Has(value); });
    }
    case FilterKind::kAny:
      if (!is_keyword) return BitsOfAny<double>(page, node.numbers);
      if (node.ordinals.size() < 2) return BitsOfAny<uint32_t>(page, node.ordinals);
      return BitsOf<uint32_t>(page, [&](uint32_t ordinal) { return node.is_wanted[ordinal] != 0; });
    case FilterKind::kAll:
      if (node.has_unknown) return {};
      if (node.ordinals.empty() && node.numbers.empty()) return BitsOfPresent(page, is_keyword);
      return is_keyword ? BitsOfAll<uint32_t>(page, node.ordinals) : BitsOfAll<double>(page, node.numbers);
    default:
      return BitsOfPresent(page, is_keyword);
  }
}

std::optional<DocumentSet> VisibleDocuments(const index::Snapshot& snapshot, SearchBudget* budget) {
  DocumentSet visible(snapshot.doc_limit);
  const std::span<uint64_t> words = visible.words();
  for (size_t i = 0; i < words.size(); ++i) {
    if (!budget->Spend(DocumentSet::kBits)) return std::nullopt;
    const size_t end = std::min<size_t>(snapshot.doc_limit, (i + 1) * DocumentSet::kBits);
    uint64_t word = 0;
    for (size_t doc = i * DocumentSet::kBits; doc < end; ++doc)
      word |= uint64_t{snapshot.IsVisible(static_cast<index::DocId>(doc))} << (doc % DocumentSet::kBits);
    words[i] = word;
  }
  return visible;
}

}  // namespace freshdex::score

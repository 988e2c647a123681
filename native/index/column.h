// The values of the columns by document, as of a snapshot: pages that are copied on write, and for keywords a
// dictionary that all snapshots share.
//
// Invariants (checked by CheckIndex)
//   V1  the values of a visible document are those of its record; an invisible one has none
//   V2  every ordinal of a page is below ordinal_count()
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "native/index/column_page.h"
#include "native/index/column_values.h"
#include "native/index/ids.h"
#include "native/index/keyword_dict.h"

namespace freshdex::index {

class Column {
 public:
  Column(ColumnKind kind, uint64_t seed) : kind_(kind) {
    if (kind == ColumnKind::kKeyword) dict_ = std::make_shared<KeywordDict>(seed);
  }

  ColumnKind kind() const { return kind_; }
  // Values of the document, ascending and each once: kNumber as it is, kDate in ms since 1970, kBoolean 0 or 1.
  // REQUIRES: not kKeyword.
  std::span<const double> Numbers(DocId doc) const { return Values<double>(doc); }
  // Keywords by ordinal, which is by first sight and not by alphabet. REQUIRES: kKeyword, as for the next three.
  std::span<const uint32_t> Ordinals(DocId doc) const { return Values<uint32_t>(doc); }
  // Every ordinal in use is below.
  uint32_t ordinal_count() const { return ordinal_count_; }
  std::string_view Word(uint32_t ordinal) const { return dict_->Text(ordinal); }
  std::optional<uint32_t> FindWord(std::string_view word) const {
    const std::optional<uint32_t> ordinal = dict_->Find(word);
    return ordinal && *ordinal < ordinal_count_ ? ordinal : std::nullopt;
  }
  // For what is kept by ordinal: ordinals mean the same words as long as this is the same.
  std::shared_ptr<const KeywordDict> dictionary() const { return dict_; }

  // For loops over many documents: the page of documents from number * ColumnPage::kDocs on; null when none of them has
  // a value.
  const ColumnPage* page(size_t number) const { return number < pages_.size() ? pages_[number].get() : nullptr; }
  size_t page_limit() const { return pages_.size(); }
  size_t MemoryBytes() const;
  // Whether a page is in no segment.
  bool HasUnwrittenPages() const;

  // For the writer.
  const std::vector<std::shared_ptr<const ColumnPage>>& pages() const { return pages_; }
  void SetPage(size_t number, std::shared_ptr<const ColumnPage> page);
  // A word of this column, which the snapshot then knows. REQUIRES: kKeyword, and no reader has seen this column yet.
  uint32_t TakeWord(std::string_view word);
  // False when the word is there already.
  bool TakeMappedWord(const char* entry, const std::shared_ptr<const void>& owner);
  // The same values with a dictionary of the words in use only; none where too few are out of use to be worth it.
  std::optional<Column> WithoutUnusedWords(uint64_t seed) const;

 private:
  template <typename T>
  std::span<const T> Values(DocId doc) const {
    const ColumnPage* of = page(doc / ColumnPage::kDocs);
    return of ? of->Values<T>(doc % ColumnPage::kDocs) : std::span<const T>();
  }

  ColumnKind kind_;
  std::vector<std::shared_ptr<const ColumnPage>> pages_;
  std::shared_ptr<KeywordDict> dict_;  // null unless kKeyword
  uint32_t ordinal_count_ = 0;
  size_t own_bytes_ = 0;  // of pages in memory
};

ColumnKinds KindsOf(const std::vector<Column>& columns);

}  // namespace freshdex::index

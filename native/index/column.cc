#include "native/index/column.h"

#include <algorithm>

namespace freshdex::index {
namespace {

// Words out of use are dropped when they are this share of all, and at least so many.
constexpr double kUnusedWordShare = 0.25;
constexpr size_t kFewUnusedWords = 256;

}  // namespace

size_t Column::MemoryBytes() const {
  return pages_.capacity() * sizeof(pages_[0]) + own_bytes_ + (dict_ ? dict_->MemoryBytes() : 0);
}

bool Column::HasUnwrittenPages() const {
  return std::any_of(pages_.begin(), pages_.end(), [](const auto& page) { return page && !page->segment(); });
}

void Column::SetPage(size_t number, std::shared_ptr<const ColumnPage> page) {
  if (number >= pages_.size()) {
    if (!page) return;
    pages_.resize(number + 1);
  }
  const auto own_bytes = [](const auto& of) {
    return of && !of->segment() ? of->bytes().size() + sizeof(ColumnPage) : 0;
  };
  own_bytes_ += own_bytes(page) - own_bytes(pages_[number]);
  pages_[number] = std::move(page);
}

uint32_t Column::TakeWord(std::string_view word) {
  const uint32_t ordinal = dict_->FindOrAdd(word);
  ordinal_count_ = dict_->size();
  return ordinal;
}

bool Column::TakeMappedWord(const char* entry, const std::shared_ptr<const void>& owner) {
  const bool is_new = dict_->AddMapped(entry, owner);
  ordinal_count_ = dict_->size();
  return is_new;
}

ColumnKinds KindsOf(const std::vector<Column>& columns) {
  ColumnKinds kinds;
  for (const Column& column : columns) kinds.push_back(column.kind());
  return kinds;
}

std::optional<Column> Column::WithoutUnusedWords(uint64_t seed) const {
  if (kind_ != ColumnKind::kKeyword) return std::nullopt;
  std::vector<bool> is_used(ordinal_count_, false);
  for (const auto& page : pages_) {
    if (!page) continue;
    for (const uint32_t ordinal : page->All<uint32_t>()) is_used[ordinal] = true;
  }
  const size_t unused = static_cast<size_t>(std::count(is_used.begin(), is_used.end(), false));
  if (unused < kFewUnusedWords || static_cast<double>(unused) < kUnusedWordShare * ordinal_count_) return std::nullopt;
  // In the order that they have: the values of a document go on ascending.
  Column fresh(kind_, seed);
  std::vector<uint32_t> renumbered(ordinal_count_, 0);
  for (uint32_t ordinal = 0; ordinal < ordinal_count_; ++ordinal) {
    if (is_used[ordinal]) renumbered[ordinal] = fresh.TakeWord(Word(ordinal));
  }
  std::vector<uint32_t> begins(ColumnPage::kDocs + 1), ordinals;
  for (size_t number = 0; number < pages_.size(); ++number) {
    if (!pages_[number]) continue;
    ordinals.clear();
    for (size_t nth = 0; nth < ColumnPage::kDocs; ++nth) {
      begins[nth] = static_cast<uint32_t>(ordinals.size());
      for (const uint32_t ordinal : pages_[number]->Values<uint32_t>(nth)) ordinals.push_back(renumbered[ordinal]);
    }
    begins.back() = static_cast<uint32_t>(ordinals.size());
    fresh.SetPage(number, ColumnPage::Build<uint32_t>(begins, ordinals));
  }
  return fresh;
}

}  // namespace freshdex::index

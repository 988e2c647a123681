// An array indexed by document number that is copied on write, page by page: a snapshot holds a copy that costs one pointer per page, and a
// batch copies only the pages it touches. An absent page reads as T{}.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace freshdex::index {

template <typename T, size_t kPageSize>
class PagedTable {
  using Page = std::array<T, kPageSize>;

 public:
  const T& operator[](size_t i) const {
    static const T kAbsent{};
    const size_t page = i / kPageSize;
    if (page >= pages_.size() || !pages_[page]) return kAbsent;
    return (*pages_[page])[i % kPageSize];
  }

  // The elements of one page, or null; for loops over many documents.
  const T* page(size_t number) const { return number < pages_.size() && pages_[number] ? pages_[number]->data() : nullptr; }
  static constexpr size_t kElementsPerPage = kPageSize;
  // Elements from here on are absent.
  size_t limit() const { return pages_.size() * kPageSize; }

  size_t MemoryBytes() const {
    size_t bytes = pages_.capacity() * sizeof(pages_[0]);
    for (const auto& page : pages_) bytes += page ? sizeof(Page) : 0;
    return bytes;
  }

  // Changes one table that no reader has seen yet. Pages shared with older tables are copied at their first change.
  class Editor {
   public:
    explicit Editor(PagedTable* table) : table_(table), owned_(table->pages_.size(), false) {}

    void Set(size_t i, T value) {
      const size_t page = i / kPageSize;
      if (page >= table_->pages_.size()) {
        table_->pages_.resize(page + 1);
        owned_.resize(page + 1, false);
      }
      auto& slot = table_->pages_[page];
      if (!owned_[page]) {
        slot = slot ? std::make_shared<Page>(*slot) : std::make_shared<Page>();
        owned_[page] = true;
      }
      (*slot)[i % kPageSize] = std::move(value);
    }

   private:
    PagedTable* table_;
    std::vector<bool> owned_;
  };

 private:
  std::vector<std::shared_ptr<Page>> pages_;
};

}  // namespace freshdex::index

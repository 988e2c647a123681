// An array indexed by document number that is copied on write, page by page: a snapshot holds a copy that costs one
// pointer per page, and a batch copies only the pages it touches. An absent page reads as T{}.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
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
  const T* page(size_t number) const {
    return number < pages_.size() && pages_[number] ? pages_[number]->data() : nullptr;
  }
  static constexpr size_t kElementsPerPage = kPageSize;
  // Elements from here on are absent.
  size_t limit() const { return pages_.size() * kPageSize; }

  // An upper bound: pages that show mapped memory count too.
  size_t MemoryBytes() const { return pages_.capacity() * sizeof(pages_[0]) + pages_.size() * sizeof(Page); }

  // A table that shows `count` elements of mapped memory, which `owner` keeps alive. REQUIRES: whole pages are
  // readable.
  static PagedTable Mapped(const T* elements, size_t count, const std::shared_ptr<const void>& owner) {
    static_assert(std::is_trivially_copyable_v<T>);
    PagedTable table;
    for (size_t i = 0; i < count; i += kPageSize)
      table.pages_.emplace_back(owner, reinterpret_cast<const Page*>(elements + i));
    return table;
  }

  // Changes one table that no reader has seen yet. Pages shared with older tables are copied at their first change.
  class Editor {
   public:
    explicit Editor(PagedTable* table) : table_(table), owned_(table->pages_.size(), nullptr) {}

    void Set(size_t i, T value) {
      const size_t page = i / kPageSize;
      if (page >= table_->pages_.size()) {
        table_->pages_.resize(page + 1);
        owned_.resize(page + 1, nullptr);
      }
      if (!owned_[page]) {
        auto& slot = table_->pages_[page];
        auto copy = slot ? std::make_shared<Page>(*slot) : std::make_shared<Page>();
        owned_[page] = copy.get();
        slot = std::move(copy);
      }
      (*owned_[page])[i % kPageSize] = std::move(value);
    }

   private:
    PagedTable* table_;
    std::vector<Page*> owned_;  // by page: the copy made for this table, or null
  };

 private:
  std::vector<std::shared_ptr<const Page>> pages_;
};

}  // namespace freshdex::index

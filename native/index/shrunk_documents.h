// Documents that became shorter in one field, or went, after some partition was folded: the impacts of that partition
// know them as longer than they are, so bounds that follow from impacts are too low for them.
//
// An entry stands for all changes of a document that a fold may not have seen: the number of the last batch that
// shortened it, and the longest norm it had before any of them. Pages of entries are copied on write, like PagedTable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include "native/index/ids.h"

namespace freshdex::index {

class ShrunkDocuments {
 public:
  struct Entry {
    uint64_t sequence;
    DocId doc;
    uint8_t norm_before;  // 255 where it is not known
  };

  // Calls visit(entry) in order of documents, up to one document.
  template <typename Visit>
  void ForEachUpTo(DocId last, Visit visit) const {
    for (size_t number = 0; number < PagesUpTo(last); ++number) {
      if (!pages_[number]) continue;
      for (const Entry& entry : *pages_[number]) {
        if (entry.doc <= last) visit(entry);
      }
    }
  }
  size_t MemoryBytes() const {
    size_t bytes = pages_.capacity() * sizeof(pages_[0]);
    for (const auto& page : pages_) bytes += page ? page->capacity() * sizeof(Entry) : 0;
    return bytes;
  }

  // Changes one table that no reader has seen yet.
  class Editor {
   public:
    // Entries of batches up to `folded_through` are known to every fold: they go when their page is copied.
    Editor(ShrunkDocuments* table, uint64_t folded_through)
        : table_(table), folded_through_(folded_through), owned_(table->pages_.size(), nullptr) {}

    void Note(const Entry& entry) {
      std::vector<Entry>& page = PageOf(entry.doc);
      const auto at = std::lower_bound(page.begin(), page.end(), entry.doc,
                                       [](const Entry& other, DocId doc) { return other.doc < doc; });
      if (at == page.end() || at->doc != entry.doc) {
        page.insert(at, entry);
      } else {
        at->sequence = std::max(at->sequence, entry.sequence);
        at->norm_before = std::max(at->norm_before, entry.norm_before);
      }
    }

   private:
    std::vector<Entry>& PageOf(DocId doc) {
      const size_t number = doc / kDocsPerPage;
      if (number >= table_->pages_.size()) {
        table_->pages_.resize(number + 1);
        owned_.resize(number + 1, nullptr);
      }
      if (owned_[number] == nullptr) {
        auto copy = std::make_shared<std::vector<Entry>>();
        if (const auto& old = table_->pages_[number]) {
          std::copy_if(old->begin(), old->end(), std::back_inserter(*copy),
                       [&](const Entry& entry) { return entry.sequence > folded_through_; });
        }
        owned_[number] = copy.get();
        table_->pages_[number] = std::move(copy);
      }
      return *owned_[number];
    }

    ShrunkDocuments* table_;
    const uint64_t folded_through_;
    std::vector<std::vector<Entry>*> owned_;  // by page: the copy made for this table, or null
  };

 private:
  static constexpr size_t kDocsPerPage = 4096;

  size_t PagesUpTo(DocId last) const { return std::min(pages_.size(), size_t{last} / kDocsPerPage + 1); }

  std::vector<std::shared_ptr<const std::vector<Entry>>> pages_;
};

}  // namespace freshdex::index

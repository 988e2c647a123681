// Keys and document numbers.
//
// Threads: one writer binds and releases; any thread may call Find() (shared lock) and KeyOf(). A key stays bound after
// its document is removed, until no snapshot can see the document: so an old snapshot still finds it, and a key that
// comes back gets its old number.
#pragma once

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string_view>
#include <vector>

#include "native/index/ids.h"
#include "native/index/segmented_vector.h"

namespace freshdex::index {

class KeyTable {
 public:
  explicit KeyTable(uint64_t seed) : seed_(seed) {}
  KeyTable(const KeyTable&) = delete;
  KeyTable& operator=(const KeyTable&) = delete;

  // Any thread. The number bound to the key, whether or not a given snapshot shows the document; kNoDoc when there is
  // none.
  DocId Find(std::string_view key) const;
  // Any thread, no lock. REQUIRES: `doc` is bound, and either visible in a snapshot the caller holds or the caller is
  // the writer.
  std::string_view KeyOf(DocId doc) const;
  // The same for a KeyOf() that follows: keys lie far apart, and waiting for them is most of what they cost.
  void Prefetch(DocId doc) const { __builtin_prefetch(keys_[doc].get()); }

  // Writer only. REQUIRES: the key is unbound, doc <= bound_limit(), doc is not bound.
  void Bind(std::string_view key, DocId doc);
  // Writer only, on an empty table: binds document i to entries[i] (u16 length, bytes; null: not bound), in memory that
  // `owner` keeps alive. REQUIRES: all keys differ; `ascending` has the bound documents, those whose keys lie one
  // behind the other in memory, as far as may be, one behind the other.
  void BindAll(const std::vector<const char*>& entries, const std::vector<DocId>& ascending,
               std::shared_ptr<const void> owner);
  // Writer only. REQUIRES: bound, and no snapshot sees the document.
  void Release(DocId doc);

  // Writer only. Forgets that numbers from `limit` on were ever bound. REQUIRES: none of them is.
  void TruncateTo(DocId limit) { keys_.TruncateTo(limit); }

  // Writer only. Numbers below this have been bound at some time.
  DocId bound_limit() const { return static_cast<DocId>(keys_.size()); }
  bool IsBound(DocId doc) const { return doc < keys_.size() && keys_[doc] != nullptr; }
  size_t bound_count() const { return bound_; }
  size_t MemoryBytes() const;

 private:
  // A bound key: u16 length, bytes. Its memory is the table's own, or lies where owner_ keeps it alive.
  struct FreeIfOwn {
    bool is_own = false;
    void operator()(const char* entry) const {
      if (is_own) delete[] entry;
    }
  };
  using Entry = std::unique_ptr<const char[], FreeIfOwn>;

  struct Slot {
    uint32_t hash = 0;
    uint32_t doc_plus_1 = 0;  // 0: empty
  };

  uint32_t HashOf(std::string_view key) const;
  size_t SlotOf(std::string_view key) const;  // the key's slot, or the empty slot where it would go
  void Grow();

  const uint64_t seed_;
  std::shared_ptr<const void> owner_;
  SegmentedVector<Entry> keys_;  // by document number; null when unbound
  size_t key_bytes_ = 0;
  size_t bound_ = 0;

  mutable std::shared_mutex table_mutex_;
  std::vector<Slot> table_;  // open addressing, power of two, at most 3/4 full
};

}  // namespace freshdex::index

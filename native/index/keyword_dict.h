// The words of one keyword column and their ordinals, which are given in order of first sight.
//
// Threads: one writer adds; any thread may call Find() and Text(). Find() takes the table's lock in shared mode,
// because adding may move the hash table; Text() needs no lock for an ordinal learnt from a snapshot (the bytes never
// move).
//
// Invariants
//   D1  ordinals are dense, from 0, in order of Add()
//   D2  no two ordinals have the same word
//   D3  an ordinal, once given, always means the same word; a dictionary without the words that no document has is
//       another dictionary
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <vector>

#include "native/index/entry_arena.h"
#include "native/index/segmented_vector.h"

namespace freshdex::index {

class KeywordDict {
 public:
  explicit KeywordDict(uint64_t seed) : seed_(seed) {}
  KeywordDict(const KeywordDict&) = delete;
  KeywordDict& operator=(const KeywordDict&) = delete;

  // Any thread.
  std::optional<uint32_t> Find(std::string_view word) const;
  std::string_view Text(uint32_t ordinal) const;

  // Writer only. REQUIRES: at most kMaxKeywordBytes, size() < kMaxWords when it is not there.
  uint32_t FindOrAdd(std::string_view word);
  // Writer only. Adds a word whose entry (u16 length, bytes) lies in memory that `owner` keeps alive; false when it is
  // there already.
  bool AddMapped(const char* entry, const std::shared_ptr<const void>& owner);

  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }  // writer only
  size_t MemoryBytes() const;                                               // writer only

  static constexpr uint32_t kMaxWords = UINT32_MAX - 1;

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t ordinal_plus_1 = 0;  // 0: empty
  };

  uint32_t HashOf(std::string_view word) const;
  // The word's slot, or the empty slot where it would go. REQUIRES: there is an empty slot.
  size_t SlotOf(std::string_view word, uint32_t hash) const;
  uint32_t Insert(const char* entry, uint32_t hash);
  void Grow();

  const uint64_t seed_;
  SegmentedVector<const char*> entries_;
  EntryArena arena_;
  std::vector<std::unique_ptr<char[]>> long_entries_;  // those that the arena has no room for
  size_t long_bytes_ = 0;
  std::vector<std::shared_ptr<const void>> owners_;

  mutable std::shared_mutex table_mutex_;
  std::vector<Slot> table_;  // open addressing, power of two, at most 3/4 full
};

}  // namespace freshdex::index

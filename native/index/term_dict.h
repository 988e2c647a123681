// Terms and their numbers. A term is (field, bytes of at most 255).
//
// Threads: one writer adds; any thread may call Find(), Text() and FieldOf(). Find() takes the table's lock in shared
// mode, because adding may move the hash table; Text() and FieldOf() need no lock for a number learnt from a snapshot
// (the bytes never move).
//
// Invariants
//   I1  numbers are dense, from 0, in order of Add()
//   I2  no two numbers have the same field and bytes
//   I3  a number, once given, always means the same term; a dictionary without the terms that no document has
//       (term_reclaim.h) is another dictionary
//   I4  the identity of a term is no other term's, in this dictionary and in all that it comes from
#pragma once

#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <vector>

#include "native/index/entry_arena.h"
#include "native/index/ids.h"
#include "native/index/segmented_vector.h"

namespace freshdex::index {

class TermDict {
 public:
  explicit TermDict(uint64_t seed) : seed_(seed) {}
  TermDict(const TermDict&) = delete;
  TermDict& operator=(const TermDict&) = delete;

  // Keyed by a seed drawn per index, so that no input can be built to collide.
  uint64_t Hash(FieldId field, std::string_view bytes) const;

  // Any thread. kNoTerm when absent.
  TermId Find(FieldId field, std::string_view bytes) const;

  // Writer only, with hash = Hash(field, bytes).
  TermId FindAsWriter(FieldId field, std::string_view bytes, uint64_t hash) const;
  // Writer only. REQUIRES: absent, bytes.size() <= 255, size() < kMaxTerms.
  TermId Add(FieldId field, std::string_view bytes, uint64_t hash);

  // Writer only. Add() in two steps, with the identity given: memory of the dictionary for the bytes of a term, and the
  // term. REQUIRES: as for Add().
  const char* Store(FieldId field, std::string_view bytes);
  // `identity`: its own, given earlier; without a meaning where none are kept.
  TermId AddStored(const char* entry, uint64_t hash, uint32_t identity) { return Insert(entry, hash, identity); }

  // What stands for a term in sketches, which are compared for as long as the index lives (document_sketch.h): the
  // number that it was given first. Once terms were reclaimed it is kept beside the number that the term has by now.
  // All of these: writer only.
  uint32_t IdentityOf(TermId term) const { return has_identities_ ? identities_[term] : term; }
  bool has_identities() const { return has_identities_; }
  // The identity of the term that is added next, as many as were ever given.
  uint64_t next_identity() const { return has_identities_ ? next_identity_ : size(); }
  // How many terms were ever reclaimed: two dictionaries of an index agree on numbers only where they agree on this.
  uint64_t reclaimed() const { return next_identity() - size(); }
  // From now on identities are kept; the next term that is new to the index gets this one. REQUIRES: size() is 0, or
  // identities are kept already.
  void StartIdentities(uint64_t next) {
    has_identities_ = true;
    next_identity_ = next;
  }

  // Writer only. For several lookups at a time, whose waits for memory then overlap: each of the three fetches what the
  // next reads, and FindAsWriter() reads what the last one has fetched. They do nothing but save time.
  void PrefetchSlot(uint64_t hash) const {
    if (!table_.empty()) __builtin_prefetch(&table_[HomeOf(hash)]);
  }
  void PrefetchEntry(uint64_t hash) const {
    if (const Slot* slot = SlotAtHome(hash)) __builtin_prefetch(&entries_[slot->term_plus_1 - 1]);
  }
  void PrefetchText(uint64_t hash) const {
    if (const Slot* slot = SlotAtHome(hash)) __builtin_prefetch(entries_[slot->term_plus_1 - 1]);
  }

  // Writer only. Forgets the terms from `size` on, none of which any snapshot has: their publication has failed. Takes
  // no memory. Their bytes stay taken until the dictionary goes.
  void TruncateTo(size_t size);

  size_t size() const { return entries_.size(); }  // writer only
  std::string_view Text(TermId term) const {
    const char* entry = entries_[term];
    return {entry + 2, static_cast<uint8_t>(entry[1])};
  }
  FieldId FieldOf(TermId term) const { return static_cast<FieldId>(entries_[term][0]); }

  size_t MemoryBytes() const;  // writer only

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t term_plus_1 = 0;  // 0: empty
  };

  static uint32_t UpperHalf(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
  size_t HomeOf(uint64_t hash) const { return UpperHalf(hash) & (table_.size() - 1); }
  // The slot at which a search for the hash begins, if what it has may be what is looked for.
  const Slot* SlotAtHome(uint64_t hash) const {
    if (table_.empty()) return nullptr;
    const Slot& slot = table_[HomeOf(hash)];
    return slot.term_plus_1 != 0 && slot.hash == UpperHalf(hash) ? &slot : nullptr;
  }
  // Without an identity, the next one.
  TermId Insert(const char* entry, uint64_t hash, std::optional<uint32_t> identity);
  void Grow();
  void RemoveSlot(size_t hole);

  const uint64_t seed_;
  SegmentedVector<const char*> entries_;  // each: u8 field, u8 length, bytes
  EntryArena arena_;
  bool has_identities_ = false;
  SegmentedVector<uint32_t> identities_;  // by term; empty until terms were reclaimed
  uint64_t next_identity_ = 0;

  mutable std::shared_mutex table_mutex_;
  std::vector<Slot> table_;  // open addressing, power of two, at most 3/4 full
};

}  // namespace freshdex::index

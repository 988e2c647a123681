// Spellings: the words of documents as they are written, lower-cased and not stemmed, and the term that each belongs
// to. A word seen before is not stemmed again, and prefix and fuzzy words are compared with what stands in documents.
//
// Most terms are spelt as they are, which takes a byte a term. A spelling of its own has an entry: `policies` of the
// term `polici`; also `polici`, if a document has that word, but had another form of it first.
//
// Threads: one writer adds and looks words up. Any thread may ask about terms and spellings that it learnt from a
// snapshot, without a lock: what is said of them never changes.
//
// Invariants
//   L1  spellings have dense numbers, from 0, in order of Add(); terms are noted in order of their numbers
//   L2  a word of a field is at most one spelling, and none if it is a term that is spelt as it is
//   L3  a spelling is in the field of its term
//   L4  a term is spelt as it is, or has a spelling of its own
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "native/index/entry_arena.h"
#include "native/index/ids.h"
#include "native/index/segmented_vector.h"

namespace freshdex::index {

class SpellingTable {
 public:
  SpellingTable() = default;
  SpellingTable(const SpellingTable&) = delete;
  SpellingTable& operator=(const SpellingTable&) = delete;

  // The following are for the writer. `hash` is that of TermDict::Hash(field, bytes).

  // Notes the next term of the dictionary.
  void AddTerm(bool is_spelt_as_is) { spelt_as_is_.Append(is_spelt_as_is); }
  // kNoSpelling when absent.
  SpellingId Find(FieldId field, std::string_view bytes, uint64_t hash) const;
  // As those of TermDict.
  void PrefetchSlot(uint64_t hash) const {
    if (!table_.empty()) __builtin_prefetch(&table_[HomeOf(hash)]);
  }
  void PrefetchEntry(uint64_t hash) const {
    if (const Slot* slot = SlotAtHome(hash)) __builtin_prefetch(&entries_[slot->spelling_plus_1 - 1]);
  }
  void PrefetchText(uint64_t hash) const {
    if (const Slot* slot = SlotAtHome(hash)) __builtin_prefetch(entries_[slot->spelling_plus_1 - 1]);
  }
  // REQUIRES: absent (L2), bytes.size() <= 255, size() < kMaxSpellings.
  SpellingId Add(FieldId field, std::string_view bytes, TermId term, uint64_t hash);
  // Forgets terms and spellings from these on, as TermDict::TruncateTo() does.
  void TruncateTo(size_t terms, size_t size);
  size_t size() const { return entries_.size(); }
  size_t terms() const { return spelt_as_is_.size(); }
  size_t MemoryBytes() const;

  // Whether documents have, or had, the text of the term as a word.
  bool IsSpeltAsIs(TermId term) const { return spelt_as_is_[term] != 0; }
  TermId TermOf(SpellingId spelling) const { return TermOf(entries_[spelling]); }
  FieldId FieldOf(SpellingId spelling) const { return FieldOf(entries_[spelling]); }
  std::string_view Text(SpellingId spelling) const { return TextOf(entries_[spelling]); }

  // An entry: u32 term, u8 field, u8 length, bytes.
  static constexpr size_t kEntryHead = 6;
  static TermId TermOf(const char* entry);
  static FieldId FieldOf(const char* entry) { return static_cast<FieldId>(entry[4]); }
  static std::string_view TextOf(const char* entry) { return {entry + kEntryHead, static_cast<uint8_t>(entry[5])}; }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t spelling_plus_1 = 0;  // 0: empty
  };

  static uint32_t UpperHalf(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
  size_t HomeOf(uint64_t hash) const { return UpperHalf(hash) & (table_.size() - 1); }
  const Slot* SlotAtHome(uint64_t hash) const {
    if (table_.empty()) return nullptr;
    const Slot& slot = table_[HomeOf(hash)];
    return slot.spelling_plus_1 != 0 && slot.hash == UpperHalf(hash) ? &slot : nullptr;
  }
  SpellingId Insert(const char* entry, uint64_t hash);
  void Grow();
  void RemoveSlot(size_t hole);

  SegmentedVector<uint8_t> spelt_as_is_;  // by term
  SegmentedVector<const char*> entries_;
  EntryArena arena_;
  std::vector<Slot> table_;  // open addressing, power of two, at most 3/4 full
};

}  // namespace freshdex::index

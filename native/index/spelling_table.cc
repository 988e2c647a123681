#include "native/index/spelling_table.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "native/base/bytes.h"

namespace freshdex::index {

TermId SpellingTable::TermOf(const char* entry) { return LoadUnaligned<TermId>(entry); }

SpellingId SpellingTable::Find(FieldId field, std::string_view bytes, uint64_t hash) const {
  if (table_.empty()) return kNoSpelling;
  const size_t mask = table_.size() - 1;
  for (size_t at = UpperHalf(hash) & mask;; at = (at + 1) & mask) {
    const Slot& slot = table_[at];
    if (slot.spelling_plus_1 == 0) return kNoSpelling;
    if (slot.hash != UpperHalf(hash)) continue;
    const char* entry = entries_[slot.spelling_plus_1 - 1];
    if (FieldOf(entry) == field && TextOf(entry) == bytes) return slot.spelling_plus_1 - 1;
  }
}

SpellingId SpellingTable::Add(FieldId field, std::string_view bytes, TermId term, uint64_t hash) {
  assert(!bytes.empty() && bytes.size() <= 255 && entries_.size() < kMaxSpellings);
  char* entry = arena_.Allocate(kEntryHead + bytes.size());
  std::memcpy(entry, &term, sizeof term);
  entry[4] = static_cast<char>(field);
  entry[5] = static_cast<char>(bytes.size());
  std::memcpy(entry + kEntryHead, bytes.data(), bytes.size());
  return Insert(entry, hash);
}

SpellingId SpellingTable::Insert(const char* entry, uint64_t hash) {
  if ((entries_.size() + 1) * 4 > table_.size() * 3) Grow();
  entries_.Append(entry);
  const auto spelling = static_cast<SpellingId>(entries_.size() - 1);
  const size_t mask = table_.size() - 1;
  size_t at = UpperHalf(hash) & mask;
  while (table_[at].spelling_plus_1 != 0) at = (at + 1) & mask;
  table_[at] = {UpperHalf(hash), spelling + 1};
  return spelling;
}

void SpellingTable::TruncateTo(size_t terms, size_t size) {
  for (size_t at = 0; at < table_.size(); ++at) {
    while (table_[at].spelling_plus_1 > size) RemoveSlot(at);
  }
  entries_.TruncateTo(size);
  spelt_as_is_.TruncateTo(terms);
}

// Entries behind the hole that may move into it do, so that no probe sequence is broken.
void SpellingTable::RemoveSlot(size_t hole) {
  const size_t mask = table_.size() - 1;
  for (size_t at = (hole + 1) & mask; table_[at].spelling_plus_1 != 0; at = (at + 1) & mask) {
    const size_t home = table_[at].hash & mask;
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    table_[hole] = table_[at];
    hole = at;
  }
  table_[hole] = {};
}

void SpellingTable::Grow() {
  std::vector<Slot> larger(std::max<size_t>(16, table_.size() * 2));
  const size_t mask = larger.size() - 1;
  for (const Slot& slot : table_) {
    if (slot.spelling_plus_1 == 0) continue;
    size_t at = slot.hash & mask;
    while (larger[at].spelling_plus_1 != 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  table_.swap(larger);
}

size_t SpellingTable::MemoryBytes() const {
  return arena_.MemoryBytes() + entries_.MemoryBytes() + spelt_as_is_.MemoryBytes() + table_.capacity() * sizeof(Slot);
}

}  // namespace freshdex::index

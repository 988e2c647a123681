#include "native/index/term_dict.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <mutex>

#include "native/base/xxh64.h"

namespace freshdex::index {
uint64_t TermDict::Hash(FieldId field, std::string_view bytes) const {
  return Xxh64(bytes, seed_ + 0x9E3779B97F4A7C15ULL * (field + 1u));
}

TermId TermDict::Find(FieldId field, std::string_view bytes) const {
  std::shared_lock lock(table_mutex_);
  return FindAsWriter(field, bytes, Hash(field, bytes));
}

TermId TermDict::FindAsWriter(FieldId field, std::string_view bytes, uint64_t hash) const {
  if (table_.empty()) return kNoTerm;
  const size_t mask = table_.size() - 1;
  for (size_t at = UpperHalf(hash) & mask;; at = (at + 1) & mask) {
    const Slot& slot = table_[at];
    if (slot.term_plus_1 == 0) return kNoTerm;
    if (slot.hash != UpperHalf(hash)) continue;
    const char* entry = entries_[slot.term_plus_1 - 1];
    const bool is_same = static_cast<FieldId>(entry[0]) == field && static_cast<uint8_t>(entry[1]) == bytes.size() &&
                         std::memcmp(entry + 2, bytes.data(), bytes.size()) == 0;
    if (is_same) return slot.term_plus_1 - 1;
  }
}

TermId TermDict::Add(FieldId field, std::string_view bytes, uint64_t hash) {
  assert(bytes.size() <= 255 && entries_.size() < kMaxTerms);
  return Insert(Store(field, bytes), hash, std::nullopt);
}

TermId TermDict::Insert(const char* entry, uint64_t hash, std::optional<uint32_t> identity) {
  std::unique_lock lock(table_mutex_);
  if ((entries_.size() + 1) * 4 > table_.size() * 3) Grow();
  if (has_identities_) {
    // Where memory ends half-way, the identity is taken back with the term that there is not: TruncateTo().
    identities_.Append(identity.value_or(static_cast<uint32_t>(next_identity_)));
    if (!identity) ++next_identity_;
  }
  entries_.Append(entry);
  const TermId term = static_cast<TermId>(entries_.size() - 1);
  const size_t mask = table_.size() - 1;
  size_t at = UpperHalf(hash) & mask;
  while (table_[at].term_plus_1 != 0) at = (at + 1) & mask;
  table_[at] = {UpperHalf(hash), term + 1};
  return term;
}

void TermDict::TruncateTo(size_t size) {
  std::unique_lock lock(table_mutex_);
  for (size_t at = 0; at < table_.size(); ++at) {
    while (table_[at].term_plus_1 > size) RemoveSlot(at);
  }
  entries_.TruncateTo(size);
  if (!has_identities_) return;
  next_identity_ -= identities_.size() - size;
  identities_.TruncateTo(size);
}

// Entries behind the hole that may move into it do, so that no probe sequence is broken.
void TermDict::RemoveSlot(size_t hole) {
  const size_t mask = table_.size() - 1;
  for (size_t at = (hole + 1) & mask; table_[at].term_plus_1 != 0; at = (at + 1) & mask) {
    const size_t home = table_[at].hash & mask;
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    table_[hole] = table_[at];
    hole = at;
  }
  table_[hole] = {};
}

void TermDict::Grow() {
  std::vector<Slot> larger(std::max<size_t>(16, table_.size() * 2));
  const size_t mask = larger.size() - 1;
  for (const Slot& slot : table_) {
    if (slot.term_plus_1 == 0) continue;
    size_t at = slot.hash & mask;
    while (larger[at].term_plus_1 != 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  table_.swap(larger);
}

const char* TermDict::Store(FieldId field, std::string_view bytes) {
  char* entry = arena_.Allocate(bytes.size() + 2);
  entry[0] = static_cast<char>(field);
  entry[1] = static_cast<char>(bytes.size());
  if (!bytes.empty()) std::memcpy(entry + 2, bytes.data(), bytes.size());
  return entry;
}

size_t TermDict::MemoryBytes() const {
  return arena_.MemoryBytes() + entries_.MemoryBytes() + identities_.MemoryBytes() + table_.capacity() * sizeof(Slot);
}

}  // namespace freshdex::index

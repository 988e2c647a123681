#include "native/index/key_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <mutex>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"

namespace freshdex::index {

uint32_t KeyTable::HashOf(std::string_view key) const { return static_cast<uint32_t>(Xxh64(key, seed_) >> 32); }

std::string_view KeyTable::KeyOf(DocId doc) const {
  const char* entry = keys_[doc].get();
  return {entry + sizeof(uint16_t), LoadUnaligned<uint16_t>(entry)};
}

size_t KeyTable::SlotOf(std::string_view key) const {
  const size_t mask = table_.size() - 1;
  const uint32_t hash = HashOf(key);
  size_t at = hash & mask;
  while (table_[at].doc_plus_1 != 0 && (table_[at].hash != hash || KeyOf(table_[at].doc_plus_1 - 1) != key)) {
    at = (at + 1) & mask;
  }
  return at;
}

DocId KeyTable::Find(std::string_view key) const {
  std::shared_lock lock(table_mutex_);
  if (table_.empty()) return kNoDoc;
  const Slot& slot = table_[SlotOf(key)];
  return slot.doc_plus_1 == 0 ? kNoDoc : slot.doc_plus_1 - 1;
}

void KeyTable::Bind(std::string_view key, DocId doc) {
  assert(doc <= keys_.size() && !IsBound(doc) && key.size() <= kMaxKeyBytes);
  auto entry = std::make_unique<char[]>(sizeof(uint16_t) + key.size());
  const uint16_t length = static_cast<uint16_t>(key.size());
  std::memcpy(entry.get(), &length, sizeof(length));
  std::memcpy(entry.get() + sizeof(length), key.data(), key.size());

  std::unique_lock lock(table_mutex_);
  if ((bound_ + 1) * 4 > table_.size() * 3) Grow();
  if (doc == keys_.size()) keys_.Append({});
  const size_t at = SlotOf(key);
  assert(table_[at].doc_plus_1 == 0);
  keys_[doc] = Entry(entry.release(), {.is_own = true});
  table_[at] = {HashOf(key), doc + 1};
  key_bytes_ += sizeof(length) + key.size();
  ++bound_;
}

void KeyTable::BindAll(const std::vector<const char*>& entries, const std::vector<DocId>& ascending,
                       std::shared_ptr<const void> owner) {
  assert(keys_.size() == 0);
  std::unique_lock lock(table_mutex_);
  owner_ = std::move(owner);
  table_.assign(std::bit_ceil(std::max<size_t>(16, entries.size() * 4 / 3 + 1)), Slot());
  for (const char* entry : entries) keys_.Append(Entry(entry, {.is_own = false}));
  const size_t mask = table_.size() - 1;
  for (const DocId doc : ascending) {
    const std::string_view key = KeyOf(doc);
    const uint32_t hash = HashOf(key);
    size_t at = hash & mask;
    while (table_[at].doc_plus_1 != 0) at = (at + 1) & mask;
    table_[at] = {hash, doc + 1};
    key_bytes_ += sizeof(uint16_t) + key.size();
    ++bound_;
  }
}

void KeyTable::Release(DocId doc) {
  std::unique_lock lock(table_mutex_);
  const std::string_view key = KeyOf(doc);
  const size_t mask = table_.size() - 1;
  size_t hole = SlotOf(key);
  assert(table_[hole].doc_plus_1 == doc + 1);
  // Entries behind the hole that may move into it do, so that no probe sequence is broken.
  for (size_t at = (hole + 1) & mask; table_[at].doc_plus_1 != 0; at = (at + 1) & mask) {
    const size_t home = table_[at].hash & mask;
    if (((at - home) & mask) >= ((at - hole) & mask)) {
      table_[hole] = table_[at];
      hole = at;
    }
  }
  table_[hole] = {};
  key_bytes_ -= sizeof(uint16_t) + key.size();
  keys_[doc].reset();
  --bound_;
}

void KeyTable::Grow() {
  std::vector<Slot> larger(std::max<size_t>(16, table_.size() * 2));
  const size_t mask = larger.size() - 1;
  for (const Slot& slot : table_) {
    if (slot.doc_plus_1 == 0) continue;
    size_t at = slot.hash & mask;
    while (larger[at].doc_plus_1 != 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  table_.swap(larger);
}

size_t KeyTable::MemoryBytes() const { return key_bytes_ + keys_.MemoryBytes() + table_.capacity() * sizeof(Slot); }

}  // namespace freshdex::index

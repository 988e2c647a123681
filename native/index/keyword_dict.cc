#include "native/index/keyword_dict.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"

namespace freshdex::index {
namespace {

constexpr size_t kLongestInArena = 4096;

}  // namespace

uint32_t KeywordDict::HashOf(std::string_view word) const { return static_cast<uint32_t>(Xxh64(word, seed_) >> 32); }

std::string_view KeywordDict::Text(uint32_t ordinal) const {
  const char* entry = entries_[ordinal];
  return {entry + sizeof(uint16_t), LoadUnaligned<uint16_t>(entry)};
}

size_t KeywordDict::SlotOf(std::string_view word, uint32_t hash) const {
  const size_t mask = table_.size() - 1;
  size_t at = hash & mask;
  for (; table_[at].ordinal_plus_1 != 0; at = (at + 1) & mask) {
    if (table_[at].hash == hash && Text(table_[at].ordinal_plus_1 - 1) == word) break;
  }
  return at;
}

std::optional<uint32_t> KeywordDict::Find(std::string_view word) const {
  std::shared_lock lock(table_mutex_);
  if (table_.empty()) return std::nullopt;
  const Slot& slot = table_[SlotOf(word, HashOf(word))];
  if (slot.ordinal_plus_1 == 0) return std::nullopt;
  return slot.ordinal_plus_1 - 1;
}

uint32_t KeywordDict::FindOrAdd(std::string_view word) {
  const uint32_t hash = HashOf(word);
  if (!table_.empty()) {
    const Slot& slot = table_[SlotOf(word, hash)];
    if (slot.ordinal_plus_1 != 0) return slot.ordinal_plus_1 - 1;
  }
  const size_t bytes = sizeof(uint16_t) + word.size();
  char* entry = nullptr;
  if (bytes <= kLongestInArena) {
    entry = arena_.Allocate(bytes);
  } else {
    entry = long_entries_.emplace_back(std::make_unique<char[]>(bytes)).get();
    long_bytes_ += bytes;
  }
  const uint16_t length = static_cast<uint16_t>(word.size());
  std::memcpy(entry, &length, sizeof(length));
  if (!word.empty()) std::memcpy(entry + sizeof(length), word.data(), word.size());
  return Insert(entry, hash);
}

bool KeywordDict::AddMapped(const char* entry, const std::shared_ptr<const void>& owner) {
  const std::string_view word(entry + sizeof(uint16_t), LoadUnaligned<uint16_t>(entry));
  const uint32_t hash = HashOf(word);
  if (!table_.empty() && table_[SlotOf(word, hash)].ordinal_plus_1 != 0) return false;
  if (owners_.empty() || owners_.back() != owner) owners_.push_back(owner);
  Insert(entry, hash);
  return true;
}

uint32_t KeywordDict::Insert(const char* entry, uint32_t hash) {
  std::unique_lock lock(table_mutex_);
  if ((entries_.size() + 1) * 4 > table_.size() * 3) Grow();
  entries_.Append(entry);
  const uint32_t ordinal = static_cast<uint32_t>(entries_.size() - 1);
  const size_t mask = table_.size() - 1;
  size_t at = hash & mask;
  while (table_[at].ordinal_plus_1 != 0) at = (at + 1) & mask;
  table_[at] = {hash, ordinal + 1};
  return ordinal;
}

void KeywordDict::Grow() {
  std::vector<Slot> larger(std::max<size_t>(16, table_.size() * 2));
  const size_t mask = larger.size() - 1;
  for (const Slot& slot : table_) {
    if (slot.ordinal_plus_1 == 0) continue;
    size_t at = slot.hash & mask;
    while (larger[at].ordinal_plus_1 != 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  table_.swap(larger);
}

size_t KeywordDict::MemoryBytes() const {
  return arena_.MemoryBytes() + long_bytes_ + entries_.MemoryBytes() + table_.capacity() * sizeof(Slot);
}

}  // namespace freshdex::index

// The terms of words that were looked up lately. Few words make up most of a text: they are found here in one place
// that stays near the processor, instead of in two tables, each with an entry elsewhere.
//
// Threads: one, that of the writer.
//
// Invariant: what is found is what the dictionary says. It says the same of a published word for as long as it lives,
// so that only another dictionary makes this one empty.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "native/index/ids.h"

namespace freshdex::index {

class WordCache {
 public:
  // Longer words are rare, and not kept.
  static constexpr size_t kMaxBytes = 22;

  // kNoTerm where it is not known. `is_to_be_stemmed`: whether the word was looked for, or a term that is spelt as it.
  TermId Find(FieldId field, bool is_to_be_stemmed, std::string_view word, uint64_t hash) const;
  // REQUIRES: a term of the dictionary, published.
  void Put(FieldId field, bool is_to_be_stemmed, std::string_view word, uint64_t hash, TermId term);
  void Prefetch(uint64_t hash) const {
    if (!sets_.empty()) __builtin_prefetch(&sets_[PlaceOf(hash)]);
  }
  // Forgets everything, also that there is memory for it.
  void Clear() noexcept { std::vector<Set>().swap(sets_); }
  size_t MemoryBytes() const { return sets_.capacity() * sizeof(Set); }

 private:
  struct Entry {
    TermId term = kNoTerm;
    uint32_t hash = 0;
    uint8_t kind = 0;  // the field, and whether it is to be stemmed
    uint8_t length = 0;
    char bytes[kMaxBytes] = {};
  };
  // A line of the processor's cache: a word comes in as the second, and being found there makes it the first. So a word
  // that is met once does not drive out one that is met often.
  struct alignas(64) Set {
    mutable Entry entries[2];
  };
  static_assert(sizeof(Set) == 64);

  static constexpr size_t kSets = 4096;  // 256 KiB

  static uint8_t KindOf(FieldId field, bool is_to_be_stemmed) {
    return static_cast<uint8_t>(field | (is_to_be_stemmed ? 0x80 : 0));
  }
  // The tables of the dictionary take the other half of the hash.
  static size_t PlaceOf(uint64_t hash) { return hash & (kSets - 1); }

  std::vector<Set> sets_;
};

}  // namespace freshdex::index

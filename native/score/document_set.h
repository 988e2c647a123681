// A set of documents as one bit each, for the documents of one snapshot.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "native/index/ids.h"

namespace freshdex::score {

class DocumentSet {
 public:
  static constexpr size_t kBits = 64;  // of a word

  explicit DocumentSet(index::DocId doc_limit) : words_((size_t{doc_limit} + kBits - 1) / kBits, 0) {}

  bool Has(index::DocId doc) const {
    const size_t at = doc / kBits;
    return at < words_.size() && (words_[at] >> (doc % kBits) & 1) != 0;
  }
  // The first document of the set from `doc` on, or kNoDoc.
  index::DocId NextFrom(index::DocId doc) const {
    size_t at = doc / kBits;
    if (at >= words_.size()) return index::kNoDoc;
    uint64_t word = words_[at] >> (doc % kBits) << (doc % kBits);
    while (word == 0) {
      if (++at == words_.size()) return index::kNoDoc;
      word = words_[at];
    }
    return static_cast<index::DocId>(at * kBits + static_cast<size_t>(std::countr_zero(word)));
  }
  uint64_t Count() const {
    uint64_t count = 0;
    for (const uint64_t word : words_) count += static_cast<uint64_t>(std::popcount(word));
    return count;
  }

  // Document 64 * i + j is bit j of word i.
  std::span<const uint64_t> words() const { return words_; }
  std::span<uint64_t> words() { return words_; }
  size_t MemoryBytes() const { return words_.capacity() * sizeof(uint64_t); }

  // REQUIRES, of both: a set of the same snapshot.
  void IntersectWith(const DocumentSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  void UniteWith(const DocumentSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  // Bits behind the last document are set, too: intersect it with a set of documents that are there.
  void Complement() {
    for (uint64_t& word : words_) word = ~word;
  }

  // Moves the places of the documents that are in the set to the front; returns how many. Every column is moved alike.
  template <typename... Columns>
  size_t Keep(index::DocId* docs, size_t count, Columns*... columns) const {
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
      const bool keeps = Has(docs[i]);
      docs[kept] = docs[i];
      ((columns[kept] = columns[i]), ...);
      kept += keeps;
    }
    return kept;
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace freshdex::score

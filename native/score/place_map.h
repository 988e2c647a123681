// Where the documents of a block stand in it, by document: a byte each, in a table that is never cleared. What a byte
// says is true only if the document does stand there, so that bytes left from other blocks do no harm.
//
// To fill it takes a store a posting, and a lookup no comparison with its neighbours: where many documents are looked
// up in a block, that is faster than to compare both sides, with vectors too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "native/index/ids.h"

namespace freshdex::score {

class PlaceMap {
 public:
  // Blocks that span more documents, or have more postings, do not fit.
  static constexpr size_t kSpan = 1u << 15;
  static constexpr size_t kMaxPostings = 256;

  // REQUIRES: docs ascending from `first` on, within kSpan; at most kMaxPostings of them, at least one; they stay until
  // the last Find().
  void Fill(index::DocId first, const index::DocId* docs, size_t count) {
    if (!places_) places_ = std::make_unique<uint8_t[]>(kSpan);
    first_ = first;
    docs_ = docs;
    last_ = count - 1;
    uint8_t* const places = places_.get();
    for (size_t i = 0; i < count; ++i) places[docs[i] - first] = static_cast<uint8_t>(i);
  }

  // The places on both sides of the documents that the block has; returns how many. REQUIRES: wanted from `first` on,
  // within kSpan; room for `count` places.
  size_t Find(const index::DocId* wanted, size_t count, uint16_t* wanted_places, uint16_t* places) const {
    const uint8_t* const known = places_.get();
    const index::DocId* const docs = docs_;
    const index::DocId first = first_;
    const size_t last = last_;
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
      const size_t place = std::min<size_t>(known[wanted[i] - first], last);
      wanted_places[found] = static_cast<uint16_t>(i);
      places[found] = static_cast<uint16_t>(place);
      found += docs[place] == wanted[i];
    }
    return found;
  }

 private:
  std::unique_ptr<uint8_t[]> places_;
  index::DocId first_ = 0;
  const index::DocId* docs_ = nullptr;
  size_t last_ = 0;
};

}  // namespace freshdex::score

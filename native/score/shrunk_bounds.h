// How much higher documents that became shorter may score than the impacts of a block say, which know them as longer
// (native/index/shrunk_documents.h), by ranges of documents.
//
// A document that is shorter than at the fold scores at most as a posting of the block's largest frequency and its
// present length; and at most so many times its score of that time as a posting of frequency 1 does, because the less
// frequent a term, the more its score depends on the length.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "native/index/snapshot.h"

namespace freshdex::score {

class FieldScorer;

class ShrunkBounds {
 public:
  struct Raise {
    float times = 1;     // the score at the fold
    uint8_t norm = 255;  // of the shortest of them; 255: there are none
    bool is_any() const { return norm < 255; }
  };

  ShrunkBounds(const FieldScorer& scorer, const index::Snapshot& snapshot, size_t field);

  // Whether a list that was folded up to this batch knows all of them.
  bool IsKnownTo(uint64_t folded_through) const { return newest_ <= folded_through; }
  // Of the documents in [first, last] and some beside them. REQUIRES: first <= last.
  Raise In(index::DocId first, index::DocId last) const {
    Raise raise;
    const size_t end = std::min<size_t>(last / kRange + 1, ranges_.size());
    for (size_t at = first / kRange; at < end; ++at) {
      raise.times = std::max(raise.times, ranges_[at].times);
      raise.norm = std::min(raise.norm, ranges_[at].norm);
    }
    return raise;
  }

 private:
  static constexpr size_t kRange = 256;

  std::vector<Raise> ranges_;
  uint64_t newest_ = 0;  // the last batch that shortened one of them
};

}  // namespace freshdex::score

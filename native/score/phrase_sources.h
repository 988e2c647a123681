// Which posting lists say where a phrase can stand: those of its words, and those that the index has of words that
// stand one behind the other (native/index/phrase_registry.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "native/index/snapshot.h"

namespace freshdex::score {

struct PhraseSource {
  const index::PostingSet* set;
  uint32_t number;       // of the list in its set
  bool has_frequencies;  // a document has the phrase at most as often as this list says
};

struct PhraseSources {
  // Every document with the phrase is in all of these lists.
  std::vector<PhraseSource> lists;
  // The only list has the documents with the phrase, and how often they have it.
  bool is_exact = false;
};

// REQUIRES: at least two terms of one field, below the snapshot's term_count; terms[i] stands offsets[i] positions
// behind terms[0], ascending. The snapshot must outlive the sources.
PhraseSources SourcesOf(const index::Snapshot& snapshot, std::span<const index::TermId> terms,
                        std::span<const uint32_t> offsets);

}  // namespace freshdex::score

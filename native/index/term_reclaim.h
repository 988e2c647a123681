// Words that no document has any more. Their numbers and bytes stay while documents come and go, until a compaction
// finds that they are a good part of all: then the terms that are left get the numbers from 0 on in the order that they
// had, and all that has numbers of terms is written with the new ones
// (docs/decisions/0020-unused-words-go-at-compact.md).
//
// Sketches are made of numbers and kept for as long as an index lives. So a term keeps the number that it was given
// first as its identity (term_dict.h), and no term gets that of one that was reclaimed.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "native/index/phrase_choice.h"
#include "native/index/snapshot.h"

namespace freshdex::index {

// Terms are reclaimed when at least one in so many is in no document.
inline constexpr size_t kTermsPerUnused = 4;

struct Reclaimed {
  std::shared_ptr<Vocabulary> vocabulary;  // of the snapshot, for the writer
  std::shared_ptr<Snapshot> snapshot;      // the same documents, with all records and postings in memory
};

// None where it is not worth it, or where documents are damaged: the damage log then says so. Takes as much memory as
// the records and postings of all documents.
std::optional<Reclaimed> ReclaimTerms(const Snapshot& snapshot, const PhraseLimits& phrase_limits,
                                      size_t partition_bytes);

}  // namespace freshdex::index

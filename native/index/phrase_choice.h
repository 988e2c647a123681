// Chooses the registry of an index from its forward records (phrase_registry.h).
//
// Pairs are counted twice: first in cells that many pairs share, then exactly where a cell has enough documents. So
// counting takes little memory, however many pairs there are.
#pragma once

#include <memory>

#include "native/index/snapshot.h"

namespace freshdex::index {

// Numbers of pages. Lists pay where pages with the words are many and where they are long to look through, so both the
// pages that a pair needs and those of a frequent word grow with the index.
struct PhraseLimits {
  uint32_t least_pages = 256;  // that two words must stand together in, to be registered

  uint64_t PairPages(uint64_t documents) const { return std::max<uint64_t>(least_pages, documents / 400); }
  uint64_t TriplePages(uint64_t documents) const { return 4 * PairPages(documents); }
  uint64_t FrequentPages(uint64_t documents) const { return std::max<uint64_t>(least_pages, documents / 100); }
};

// Whether a compaction has reason to choose: there is no choice yet, or a fifth of the documents were written, added or
// removed since.
bool IsChoiceDue(const Snapshot& snapshot, const PhraseLimits& limits);

// Null when no word is in enough documents.
std::shared_ptr<const PhraseRegistry> ChoosePhrases(const Snapshot& snapshot, const PhraseLimits& limits);

// Calls visit(doc, codes) for each field of each document that can be read.
template <typename Visit>
void VisitFields(const Snapshot& snapshot, Visit visit) {
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
    if (snapshot.table) snapshot.table->PrefetchRecord(doc + 1);
    const auto record = snapshot.Record(doc);
    if (!record) continue;
    const ForwardView forward(record->forward);
    for (size_t field = 0; field < forward.fields(); ++field) visit(doc, forward.codes(field));
  }
}

}  // namespace freshdex::index

// Makes the lists of a registry from the forward records of an index.
#pragma once

#include <memory>

#include "native/index/phrase_lists.h"
#include "native/index/snapshot.h"

namespace freshdex::index {

// Partitions grow to about `partition_bytes`.
PhraseLists BuildPhraseLists(const Snapshot& snapshot, std::shared_ptr<const PhraseRegistry> registry,
                             size_t partition_bytes);

// The length norms by which the impacts of a list are made: those of its terms' field. Buckets are never scored, and
// have none.
const NormTable* NormsOf(const Snapshot& snapshot, const PhraseRegistry& registry, ListId list);

}  // namespace freshdex::index

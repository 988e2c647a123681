// The posting lists of a registry, as part of a snapshot: registry and lists are always of one choice.
#pragma once

#include <memory>

#include "native/index/phrase_registry.h"
#include "native/index/posting_set.h"

namespace freshdex::index {

struct PhraseLists : PostingSet {
  std::shared_ptr<const PhraseRegistry> registry;  // null: there are no lists, and no partitions
};

}  // namespace freshdex::index

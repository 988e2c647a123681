// What a new version of a document changes in the lists of a registry (phrase_registry.h).
//
// Runs of chunks that follow one another in both versions keep their neighbours, so that only the tokens of other
// chunks, and those at the borders of the runs, are looked at. The lists they stand for get their old counts from a
// search of the old record.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "native/index/document_differ.h"
#include "native/index/forward_record.h"
#include "native/index/ids.h"
#include "native/index/phrase_registry.h"
#include "native/index/phrase_windows.h"

namespace freshdex::index {

class PhraseDiffer {
 public:
  // Appends the deltas from `old` to `next`, either of which may be none, in no particular order; the term of a delta
  // is a list. `kept` says which chunks of the new version are which of the old: the differ that has just compared the
  // two, or null, which has the same result.
  void Diff(const PhraseRegistry& registry, DocId doc, const std::optional<ForwardView>& old,
            const std::optional<ForwardView>& next, const DocumentDiffer* kept, std::vector<PostingDelta>* deltas);

 private:
  struct TouchedList {
    ListId list;
    uint32_t removed;
    uint32_t added;
    uint32_t old_count;
  };

  TouchedList& Touch(ListId list);
  void MatchRuns(const DocumentDiffer* kept, size_t field, size_t old_chunks, size_t new_chunks);
  template <typename Visit>
  void WalkChunks(const ForwardView& record, size_t field, const std::vector<uint32_t>& groups, PhraseWindows* windows,
                  Visit visit);
  void CountOld(const PhraseRegistry& registry, const ForwardView& old);
  void CountBuckets(const PhraseRegistry& registry, const ForwardView& old);

  // Scratch, empty between calls but for capacity.
  std::vector<uint32_t> slots_;  // by list: place in touched_ + 1
  std::vector<TouchedList> touched_;
  std::vector<uint64_t> wanted_;      // a bit for each bucket: it was touched
  std::vector<uint32_t> old_groups_;  // by chunk of the field at hand: the run it belongs to, 0 for none
  std::vector<uint32_t> new_groups_;
};

}  // namespace freshdex::index

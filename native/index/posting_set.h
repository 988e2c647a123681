// Posting lists by number, as a snapshot has them: packed partitions, and the deltas that these have not taken up yet.
// The words of an index are one such set, the lists of its frequent phrases (phrase_lists.h) another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "native/index/base_partition.h"
#include "native/index/delta_run.h"
#include "native/index/ids.h"

namespace freshdex::index {

struct PostingSet {
  std::vector<std::shared_ptr<const BasePartition>> partitions;
  std::vector<std::shared_ptr<const DeltaRun>> runs;  // oldest first

  // REQUIRES: partitions cover all numbers.
  const BasePartition& PartitionOf(TermId term) const {
    const auto after =
        std::upper_bound(partitions.begin(), partitions.end(), term,
                         [](TermId wanted, const auto& partition) { return wanted < partition->term_begin(); });
    return **(after - 1);
  }
  // Documents that are in the list.
  uint32_t DocumentFrequency(TermId term) const {
    const BasePartition& partition = PartitionOf(term);
    int64_t df = partition.DocumentFrequency(term);
    for (const auto& run : runs) {
      if (run->sequence() > partition.folded_through()) df += run->Find(term).df_delta;
    }
    return static_cast<uint32_t>(df);
  }
  // All partitions with postings have taken up the batches up to this one; `sequence` where there are none.
  uint64_t FoldedThrough(uint64_t sequence) const {
    for (const auto& partition : partitions) {
      if (partition->postings() > 0) sequence = std::min(sequence, partition->folded_through());
    }
    return sequence;
  }
};

}  // namespace freshdex::index

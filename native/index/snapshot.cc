#include "native/index/snapshot.h"

#include <algorithm>

namespace freshdex::index {

DocId Snapshot::FindKey(std::string_view key) const {
  const DocId doc = vocabulary->keys.Find(key);
  return doc != kNoDoc && doc < doc_limit && IsVisible(doc) ? doc : kNoDoc;
}

TermId Snapshot::FindTerm(FieldId field, std::string_view bytes) const {
  if (bytes.size() > 255) return kNoTerm;
  const TermId term = terms().Find(field, bytes);
  return term < term_count ? term : kNoTerm;
}

const BasePartition& Snapshot::PartitionOf(TermId term) const {
  const auto after = std::upper_bound(partitions.begin(), partitions.end(), term,
                                      [](TermId wanted, const auto& partition) { return wanted < partition->term_begin(); });
  return **(after - 1);
}

uint32_t Snapshot::DocumentFrequency(TermId term) const {
  const BasePartition& partition = PartitionOf(term);
  int64_t df = partition.Find(term).df;
  for (const auto& run : runs) {
    if (run->sequence() > partition.folded_through()) df += run->Find(term).df_delta;
  }
  return static_cast<uint32_t>(df);
}

}  // namespace freshdex::index

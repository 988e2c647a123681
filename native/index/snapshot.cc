#include "native/index/snapshot.h"

#include <algorithm>

namespace freshdex::index {

void Snapshot::NoteWeight(DocId doc, double weight) {
  const size_t at = doc / kDocsPerMaxWeight;
  if (at >= max_weights.size()) max_weights.resize(at + 1, 0);
  max_weights[at] = std::max(max_weights[at], weight);
}

DocId Snapshot::FindKey(std::string_view key) const {
  const DocId doc = vocabulary->keys.Find(key);
  return doc != kNoDoc && doc < doc_limit && IsVisible(doc) ? doc : kNoDoc;
}

std::optional<RecordView> Snapshot::Record(DocId doc) const {
  if (const DocRecord* record = records[doc].get()) {
    if (record->is_removed) return std::nullopt;
    return RecordView{*record->forward, *record->stored, *record->values, record->weight, record->sequence, nullptr};
  }
  return table ? table->Find(doc) : std::nullopt;
}

TermId Snapshot::FindTerm(FieldId field, std::string_view bytes) const {
  if (bytes.size() > 255) return kNoTerm;
  const TermId term = terms().Find(field, bytes);
  return term < term_count ? term : kNoTerm;
}

Status Snapshot::CheckCoverage() const {
  Status status = CheckCoverage(*this, term_count);
  if (!status.ok() || !phrases.registry) return status;
  if (phrases.registry->head().term_count > term_count)
    return Status(Code::kCorrupt, "the registry of phrases has terms that no segment spells out");
  return CheckCoverage(phrases, phrases.registry->lists());
}

Status Snapshot::CheckCoverage(const PostingSet& set, uint32_t lists) const {
  TermId next = 0;
  for (const auto& partition : set.partitions) {
    if (partition->term_begin() != next)
      return Status(Code::kCorrupt, "no partition has the terms from " + std::to_string(next) + " on");
    if (partition->known_end() > lists)
      return Status(Code::kCorrupt, "a partition has terms that no segment spells out");
    next = partition->term_end();
  }
  if (next != kNoTerm) return Status(Code::kCorrupt, "no partition has the last terms");
  for (const auto& run : set.runs) {
    if (run->sequence() > sequence) return Status(Code::kCorrupt, "a run is newer than the document table");
    if (!run->terms().empty() && run->terms().back() >= lists)
      return Status(Code::kCorrupt, "a run has terms that no segment spells out");
    for (size_t i = 0; i < run->terms().size(); ++i) {
      if (run->At(i).docs.back() >= doc_limit)
        return Status(Code::kCorrupt, "a run has documents that the document table has no room for");
    }
  }
  return {};
}

std::vector<uint32_t> Snapshot::DocumentFrequencies(std::span<const TermId> ascending) const {
  std::vector<uint32_t> dfs(ascending.size());
  for (size_t begin = 0, end = 0; begin < ascending.size(); begin = end) {
    const BasePartition& partition = PartitionOf(ascending[begin]);
    for (; end < ascending.size() && ascending[end] < partition.term_end(); ++end)
      dfs[end] = partition.DocumentFrequency(ascending[end]);
    for (const auto& run : runs) {
      if (run->sequence() <= partition.folded_through()) continue;
      const std::span<const TermId> changed = run->terms();
      size_t at = run->LowerBound(ascending[begin]);
      // Both ascend. Steps are doubled from the last place on, since either may be much longer than the other.
      for (size_t i = begin; i < end && at < changed.size(); ++i) {
        size_t step = 1;
        while (at + step < changed.size() && changed[at + step] <= ascending[i]) step *= 2;
        const auto last = changed.begin() + static_cast<std::ptrdiff_t>(std::min(changed.size(), at + step));
        at = static_cast<size_t>(
            std::lower_bound(changed.begin() + static_cast<std::ptrdiff_t>(at), last, ascending[i]) - changed.begin());
        if (at < changed.size() && changed[at] == ascending[i]) dfs[i] += static_cast<uint32_t>(run->DfDeltaAt(at));
      }
    }
  }
  return dfs;
}

}  // namespace freshdex::index

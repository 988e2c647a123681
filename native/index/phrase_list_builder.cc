#include "native/index/phrase_list_builder.h"

#include <algorithm>
#include <vector>

#include "native/index/phrase_choice.h"
#include "native/index/phrase_windows.h"

namespace freshdex::index {
namespace {

// So many postings are collected at a time; more take another walk through all records.
constexpr size_t kMaxCollected = 1u << 24;

struct CollectedList {
  std::vector<DocId> docs;
  std::vector<uint16_t> tfs;
};

}  // namespace

const NormTable* NormsOf(const Snapshot& snapshot, const PhraseRegistry& registry, ListId list) {
  if (registry.IsBucket(list)) return nullptr;
  return &snapshot.norms[snapshot.terms().FieldOf(registry.SequenceOf(list).first)];
}

PhraseLists BuildPhraseLists(const Snapshot& snapshot, std::shared_ptr<const PhraseRegistry> registry,
                             size_t partition_bytes) {
  PhraseLists lists;
  lists.registry = registry;
  PhraseWindows windows(*registry);
  PartitionBuilder builder(0, snapshot.sequence);
  std::vector<CollectedList> collected(registry->lists());
  std::vector<uint8_t> norm_bytes;
  ListId begin = 0;
  while (begin < registry->lists()) {
    // When there is too much, the lists at the end wait for another walk.
    ListId end = registry->lists();
    size_t postings = 0;
    VisitFields(snapshot, [&](DocId doc, std::string_view codes) {
      windows.Restart();
      windows.PushAll(codes, [&](ListId list) {
        if (list < begin || list >= end) return;
        CollectedList& into = collected[list];
        if (into.docs.empty() || into.docs.back() != doc) {
          into.docs.push_back(doc);
          into.tfs.push_back(1);
          ++postings;
        } else if (!registry->IsBucket(list)) {
          into.tfs.back() = static_cast<uint16_t>(std::min<uint32_t>(into.tfs.back() + 1u, kMaxTf));
        }
      });
      while (postings > kMaxCollected && end > begin + 1) {
        postings -= collected[--end].docs.size();
        collected[end] = {};
      }
    });
    for (ListId list = begin; list < end; ++list) {
      CollectedList& from = collected[list];
      const NormTable* norms = NormsOf(snapshot, *registry, list);
      norm_bytes.assign(norms ? from.docs.size() : 0, 0);
      for (size_t i = 0; norms && i < from.docs.size(); ++i) norm_bytes[i] = (*norms)[from.docs[i]];
      builder.Add(list, from.docs, from.tfs, norm_bytes);
      from = {};
      if (builder.bytes() < partition_bytes || list + 1 == registry->lists()) continue;
      lists.partitions.push_back(builder.Finish(list + 1, list + 1));
      builder = PartitionBuilder(list + 1, snapshot.sequence);
    }
    begin = end;
  }
  lists.partitions.push_back(builder.Finish(registry->lists(), kNoTerm));
  return lists;
}

}  // namespace freshdex::index

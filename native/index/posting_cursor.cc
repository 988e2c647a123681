#include "native/index/posting_cursor.h"

#include <algorithm>
#include <string>

namespace freshdex::index {

PostingCursor::PostingCursor(const Snapshot& snapshot, TermId term)
    : partition_(snapshot.PartitionOf(term)), list_(partition_.Find(term)) {
  const DocId last = list_.is_single          ? list_.single_doc
                     : list_.block_count == 0 ? 0
                                              : list_.blocks[list_.block_count - 1].last_doc;
  if (partition_.segment() && list_.df > 0 && last >= snapshot.doc_limit) {
    partition_.segment()->Note(partition_.segment()->Corrupt(0, "documents of term " + std::to_string(term)));
    list_ = {};
  }
  df_ = list_.df;
  CollectPatches(snapshot, term);
  LoadNext(0);
}

// Newest frequency per document: runs are merged pairwise in order of age.
void PostingCursor::CollectPatches(const Snapshot& snapshot, TermId term) {
  int64_t df = list_.df;
  std::vector<Patch> merged;
  for (const auto& run : snapshot.runs) {
    if (run->sequence() <= partition_.folded_through()) continue;
    const TermDeltas deltas = run->Find(term);
    if (deltas.docs.empty()) continue;
    df += deltas.df_delta;
    merged.clear();
    merged.reserve(patches_.size() + deltas.docs.size());
    size_t i = 0;
    for (size_t j = 0; j < deltas.docs.size(); ++j) {
      while (i < patches_.size() && patches_[i].doc < deltas.docs[j]) merged.push_back(patches_[i++]);
      if (i < patches_.size() && patches_[i].doc == deltas.docs[j]) ++i;
      merged.push_back({deltas.docs[j], deltas.new_tfs[j]});
    }
    merged.insert(merged.end(), patches_.begin() + static_cast<std::ptrdiff_t>(i), patches_.end());
    patches_.swap(merged);
  }
  df_ = static_cast<uint32_t>(df);
}

void PostingCursor::LoadNext(DocId target) {
  at_ = count_ = 0;
  const size_t block_count = list_.is_single ? 1 : list_.block_count;
  while (count_ == 0) {
    while (next_patch_ < patches_.size() && patches_[next_patch_].doc < target && next_block_ >= block_count)
      ++next_patch_;
    if (next_block_ >= block_count) {
      if (next_patch_ >= patches_.size()) return;
      const size_t patch_end = std::min(patches_.size(), next_patch_ + kBlockPostings);
      MergePatches(0, patch_end);
      continue;
    }
    const DocId last = list_.is_single ? list_.single_doc : list_.blocks[next_block_].last_doc;
    // Patches up to the block's last document belong to it; those behind the last block are handed out on their own
    // above.
    size_t patch_end = next_patch_;
    while (patch_end < patches_.size() && patches_[patch_end].doc <= last) ++patch_end;
    if (last < target) {
      next_patch_ = patch_end;
      ++next_block_;
      continue;
    }
    const size_t decoded = partition_.Decode(list_, next_block_++, decoded_docs_, decoded_tfs_);
    if (patch_end == next_patch_) {
      docs_ = decoded_docs_;
      tfs_ = decoded_tfs_;
      count_ = decoded;
    } else {
      MergePatches(decoded, patch_end);
    }
  }
}

void PostingCursor::MergePatches(size_t decoded, size_t patch_end) {
  merged_docs_.clear();
  merged_tfs_.clear();
  size_t i = 0;
  auto take_decoded = [&] {
    merged_docs_.push_back(decoded_docs_[i]);
    merged_tfs_.push_back(decoded_tfs_[i]);
    ++i;
  };
  for (; next_patch_ < patch_end; ++next_patch_) {
    const Patch& patch = patches_[next_patch_];
    while (i < decoded && decoded_docs_[i] < patch.doc) take_decoded();
    if (i < decoded && decoded_docs_[i] == patch.doc) ++i;
    if (patch.tf == 0) continue;
    merged_docs_.push_back(patch.doc);
    merged_tfs_.push_back(patch.tf);
  }
  while (i < decoded) take_decoded();
  docs_ = merged_docs_.data();
  tfs_ = merged_tfs_.data();
  count_ = merged_docs_.size();
}

void PostingCursor::AdvanceTo(DocId target) {
  while (at_ < count_) {
    if (docs_[count_ - 1] >= target) {
      // Short steps are the rule when lists are intersected; a binary search finishes long ones.
      for (int step = 0; step < 8; ++step, ++at_) {
        if (docs_[at_] >= target) return;
      }
      at_ = static_cast<size_t>(std::lower_bound(docs_ + at_, docs_ + count_, target) - docs_);
      return;
    }
    LoadNext(target);
  }
}

}  // namespace freshdex::index

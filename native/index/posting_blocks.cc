#include "native/index/posting_blocks.h"

#include <algorithm>
#include <string>

namespace freshdex::index {

PostingBlocks::PostingBlocks(const PostingSet& set, DocId doc_limit, TermId term) : partition_(set.PartitionOf(term)) {
  partition_.Find(term, &list_);
  const DocId last = list_.is_single          ? list_.single_doc
                     : list_.block_count == 0 ? 0
                                              : list_.blocks[list_.block_count - 1].last_doc;
  if (partition_.segment() && list_.df > 0 && last >= doc_limit) {
    partition_.segment()->Note(partition_.segment()->Corrupt(0, "documents of term " + std::to_string(term)));
    list_.Clear();
  }
  df_ = list_.df;
  base_count_ = list_.is_single ? 1 : list_.block_count;
  CollectPatches(set, term);
  if (base_count_ > 0) {
    const auto behind = std::upper_bound(patches_.begin(), patches_.end(), last,
                                         [](DocId doc, const Patch& patch) { return doc < patch.doc; });
    trailing_ = static_cast<size_t>(behind - patches_.begin());
  }
}

// Newest frequency per document: runs are merged pairwise in order of age.
void PostingBlocks::CollectPatches(const PostingSet& set, TermId term) {
  int64_t df = list_.df;
  std::vector<Patch> merged;
  for (const auto& run : set.runs) {
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

size_t PostingBlocks::Find(DocId target, size_t from) const {
  const size_t end = count();
  // The next few are the rule; a search that doubles its step finishes long ways.
  size_t step = 1;
  size_t low = from;
  while (low < end && last_doc(low) < target) {
    const size_t high = std::min(low + step, end);
    if (high == end || last_doc(high) >= target) {
      // last_doc(low) < target <= last_doc(high), if there is such a block
      size_t below = low, above = high;
      while (above - below > 1) {
        const size_t middle = below + (above - below) / 2;
        (last_doc(middle) < target ? below : above) = middle;
      }
      return above;
    }
    low = high;
    step *= 2;
  }
  return low;
}

size_t PostingBlocks::PatchBehind(DocId doc, size_t from) const {
  size_t step = 1;
  while (from + step <= trailing_ && patches_[from + step - 1].doc <= doc) {
    from += step;
    step *= 2;
  }
  const auto at = [&](size_t i) { return patches_.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto is_behind = [](DocId before, const Patch& patch) { return before < patch.doc; };
  return static_cast<size_t>(std::upper_bound(at(from), at(std::min(from + step, trailing_)), doc, is_behind) -
                             patches_.begin());
}

std::span<const PostingBlocks::Patch> PostingBlocks::PatchesOf(size_t b) {
  if (b >= base_count_) {
    const size_t begin = trailing_ + (b - base_count_) * kBlockPostings;
    return std::span(patches_).subspan(begin, std::min(kBlockPostings, patches_.size() - begin));
  }
  if (trailing_ == 0) return {};
  if (b == patched_block_) return patches_of_block_;
  const bool is_behind = patched_block_ != SIZE_MAX && b > patched_block_;
  const size_t known =
      is_behind ? static_cast<size_t>(patches_of_block_.data() - patches_.data()) + patches_of_block_.size() : 0;
  const size_t from = b == 0 ? 0 : PatchBehind(last_doc(b - 1), known);
  patches_of_block_ = std::span(patches_).subspan(from, PatchBehind(last_doc(b), from) - from);
  patched_block_ = b;
  return patches_of_block_;
}

PostingBlocks::Block PostingBlocks::DecodeDocs(size_t b) {
  const size_t decoded = b < base_count_ ? partition_.DecodeDocs(list_, b, decoded_docs_) : 0;
  if (patches_.empty()) return {decoded_docs_, nullptr, decoded};
  const std::span<const Patch> patches = PatchesOf(b);
  if (patches.empty()) return {decoded_docs_, nullptr, decoded};
  if (decoded > 0) partition_.DecodeTfs(list_, b, decoded_tfs_);
  return Merge(decoded, patches);
}

std::span<const uint32_t> PostingBlocks::DecodeTfs(size_t b) {
  return {decoded_tfs_, b < base_count_ ? partition_.DecodeTfs(list_, b, decoded_tfs_) : 0};
}

PostingBlocks::Block PostingBlocks::Merge(size_t decoded, std::span<const Patch> patches) {
  merged_docs_.clear();
  merged_tfs_.clear();
  size_t i = 0;
  const auto take_until = [&](size_t end) {
    merged_docs_.insert(merged_docs_.end(), decoded_docs_ + i, decoded_docs_ + end);
    merged_tfs_.insert(merged_tfs_.end(), decoded_tfs_ + i, decoded_tfs_ + end);
    i = end;
  };
  for (const Patch& patch : patches) {
    take_until(
        static_cast<size_t>(std::lower_bound(decoded_docs_ + i, decoded_docs_ + decoded, patch.doc) - decoded_docs_));
    if (i < decoded && decoded_docs_[i] == patch.doc) ++i;
    if (patch.tf == 0) continue;
    merged_docs_.push_back(patch.doc);
    merged_tfs_.push_back(patch.tf);
  }
  take_until(decoded);
  return {merged_docs_.data(), merged_tfs_.data(), merged_docs_.size()};
}

}  // namespace freshdex::index

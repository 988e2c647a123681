// The postings of one term in a snapshot as blocks that can be read in any order: the blocks of its partition with the
// newer deltas applied, then blocks of the deltas behind them.
//
// A block without deltas is handed out as it was decoded. One with deltas is merged, and may come out empty or with
// more than 128 postings.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "native/index/snapshot.h"

namespace freshdex::index {

class PostingBlocks {
 public:
  // The newest frequency of a document that has deltas; 0: no posting any more.
  struct Patch {
    DocId doc;
    uint32_t tf;
  };
  // Decoded postings; valid until the next block is decoded.
  struct Block {
    const DocId* docs = nullptr;
    const uint32_t* tfs = nullptr;
    size_t count = 0;
  };

  // REQUIRES: term < snapshot.term_count; the snapshot outlives the blocks.
  PostingBlocks(const Snapshot& snapshot, TermId term) : PostingBlocks(snapshot, snapshot.doc_limit, term) {}
  // A list of any set, with documents below doc_limit. REQUIRES: the set outlives the blocks.
  PostingBlocks(const PostingSet& set, DocId doc_limit, TermId term);
  PostingBlocks(const PostingBlocks&) = delete;  // blocks may point into the object itself
  PostingBlocks& operator=(const PostingBlocks&) = delete;

  uint32_t df() const { return df_; }
  // The batches up to this one are in the blocks of the partition, and so in their impacts.
  uint64_t folded_through() const { return partition_.folded_through(); }

  size_t count() const { return base_count_ + (patches_.size() - trailing_ + kBlockPostings - 1) / kBlockPostings; }
  // Blocks below this are of the partition.
  size_t base_count() const { return base_count_; }
  const PostingList& list() const { return list_; }
  // Postings of block b are in documents up to here, and above the last document of block b - 1.
  DocId last_doc(size_t b) const {
    if (b < base_count_) return list_.is_single ? list_.single_doc : list_.blocks[b].last_doc;
    return patches_[std::min(patches_.size(), trailing_ + (b - base_count_ + 1) * kBlockPostings) - 1].doc;
  }
  // The first block from `from` on with last_doc >= target; count() when there is none.
  size_t Find(DocId target, size_t from) const;
  Block Decode(size_t b) {
    Block block = DecodeDocs(b);
    if (!block.tfs) block.tfs = DecodeTfs(b).data();
    return block;
  }
  // Without the frequencies, of which a search often wants none; a block with deltas has them anyway.
  Block DecodeDocs(size_t b);
  // The frequencies alone. REQUIRES: no deltas in the block.
  std::span<const uint32_t> DecodeTfs(size_t b);

  bool has_patches() const { return !patches_.empty(); }
  std::span<const Patch> patches() const { return patches_; }
  std::span<const Patch> PatchesOf(size_t b);

 private:
  void CollectPatches(const PostingSet& set, TermId term);
  Block Merge(size_t decoded, std::span<const Patch> patches);
  // The first patch from `from` on that is behind the document.
  size_t PatchBehind(DocId doc, size_t from) const;

  const BasePartition& partition_;
  PostingList list_;
  uint32_t df_ = 0;
  size_t base_count_ = 0;
  std::vector<Patch> patches_;  // ascending documents
  size_t trailing_ = 0;         // patches from here on are behind the partition's last posting
  // Of the block that was asked for last: most of the time the next one follows.
  size_t patched_block_ = SIZE_MAX;
  std::span<const Patch> patches_of_block_;

  DocId decoded_docs_[kBlockPostings];
  uint32_t decoded_tfs_[kBlockPostings];
  std::vector<DocId> merged_docs_;
  std::vector<uint32_t> merged_tfs_;
};

}  // namespace freshdex::index

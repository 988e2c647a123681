// Walks the postings of one term in a snapshot, block by block: base postings with the newer deltas applied.
//
// A block without deltas is handed out as it was decoded; one with deltas is merged first. Blocks that AdvanceTo()
// skips are never decoded, but their deltas are passed over one by one (they are few).
#pragma once

#include <cstdint>
#include <vector>

#include "native/index/snapshot.h"

namespace freshdex::index {

class PostingCursor {
 public:
  // REQUIRES: term < snapshot.term_count; the snapshot outlives the cursor. Starts on the first posting.
  PostingCursor(const Snapshot& snapshot, TermId term);
  PostingCursor(const PostingCursor&) = delete;  // docs_ and tfs_ may point into the cursor itself
  PostingCursor& operator=(const PostingCursor&) = delete;

  // The current posting; doc() is kNoDoc behind the last.
  DocId doc() const { return at_ < count_ ? docs_[at_] : kNoDoc; }
  uint32_t tf() const { return tfs_[at_]; }
  uint32_t df() const { return df_; }

  void Next() {
    if (++at_ >= count_) LoadNext(0);
  }
  // Moves to the first posting with doc >= target. REQUIRES: target >= doc().
  void AdvanceTo(DocId target);

  // The rest of the current block, for loops over all postings. NextBlock() moves to the first posting of the next
  // block.
  const DocId* block_docs() const { return docs_ + at_; }
  const uint32_t* block_tfs() const { return tfs_ + at_; }
  size_t block_left() const { return count_ - at_; }
  void NextBlock() { LoadNext(0); }

 private:
  struct Patch {
    DocId doc;
    uint32_t tf;  // 0: no posting any more
  };

  void CollectPatches(const Snapshot& snapshot, TermId term);
  // Loads the next non-empty block whose last document is >= target.
  void LoadNext(DocId target);
  void MergePatches(size_t decoded, size_t patch_end);

  const BasePartition& partition_;
  PostingList list_;
  uint32_t df_ = 0;
  size_t next_block_ = 0;
  std::vector<Patch> patches_;  // ascending documents
  size_t next_patch_ = 0;

  const DocId* docs_ = nullptr;  // current block: decoded_* or merged_*
  const uint32_t* tfs_ = nullptr;
  size_t at_ = 0;
  size_t count_ = 0;
  DocId decoded_docs_[kBlockPostings];
  uint32_t decoded_tfs_[kBlockPostings];
  std::vector<DocId> merged_docs_;
  std::vector<uint32_t> merged_tfs_;
};

}  // namespace freshdex::index

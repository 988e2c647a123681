// Walks the postings of one term in a snapshot in order of documents. Blocks that AdvanceTo() skips are never decoded.
#pragma once

#include <cstdint>

#include "native/index/posting_blocks.h"

namespace freshdex::index {

class PostingCursor {
 public:
  // REQUIRES: term < snapshot.term_count; the snapshot outlives the cursor. Starts on the first posting.
  PostingCursor(const Snapshot& snapshot, TermId term) : blocks_(snapshot, term) { LoadNext(0); }
  // A list of any set: see PostingBlocks.
  PostingCursor(const PostingSet& set, DocId doc_limit, TermId term) : blocks_(set, doc_limit, term) { LoadNext(0); }

  // The current posting; doc() is kNoDoc behind the last.
  DocId doc() const { return at_ < block_.count ? block_.docs[at_] : kNoDoc; }
  uint32_t tf() const { return block_.tfs[at_]; }
  uint32_t df() const { return blocks_.df(); }

  void Next() {
    if (++at_ >= block_.count) LoadNext(0);
  }
  // Moves to the first posting with doc >= target. REQUIRES: target >= doc().
  void AdvanceTo(DocId target);

  // The rest of the current block, for loops over all postings. NextBlock() moves to the first posting of the next
  // block.
  const DocId* block_docs() const { return block_.docs + at_; }
  const uint32_t* block_tfs() const { return block_.tfs + at_; }
  size_t block_left() const { return block_.count - at_; }
  void NextBlock() { LoadNext(0); }

 private:
  // Loads the next block that is not empty and has a document >= target, if there is one.
  void LoadNext(DocId target);

  PostingBlocks blocks_;
  size_t next_block_ = 0;
  PostingBlocks::Block block_;
  size_t at_ = 0;
};

}  // namespace freshdex::index

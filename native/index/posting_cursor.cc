#include "native/index/posting_cursor.h"

#include <algorithm>

namespace freshdex::index {

void PostingCursor::LoadNext(DocId target) {
  at_ = 0;
  block_.count = 0;
  next_block_ = blocks_.Find(target, next_block_);
  while (block_.count == 0 && next_block_ < blocks_.count()) block_ = blocks_.Decode(next_block_++);
}

void PostingCursor::AdvanceTo(DocId target) {
  while (at_ < block_.count) {
    if (block_.docs[block_.count - 1] >= target) {
      // Short steps are the rule when lists are intersected; a binary search finishes long ones.
      for (int step = 0; step < 8; ++step, ++at_) {
        if (block_.docs[at_] >= target) return;
      }
      at_ = static_cast<size_t>(std::lower_bound(block_.docs + at_, block_.docs + block_.count, target) - block_.docs);
      return;
    }
    LoadNext(target);
  }
}

}  // namespace freshdex::index

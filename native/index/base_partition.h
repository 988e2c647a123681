// The postings of a range of terms, immutable and packed: what folds write and most of a search reads.
//
// A posting list is cut into blocks of 128 postings (the last may be shorter). A list of one posting sits in the term table itself.
//
//   term entry (8 bytes)    u32 df, u32 first block           df = 0: no postings
//                           u32 0x80000000 | tf, u32 doc      one posting
//   block entry (12 bytes)  u32 last doc, u32 byte offset, u8 doc bits, u8 tf bits, u8 max tf (255: 255 or more), u8 min length norm
//   block bytes             (doc gaps - 1) in `doc bits` each, then (tf - 1) in `tf bits` each, every part starting on a byte
//
// The first gap of a list counts from -1, so document 0 has gap 1. Max tf and min norm bound every score in the block for any model that grows
// with tf and falls with length (the block's impact). The norm is that of the time of the fold: see docs/architecture.md for what a
// document that became shorter since means to pruning.
//
// Invariants
//   P1  documents ascend strictly within a list, df = number of postings, all tf >= 1
//   P2  blocks but the last of a list are full; last doc, max tf are exact
//   P3  min norm = smallest norm byte, at the time of the fold, of the block's documents in the term's field
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "native/base/bitpack.h"
#include "native/index/ids.h"

namespace freshdex::index {

inline constexpr size_t kBlockPostings = 128;

struct BlockEntry {
  DocId last_doc;
  uint32_t offset;
  uint8_t doc_bits;
  uint8_t tf_bits;
  uint8_t max_tf;
  uint8_t min_norm;
};
static_assert(sizeof(BlockEntry) == 12);

// Where a term's postings are.
struct PostingList {
  uint32_t df = 0;
  bool is_single = false;
  DocId single_doc = 0;
  uint16_t single_tf = 0;
  const BlockEntry* blocks = nullptr;
  size_t block_count = 0;
};

class BasePartition {
 public:
  // Terms [term_begin, term_end) belong here. Batches up to folded_through are in these postings, later ones are in runs.
  TermId term_begin() const { return term_begin_; }
  TermId term_end() const { return term_end_; }
  uint64_t folded_through() const { return folded_through_; }
  uint64_t postings() const { return postings_; }

  // Terms from here on have no entry: they were unknown at the time of the fold.
  TermId known_end() const { return term_begin_ + static_cast<TermId>(entries_.size()); }
  PostingList Find(TermId term) const;

  // Decodes block `index` of a list into docs and tfs (room for 128); returns the count.
  size_t Decode(const PostingList& list, size_t index, DocId* docs, uint32_t* tfs) const;

  // Every list into which a reader could look is inside the bytes. For check().
  bool IsWellFormed() const;
  size_t MemoryBytes() const;

 private:
  friend class PartitionBuilder;

  struct TermEntry {
    uint32_t df;
    uint32_t first;
  };
  static constexpr uint32_t kSingle = 0x80000000;

  TermId term_begin_ = 0;
  TermId term_end_ = 0;
  uint64_t folded_through_ = 0;
  uint64_t postings_ = 0;
  std::vector<TermEntry> entries_;
  std::vector<BlockEntry> blocks_;
  std::string bytes_;  // ends with kPackSlack zeros
};

// Writes lists in ascending order of terms.
class PartitionBuilder {
 public:
  PartitionBuilder(TermId term_begin, uint64_t folded_through);

  // norm_bytes[i] is the length norm of docs[i] in the term's field. REQUIRES: term not smaller than any before; P1.
  void Add(TermId term, const std::vector<DocId>& docs, const std::vector<uint16_t>& tfs, const std::vector<uint8_t>& norm_bytes);

  size_t bytes() const {
    return partition_->bytes_.size() + partition_->blocks_.size() * sizeof(BlockEntry) +
           partition_->entries_.size() * sizeof(BasePartition::TermEntry);
  }
  // `known_end`: terms below it are known to have no postings when they were not added.
  std::shared_ptr<const BasePartition> Finish(TermId known_end, TermId term_end);

 private:
  void PadTo(TermId term);

  std::shared_ptr<BasePartition> partition_;
};

}  // namespace freshdex::index

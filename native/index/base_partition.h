// The postings of a range of terms, immutable and packed: what folds write and most of a search reads.
//
// A posting list is cut into blocks of 128 postings (the last may be shorter). A list of one posting sits in the term
// table itself.
//
//   term entry (8 bytes)    u32 df, u32 first block           df = 0: no postings
//                           u32 0x80000000 | tf, u32 doc      one posting
//   block entry (12 bytes)  u32 last doc, u32 byte offset, u8 doc bits, u8 tf bits,
//                           u8 max tf (255: 255 or more), u8 min length norm
//   block bytes             (doc gaps - 1) in `doc bits` each, then (tf - 1) in `tf bits` each,
//                           every part starting on a byte
//   impacts (8 bytes)       four pairs of u8 tf (255: 255 or more), u8 length norm
//
// The first gap of a list counts from -1, so document 0 has gap 1. The impacts of a list of several blocks lie side by
// side before the bytes of its first block: a search reads all of them, and few of the blocks. Every posting of a block
// has a pair with at least its tf and at most its norm, so that the best pair bounds every score in the block for any
// model that grows with tf and falls with length. Max tf and min norm bound it too, far less closely. The norms are
// those of the time of the fold: see docs/architecture.md for what a document that became shorter since means.
//
// Invariants
//   P1  documents ascend strictly within a list, df = number of postings, all tf >= 1
//   P2  blocks but the last of a list are full; last doc, max tf are exact
//   P3  min norm = smallest norm byte, at the time of the fold, of the block's documents in the term's field
//   P4  each posting is dominated by a pair of its block's impacts; pairs repeat where fewer than four are needed
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/bitpack.h"
#include "native/base/status.h"
#include "native/index/ids.h"
#include "native/index/segment_file.h"

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

inline constexpr size_t kImpactPairs = 4;
inline constexpr size_t kImpactBytes = 2 * kImpactPairs;

// Where a term's postings are.
struct PostingList {
  uint32_t df = 0;
  bool is_single = false;
  DocId single_doc = 0;
  uint16_t single_tf = 0;
  const BlockEntry* blocks = nullptr;
  size_t block_count = 0;
  // kImpactBytes for each block; null for a list of one block, and for partitions that were written before there were
  // impacts.
  const uint8_t* impacts = nullptr;
};

// The arrays live in memory or in a mapped segment; in a segment a list is verified when it is first looked up, and a
// damaged one reads as empty while the segment's damage log says so.
class BasePartition {
 public:
  // From a segment of kind kPartition; kCorrupt when its sections do not fit together.
  static Result<std::shared_ptr<const BasePartition>> Open(std::shared_ptr<const SegmentFile> segment);
  void AddTo(SegmentWriter* writer) const;
  // Null while the partition is only in memory.
  const std::shared_ptr<const SegmentFile>& segment() const { return segment_; }

  // Terms [term_begin, term_end) belong here. Batches up to folded_through are in these postings, later ones are in
  // runs.
  TermId term_begin() const { return term_begin_; }
  TermId term_end() const { return term_end_; }
  uint64_t folded_through() const { return folded_through_; }
  uint64_t postings() const { return postings_; }

  // Terms from here on have no entry: they were unknown at the time of the fold.
  TermId known_end() const { return term_begin_ + static_cast<TermId>(entries_.size()); }
  PostingList Find(TermId term) const;

  // Decodes block `index` of a list into docs and tfs (room for 128 each); returns the count, 0 for a damaged block.
  size_t Decode(const PostingList& list, size_t index, DocId* docs, uint32_t* tfs) const {
    DecodeTfs(list, index, tfs);
    return DecodeDocs(list, index, docs);
  }
  // Its halves. Whether a block is damaged, only its documents say.
  size_t DecodeDocs(const PostingList& list, size_t index, DocId* docs) const;
  size_t DecodeTfs(const PostingList& list, size_t index, uint32_t* tfs) const;

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
  std::span<const TermEntry> entries_;
  std::span<const BlockEntry> blocks_;
  std::string_view bytes_;  // ends with kPackSlack zeros
  bool has_impacts_ = true;
  std::shared_ptr<const SegmentFile> segment_;
  // In a segment, one bit a term: its list was found to be readable. Bits are only ever set, by any thread.
  mutable std::vector<std::atomic<uint64_t>> readable_;
  struct Arrays {
    std::vector<TermEntry> entries;
    std::vector<BlockEntry> blocks;
    std::string bytes;
  };
  Arrays arrays_;  // what the spans show when there is no segment

  bool IsKnownReadable(TermId term) const;
  bool IsReadable(const TermEntry& entry) const;
  // Where the impacts of a list, or else its first block, begin in bytes_; none when that is before the beginning.
  std::optional<size_t> FirstByte(const TermEntry& entry, size_t block_count) const;
};

// Writes lists in ascending order of terms.
class PartitionBuilder {
 public:
  PartitionBuilder(TermId term_begin, uint64_t folded_through);

  // norm_bytes[i] is the length norm of docs[i] in the term's field. REQUIRES: term not smaller than any before; P1.
  void Add(TermId term, const std::vector<DocId>& docs, const std::vector<uint16_t>& tfs,
           const std::vector<uint8_t>& norm_bytes);

  size_t bytes() const {
    const BasePartition::Arrays& arrays = partition_->arrays_;
    return arrays.bytes.size() + arrays.blocks.size() * sizeof(BlockEntry) +
           arrays.entries.size() * sizeof(BasePartition::TermEntry);
  }
  // `known_end`: terms below it are known to have no postings when they were not added.
  std::shared_ptr<const BasePartition> Finish(TermId known_end, TermId term_end);

 private:
  TermId built_end() const { return partition_->term_begin_ + static_cast<TermId>(partition_->arrays_.entries.size()); }
  void PadTo(TermId term);

  std::shared_ptr<BasePartition> partition_;
};

}  // namespace freshdex::index

// The postings of a range of terms, immutable and packed: what folds write and most of a search reads.
//
// A posting list is cut into blocks of 128 postings (the last may be shorter). Most lists are short: what is known of a
// list of one block lies before its bytes, and a list of one posting sits in the term table itself.
//
//   term entry (e bits)     the two lowest bits are its kind, the others as follows:
//                           0  no postings
//                           1  one posting, tf <= 8: three bits tf - 1, then the document
//                           2  a short list, of up to 128 postings: its byte offset
//                           3  a long list: its number
//   short list (4 bytes)    u8 df - 1, u8 doc bits, u8 max tf (255: 255 or more), u8 min length norm, and then the
//   bytes
//                           of its block, with as many tf bits as max tf - 1 takes, or 16 where max tf is 255
//   long list (8 bytes)     u32 df, or 0x80000000 + df where it has no impacts, u32 first block
//   block entry (12 bytes)  u32 last doc, u32 byte offset, u8 doc bits, u8 tf bits,
//                           u8 max tf (255: 255 or more), u8 min length norm
//   block bytes             (doc gaps - 1) in `doc bits` each, then (tf - 1) in `tf bits` each,
//                           every part starting on a byte
//   impacts (8 bytes)       four pairs of u8 tf (255: 255 or more), u8 length norm
//
// Term entries lie side by side, the lowest bit first, each as wide as the largest of the partition needs.
//
// The first gap of a list counts from -1, so document 0 has gap 1. The impacts of a long list lie side by side before
// the bytes of its first block: a search reads all of them, and few of the blocks. Every posting of a block has a pair
// with at least its tf and at most its norm, so that the best pair bounds every score in the block for any model that
// grows with tf and falls with length. Max tf and min norm bound it too, far less closely. The norms are those of the
// time of the fold: see docs/architecture.md for what a document that became shorter since means.
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
  PostingList() = default;
  PostingList(const PostingList&) = delete;  // `blocks` may point into the list itself
  PostingList& operator=(const PostingList&) = delete;

  // Back to a list without postings.
  void Clear() {
    df = 0;
    is_single = false;
    blocks = nullptr;
    block_count = 0;
    impacts = nullptr;
  }

  uint32_t df = 0;
  bool is_single = false;
  DocId single_doc = 0;
  uint16_t single_tf = 0;
  const BlockEntry* blocks = nullptr;
  size_t block_count = 0;
  // kImpactBytes for each block; null for a list of one block, or one that is never scored.
  const uint8_t* impacts = nullptr;
  BlockEntry only = {};  // of a short list
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
  TermId known_end() const { return term_begin_ + entry_count_; }
  // REQUIRES: a list without postings.
  void Find(TermId term, PostingList* list) const;
  uint32_t DocumentFrequency(TermId term) const;

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

  enum EntryKind : uint32_t { kNone = 0, kSingle = 1, kShort = 2, kLong = 3 };
  struct TermEntry {
    EntryKind kind;
    uint64_t value;  // the bits behind the kind
  };
  static constexpr int kKindBits = 2, kSingleTfBits = 3, kMaxEntryBits = 40;
  static constexpr size_t kShortHeadBytes = 4;
  struct LongList {
    static constexpr uint32_t kNoImpacts = 0x80000000;

    uint32_t flags_and_df;
    uint32_t first_block;

    uint32_t df() const { return flags_and_df & ~kNoImpacts; }
    bool has_impacts() const { return (flags_and_df & kNoImpacts) == 0; }
    size_t block_count() const { return (df() + kBlockPostings - 1) / kBlockPostings; }
  };

  TermId term_begin_ = 0;
  TermId term_end_ = 0;
  uint64_t folded_through_ = 0;
  uint64_t postings_ = 0;
  std::string_view entries_;  // ends with kPackSlack zeros
  uint32_t entry_count_ = 0;
  uint32_t entry_bits_ = 0;
  std::span<const LongList> long_lists_;
  std::span<const BlockEntry> blocks_;
  std::string_view bytes_;  // ends with kPackSlack zeros
  std::shared_ptr<const SegmentFile> segment_;
  // In a segment, one bit a term: its list was found to be readable. Bits are only ever set, by any thread.
  mutable std::vector<std::atomic<uint64_t>> readable_;
  struct Arrays {
    std::string entries;
    std::vector<LongList> long_lists;
    std::vector<BlockEntry> blocks;
    std::string bytes;
  };
  Arrays arrays_;  // what the spans show when there is no segment

  TermEntry EntryOf(size_t at) const;
  const char* PlaceOf(size_t at) const { return entries_.data() + at * entry_bits_ / 8; }
  bool IsKnownReadable(TermId term) const;
  bool IsReadable(size_t at) const;
  bool IsShortReadable(uint64_t offset, const char* place) const;
  bool IsLongReadable(uint64_t number, const char* place) const;
  // The block of a short list, without its last document. REQUIRES: its head lies in bytes_.
  BlockEntry ShortBlock(uint64_t offset) const;
  uint32_t ShortDf(uint64_t offset) const { return static_cast<uint8_t>(bytes_[offset]) + 1u; }
  static size_t BlockBytes(const BlockEntry& block, size_t count);
  // Whether the bytes of a block lie in bytes_ with slack behind them.
  bool IsInside(const BlockEntry& block, size_t count) const;
  // Where the impacts of a list, or else its first block, begin in bytes_; none when that is before the beginning.
  std::optional<size_t> FirstByte(const LongList& list) const;
};

// Writes lists in ascending order of terms.
class PartitionBuilder {
 public:
  PartitionBuilder(TermId term_begin, uint64_t folded_through);

  // norm_bytes[i] is the length norm of docs[i] in the term's field; empty for a list that is never scored. REQUIRES:
  // term not smaller than any before; P1.
  void Add(TermId term, const std::vector<DocId>& docs, const std::vector<uint16_t>& tfs,
           const std::vector<uint8_t>& norm_bytes);

  size_t bytes() const {
    const BasePartition::Arrays& arrays = partition_->arrays_;
    return arrays.bytes.size() + arrays.blocks.size() * sizeof(BlockEntry) + entries_.size() * kNominalEntryBytes;
  }
  // `known_end`: terms below it are known to have no postings when they were not added.
  std::shared_ptr<const BasePartition> Finish(TermId known_end, TermId term_end);

 private:
  static constexpr size_t kNominalEntryBytes = 3;

  TermId built_end() const { return partition_->term_begin_ + static_cast<TermId>(entries_.size()); }
  void PadTo(TermId term) { entries_.resize(term - partition_->term_begin_, 0); }
  void AddEntry(uint32_t kind, uint64_t value) { entries_.push_back(value << BasePartition::kKindBits | kind); }
  // Appends the bytes of a block of the postings from `begin` on; its offset is where they begin.
  BlockEntry AppendBlock(DocId next, size_t begin, const std::vector<DocId>& docs, const std::vector<uint16_t>& tfs,
                         const std::vector<uint8_t>& norm_bytes, bool is_short);
  void AddLong(const std::vector<DocId>& docs, const std::vector<uint16_t>& tfs,
               const std::vector<uint8_t>& norm_bytes);

  std::shared_ptr<BasePartition> partition_;
  std::vector<uint64_t> entries_;
};

}  // namespace freshdex::index

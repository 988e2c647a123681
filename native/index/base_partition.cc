#include "native/index/base_partition.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "native/base/bytes.h"
#include "native/index/length_norm.h"

namespace freshdex::index {

namespace {

// Whether sums of gaps have not gone round 2^32. 128 gaps of up to 24 bits come to less than 2^32: had their sum gone
// round, the last document would be below the first that the block may have, while blocks are known to ascend.
bool AscendFrom(DocId next, const DocId* docs, size_t count, int bits) {
  if (bits <= 24) return true;
  for (size_t i = 0; i < count; ++i) {
    if (docs[i] < next) return false;
    next = docs[i] + 1;
  }
  return true;
}

// Frequencies by classes, so that the shortest document of each is found in one pass: one class for each tf up to 15,
// then four for each doubling.
constexpr size_t kTfClasses = 16 + 4 * 12;

size_t TfClass(uint32_t tf) {
  if (tf < 16) return tf;
  const int bits = std::bit_width(tf);  // 5 to 16
  return 16 + 4 * static_cast<size_t>(bits - 5) + (tf >> (bits - 3) & 3);
}

struct ImpactPair {
  uint8_t tf;
  uint8_t norm;
};

// What to keep close: BM25 with its usual parameters and documents of a few hundred tokens on average. Bounds are right
// under any model, and closest under such ones.
double NominalScore(const ImpactPair& pair) {
  constexpr double kAverage = 300;
  const double tf = pair.tf == 255 ? kMaxTf : pair.tf;
  return tf / (tf + 1.2 * (0.25 + 0.75 * DecodeLength(pair.norm) / kAverage));
}

// The pairs that bound a block: those that no other dominates, neighbours joined until four are left.
void AppendImpacts(const uint16_t* tfs, const uint8_t* norms, size_t count, std::string* out) {
  std::array<uint8_t, kTfClasses> min_norms;
  std::array<uint16_t, kTfClasses> max_tfs{};
  min_norms.fill(255);
  for (size_t i = 0; i < count; ++i) {
    const size_t at = TfClass(tfs[i]);
    min_norms[at] = std::min(min_norms[at], norms[i]);
    max_tfs[at] = std::max(max_tfs[at], tfs[i]);
  }
  std::array<ImpactPair, kTfClasses> pairs;  // tf and norm descending
  size_t kept = 0;
  for (size_t at = kTfClasses; at-- > 0;) {
    if (max_tfs[at] == 0 || (kept > 0 && pairs[kept - 1].norm <= min_norms[at])) continue;
    pairs[kept++] = {static_cast<uint8_t>(std::min<uint32_t>(max_tfs[at], 255)), min_norms[at]};
  }
  while (kept > kImpactPairs) {
    const auto joined = [&](size_t i) { return ImpactPair{pairs[i].tf, pairs[i + 1].norm}; };
    size_t best = 0;
    for (size_t i = 1; i + 1 < kept; ++i) {
      if (NominalScore(joined(i)) < NominalScore(joined(best))) best = i;
    }
    pairs[best] = joined(best);
    std::copy(pairs.begin() + best + 2, pairs.begin() + kept, pairs.begin() + best + 1);
    --kept;
  }
  for (size_t i = 0; i < kImpactPairs; ++i) {
    const ImpactPair& pair = pairs[std::min(i, kept - 1)];
    out->push_back(static_cast<char>(pair.tf));
    out->push_back(static_cast<char>(pair.norm));
  }
}

// Of term entries side by side, with slack behind them.
size_t EntryBytes(size_t count, size_t bits) { return (count * bits + 7) / 8 + kPackSlack; }

std::string PackEntries(const std::vector<uint64_t>& entries, size_t bits) {
  std::string bytes(EntryBytes(entries.size(), bits), '\0');
  for (size_t i = 0; i < entries.size(); ++i) {
    char* place = bytes.data() + i * bits / 8;
    const uint64_t value = LoadUnaligned<uint64_t>(place) | entries[i] << i * bits % 8;
    std::memcpy(place, &value, sizeof(value));
  }
  return bytes;
}

}  // namespace

BasePartition::TermEntry BasePartition::EntryOf(size_t at) const {
  const size_t bit = at * entry_bits_;
  const uint64_t entry =
      LoadUnaligned<uint64_t>(entries_.data() + bit / 8) >> bit % 8 & ((uint64_t{1} << entry_bits_) - 1);
  return {static_cast<EntryKind>(entry & ((1u << kKindBits) - 1)), entry >> kKindBits};
}

BlockEntry BasePartition::ShortBlock(uint64_t offset) const {
  const uint8_t* head = reinterpret_cast<const uint8_t*>(bytes_.data()) + offset;
  BlockEntry block = {};
  block.offset = static_cast<uint32_t>(offset + kShortHeadBytes);
  block.doc_bits = head[1];
  block.max_tf = head[2];
  block.min_norm = head[3];
  block.tf_bits = static_cast<uint8_t>(block.max_tf == 255 ? 16 : BitWidth(block.max_tf - 1u));
  return block;
}

void BasePartition::Find(TermId term, PostingList* list) const {
  assert(term >= term_begin_ && term < term_end_ && list->df == 0);
  if (term >= known_end()) return;
  if (segment_ && !IsKnownReadable(term)) return;
  const TermEntry entry = EntryOf(term - term_begin_);
  if (entry.kind == kSingle) {
    list->df = 1;
    list->is_single = true;
    list->single_doc = static_cast<DocId>(entry.value >> kSingleTfBits);
    list->single_tf = static_cast<uint16_t>((entry.value & ((1u << kSingleTfBits) - 1)) + 1);
  } else if (entry.kind == kShort) {
    list->df = ShortDf(entry.value);
    list->only = ShortBlock(entry.value);
    list->blocks = &list->only;
    list->block_count = 1;
    DocId docs[kBlockPostings];
    UnpackSums(reinterpret_cast<const uint8_t*>(bytes_.data()) + list->only.offset, list->df, list->only.doc_bits, 0,
               docs);
    list->only.last_doc = docs[list->df - 1];
    if (!segment_ || AscendFrom(0, docs, list->df, list->only.doc_bits)) return;
    segment_->NoteDamage(bytes_.data() + entry.value, "documents of a short list");
    list->Clear();
  } else if (entry.kind == kLong) {
    const LongList& found = long_lists_[entry.value];
    list->df = found.df();
    list->blocks = blocks_.data() + found.first_block;
    list->block_count = found.block_count();
    if (found.has_impacts()) list->impacts = reinterpret_cast<const uint8_t*>(bytes_.data()) + *FirstByte(found);
  }
}

uint32_t BasePartition::DocumentFrequency(TermId term) const {
  assert(term >= term_begin_ && term < term_end_);
  if (term >= known_end() || (segment_ && !IsKnownReadable(term))) return 0;
  const TermEntry entry = EntryOf(term - term_begin_);
  switch (entry.kind) {
    case kNone:
      return 0;
    case kSingle:
      return 1;
    case kShort:
      return ShortDf(entry.value);
    case kLong:
      return long_lists_[entry.value].df();
  }
  return 0;
}

std::optional<size_t> BasePartition::FirstByte(const LongList& list) const {
  const size_t offset = blocks_[list.first_block].offset;
  const size_t impacts = list.has_impacts() ? list.block_count() * kImpactBytes : 0;
  if (offset < impacts) return std::nullopt;
  return offset - impacts;
}

// A list is looked at once: what is mapped does not change.
bool BasePartition::IsKnownReadable(TermId term) const {
  const size_t at = term - term_begin_;
  std::atomic<uint64_t>& word = readable_[at / 64];
  const uint64_t bit = uint64_t{1} << (at % 64);
  if ((word.load(std::memory_order_relaxed) & bit) != 0) return true;
  if (!IsReadable(at)) return false;
  word.fetch_or(bit, std::memory_order_relaxed);
  return true;
}

size_t BasePartition::BlockBytes(const BlockEntry& block, size_t count) {
  return PackedBytes(count, block.doc_bits) + PackedBytes(count, block.tf_bits);
}

bool BasePartition::IsInside(const BlockEntry& block, size_t count) const {
  return block.doc_bits <= 32 && block.tf_bits <= 16 && block.max_tf > 0 && block.offset <= bytes_.size() &&
         bytes_.size() - block.offset >= BlockBytes(block, count) + kPackSlack;
}

// Checksums first, then every length against the arrays: bytes may be as they were written and still make no sense.
bool BasePartition::IsReadable(size_t at) const {
  const char* place = PlaceOf(at);
  if (!segment_->IsSound(place, sizeof(uint64_t))) return false;
  const TermEntry entry = EntryOf(at);
  switch (entry.kind) {
    case kNone:
      return entry.value == 0 || segment_->NoteDamage(place, "entry of a term");
    case kSingle:
      return entry.value >> kSingleTfBits < kNoDoc || segment_->NoteDamage(place, "document of a posting");
    case kShort:
      return IsShortReadable(entry.value, place);
    case kLong:
      return IsLongReadable(entry.value, place);
  }
  return false;
}

bool BasePartition::IsShortReadable(uint64_t offset, const char* place) const {
  if (offset > bytes_.size() || bytes_.size() - offset < kShortHeadBytes + kPackSlack)
    return segment_->NoteDamage(place, "place of a short list");
  if (!segment_->IsSound(bytes_.data() + offset, kShortHeadBytes)) return false;
  const uint32_t df = ShortDf(offset);
  const BlockEntry block = ShortBlock(offset);
  if (df > kBlockPostings || !IsInside(block, df))
    return segment_->NoteDamage(bytes_.data() + offset, "extent of a short list");
  return segment_->IsSound(bytes_.data() + block.offset, BlockBytes(block, df));
}

bool BasePartition::IsLongReadable(uint64_t number, const char* place) const {
  if (number >= long_lists_.size()) return segment_->NoteDamage(place, "number of a long list");
  const LongList& list = long_lists_[number];
  if (!segment_->IsSound(&list, sizeof(list))) return false;
  const size_t block_count = list.block_count();
  if (list.df() <= kBlockPostings || list.first_block > blocks_.size() ||
      blocks_.size() - list.first_block < block_count)
    return segment_->NoteDamage(&list, "block numbers of a list");
  const BlockEntry* blocks = blocks_.data() + list.first_block;
  if (!segment_->IsSound(blocks, block_count * sizeof(BlockEntry))) return false;
  const BlockEntry& last = blocks[block_count - 1];
  for (size_t i = 0; i < block_count; ++i) {
    const size_t count = std::min(kBlockPostings, list.df() - i * kBlockPostings);
    const BlockEntry& block = blocks[i];
    if (!IsInside(block, count)) return segment_->NoteDamage(&block, "extent of a block");
    if (i > 0 && block.last_doc <= blocks[i - 1].last_doc) return segment_->NoteDamage(&block, "order of blocks");
  }
  if (last.offset < blocks->offset) return segment_->NoteDamage(&last, "order of blocks");
  const std::optional<size_t> first_byte = FirstByte(list);
  if (!first_byte) return segment_->NoteDamage(blocks, "impacts of a list");
  const size_t last_count = list.df() - (block_count - 1) * kBlockPostings;
  return segment_->IsSound(bytes_.data() + *first_byte, last.offset - *first_byte + BlockBytes(last, last_count));
}

size_t BasePartition::DecodeDocs(const PostingList& list, size_t index, DocId* docs) const {
  if (list.is_single) {
    docs[0] = list.single_doc;
    return 1;
  }
  const BlockEntry& block = list.blocks[index];
  const size_t count = std::min(kBlockPostings, list.df - index * kBlockPostings);
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(bytes_.data()) + block.offset;
  // The document before the first is -1, so that "gap - 1" of the first posting is the document itself.
  const DocId next = index == 0 ? 0 : list.blocks[index - 1].last_doc + 1;
  UnpackSums(bytes, count, block.doc_bits, next, docs);
  if (segment_ && !(docs[count - 1] == block.last_doc && AscendFrom(next, docs, count, block.doc_bits)))
    return segment_->NoteDamage(&block, "documents of a block");
  return count;
}

size_t BasePartition::DecodeTfs(const PostingList& list, size_t index, uint32_t* tfs) const {
  if (list.is_single) {
    tfs[0] = list.single_tf;
    return 1;
  }
  const BlockEntry& block = list.blocks[index];
  const size_t count = std::min(kBlockPostings, list.df - index * kBlockPostings);
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(bytes_.data()) + block.offset;
  UnpackPlusOne(bytes + PackedBytes(count, block.doc_bits), count, block.tf_bits, tfs);
  return count;
}

bool BasePartition::IsWellFormed() const {
  if (bytes_.size() < kPackSlack || known_end() > term_end_) return false;
  uint64_t postings = 0;
  for (size_t at = 0; at < entry_count_; ++at) {
    const TermEntry entry = EntryOf(at);
    if (entry.kind == kNone && entry.value != 0) return false;
    if (entry.kind == kSingle) {
      ++postings;
    } else if (entry.kind == kShort) {
      if (entry.value > bytes_.size() || bytes_.size() - entry.value < kShortHeadBytes + kPackSlack) return false;
      const uint32_t df = ShortDf(entry.value);
      if (df > kBlockPostings || !IsInside(ShortBlock(entry.value), df)) return false;
      postings += df;
    } else if (entry.kind == kLong) {
      if (entry.value >= long_lists_.size()) return false;
      const LongList& list = long_lists_[entry.value];
      if (list.first_block > blocks_.size() || blocks_.size() - list.first_block < list.block_count()) return false;
      for (size_t i = 0; i < list.block_count(); ++i) {
        const size_t count = std::min(kBlockPostings, list.df() - i * kBlockPostings);
        if (!IsInside(blocks_[list.first_block + i], count)) return false;
      }
      postings += list.df();
    }
  }
  return postings == postings_;
}

size_t BasePartition::MemoryBytes() const {
  return arrays_.entries.capacity() + arrays_.long_lists.capacity() * sizeof(LongList) +
         arrays_.blocks.capacity() * sizeof(BlockEntry) + arrays_.bytes.capacity() +
         readable_.size() * sizeof(readable_[0]);
}

namespace {

namespace partition_section {
inline constexpr uint32_t kRange = 1, kEntries = 2, kBlocks = 3, kLongLists = 4, kBytes = 5;
}  // namespace partition_section

struct PartitionRange {
  uint64_t folded_through;
  uint64_t postings;
  TermId term_begin;
  TermId term_end;
  uint32_t entries;
  uint32_t entry_bits;
};

}  // namespace

void BasePartition::AddTo(SegmentWriter* writer) const {
  const PartitionRange range{folded_through_, postings_, term_begin_, term_end_, entry_count_, entry_bits_};
  writer->AddArray(partition_section::kRange, std::span(&range, 1));
  writer->Add(partition_section::kEntries, entries_);
  writer->AddArray(partition_section::kBlocks, blocks_);
  writer->AddArray(partition_section::kLongLists, long_lists_);
  writer->Add(partition_section::kBytes, bytes_);
}

Result<std::shared_ptr<const BasePartition>> BasePartition::Open(std::shared_ptr<const SegmentFile> segment) {
  auto partition = std::make_shared<BasePartition>();
  const auto ranges = segment->Array<PartitionRange>(partition_section::kRange);
  partition->entries_ = segment->Section(partition_section::kEntries);
  partition->blocks_ = segment->Array<BlockEntry>(partition_section::kBlocks);
  partition->long_lists_ = segment->Array<LongList>(partition_section::kLongLists);
  partition->bytes_ = segment->Section(partition_section::kBytes);
  if (ranges.size() != 1 || !segment->IsSound(ranges.data(), sizeof(PartitionRange)))
    return segment->Corrupt(0, "range of terms");
  const PartitionRange& range = ranges[0];
  partition->folded_through_ = range.folded_through;
  partition->postings_ = range.postings;
  partition->term_begin_ = range.term_begin;
  partition->term_end_ = range.term_end;
  partition->entry_count_ = range.entries;
  partition->entry_bits_ = range.entry_bits;
  const bool is_sensible = range.term_begin < range.term_end && partition->bytes_.size() >= kPackSlack &&
                           range.entries <= range.term_end - range.term_begin && range.entry_bits <= kMaxEntryBits &&
                           partition->entries_.size() == EntryBytes(range.entries, range.entry_bits);
  if (!is_sensible) return segment->Corrupt(0, "sections of a partition");
  partition->readable_ = std::vector<std::atomic<uint64_t>>((range.entries + 63) / 64);
  partition->segment_ = std::move(segment);
  return std::shared_ptr<const BasePartition>(std::move(partition));
}

PartitionBuilder::PartitionBuilder(TermId term_begin, uint64_t folded_through)
    : partition_(std::make_shared<BasePartition>()) {
  partition_->term_begin_ = term_begin;
  partition_->folded_through_ = folded_through;
}

void PartitionBuilder::Add(TermId term, const std::vector<DocId>& docs, const std::vector<uint16_t>& tfs,
                           const std::vector<uint8_t>& norm_bytes) {
  assert(docs.size() == tfs.size() && (docs.size() == norm_bytes.size() || norm_bytes.empty()) && term >= built_end());
  if (docs.empty()) return;
  PadTo(term);
  partition_->postings_ += docs.size();
  if (docs.size() == 1 && tfs[0] <= 1u << BasePartition::kSingleTfBits) {
    AddEntry(BasePartition::kSingle, uint64_t{docs[0]} << BasePartition::kSingleTfBits | (tfs[0] - 1u));
  } else if (docs.size() <= kBlockPostings) {
    AddEntry(BasePartition::kShort, partition_->arrays_.bytes.size());
    AppendBlock(0, 0, docs, tfs, norm_bytes, true);
  } else {
    AddEntry(BasePartition::kLong, partition_->arrays_.long_lists.size());
    AddLong(docs, tfs, norm_bytes);
  }
}

void PartitionBuilder::AddLong(const std::vector<DocId>& docs, const std::vector<uint16_t>& tfs,
                               const std::vector<uint8_t>& norm_bytes) {
  BasePartition::Arrays& arrays = partition_->arrays_;
  const uint32_t flags = norm_bytes.empty() ? BasePartition::LongList::kNoImpacts : 0;
  arrays.long_lists.push_back(
      {static_cast<uint32_t>(docs.size()) | flags, static_cast<uint32_t>(arrays.blocks.size())});
  for (size_t begin = 0; begin < docs.size() && !norm_bytes.empty(); begin += kBlockPostings)
    AppendImpacts(tfs.data() + begin, norm_bytes.data() + begin, std::min(kBlockPostings, docs.size() - begin),
                  &arrays.bytes);
  for (size_t begin = 0; begin < docs.size(); begin += kBlockPostings) {
    const DocId next = begin == 0 ? 0 : docs[begin - 1] + 1;
    arrays.blocks.push_back(AppendBlock(next, begin, docs, tfs, norm_bytes, false));
  }
}

BlockEntry PartitionBuilder::AppendBlock(DocId next, size_t begin, const std::vector<DocId>& docs,
                                         const std::vector<uint16_t>& tfs, const std::vector<uint8_t>& norm_bytes,
                                         bool is_short) {
  std::string* bytes = &partition_->arrays_.bytes;
  const size_t count = std::min(kBlockPostings, docs.size() - begin);
  std::array<uint32_t, kBlockPostings> gaps, less_one;
  uint32_t all_gaps = 0, max_tf = 0;
  uint8_t min_norm = norm_bytes.empty() ? 0 : 255;
  for (size_t i = 0; i < count; ++i) {
    const size_t at = begin + i;
    assert(docs[at] >= next && tfs[at] >= 1);
    gaps[i] = docs[at] - next;
    next = docs[at] + 1;
    less_one[i] = tfs[at] - 1u;
    all_gaps |= gaps[i];
    max_tf = std::max<uint32_t>(max_tf, tfs[at]);
    if (!norm_bytes.empty()) min_norm = std::min(min_norm, norm_bytes[at]);
  }
  BlockEntry block;
  block.last_doc = docs[begin + count - 1];
  block.doc_bits = static_cast<uint8_t>(BitWidth(all_gaps));
  // The number of bits that ShortBlock() finds.
  block.tf_bits = static_cast<uint8_t>(is_short && max_tf >= 255 ? 16 : BitWidth(max_tf - 1));
  block.max_tf = static_cast<uint8_t>(std::min<uint32_t>(max_tf, 255));
  block.min_norm = min_norm;
  if (is_short) {
    for (const uint8_t byte : {static_cast<uint8_t>(count - 1), block.doc_bits, block.max_tf, block.min_norm})
      bytes->push_back(static_cast<char>(byte));
  }
  block.offset = static_cast<uint32_t>(bytes->size());
  Pack(gaps.data(), count, block.doc_bits, bytes);
  Pack(less_one.data(), count, block.tf_bits, bytes);
  return block;
}

std::shared_ptr<const BasePartition> PartitionBuilder::Finish(TermId known_end, TermId term_end) {
  PadTo(std::max(known_end, built_end()));
  partition_->term_end_ = term_end;
  BasePartition::Arrays& arrays = partition_->arrays_;
  uint64_t all = 0;
  for (const uint64_t entry : entries_) all |= entry;
  partition_->entry_count_ = static_cast<uint32_t>(entries_.size());
  partition_->entry_bits_ = static_cast<uint32_t>(std::bit_width(all));
  arrays.entries = PackEntries(entries_, partition_->entry_bits_);
  arrays.bytes.append(kPackSlack, '\0');
  arrays.long_lists.shrink_to_fit();
  arrays.blocks.shrink_to_fit();
  arrays.bytes.shrink_to_fit();
  partition_->entries_ = arrays.entries;
  partition_->long_lists_ = arrays.long_lists;
  partition_->blocks_ = arrays.blocks;
  partition_->bytes_ = arrays.bytes;
  return std::move(partition_);
}

}  // namespace freshdex::index

#include "native/index/base_partition.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace freshdex::index {

PostingList BasePartition::Find(TermId term) const {
  assert(term >= term_begin_ && term < term_end_);
  PostingList list;
  if (term >= known_end()) return list;
  const TermEntry& entry = entries_[term - term_begin_];
  if (segment_ && !IsReadable(entry)) return list;
  if (entry.df & kSingle) {
    list.df = 1;
    list.is_single = true;
    list.single_doc = entry.first;
    list.single_tf = static_cast<uint16_t>(entry.df & 0xFFFF);
  } else if (entry.df != 0) {
    list.df = entry.df;
    list.blocks = blocks_.data() + entry.first;
    list.block_count = (entry.df + kBlockPostings - 1) / kBlockPostings;
  }
  return list;
}

// Checksums first, then every length against the arrays: bytes may be as they were written and still make no sense.
bool BasePartition::IsReadable(const TermEntry& entry) const {
  if (!segment_->IsSound(&entry, sizeof(entry))) return false;
  if (entry.df == 0) return true;
  if ((entry.df & kSingle) != 0)
    return (entry.df & 0xFFFF) != 0 || segment_->NoteDamage(&entry, "a posting without frequency");
  const size_t block_count = (entry.df + kBlockPostings - 1) / kBlockPostings;
  if (entry.first > blocks_.size() || blocks_.size() - entry.first < block_count)
    return segment_->NoteDamage(&entry, "block numbers of a list");
  const BlockEntry* blocks = blocks_.data() + entry.first;
  if (!segment_->IsSound(blocks, block_count * sizeof(BlockEntry))) return false;
  const BlockEntry& last = blocks[block_count - 1];
  for (size_t i = 0; i < block_count; ++i) {
    const size_t count = std::min(kBlockPostings, entry.df - i * kBlockPostings);
    const BlockEntry& block = blocks[i];
    const bool is_inside = block.doc_bits <= 32 && block.tf_bits <= 16 && block.offset <= bytes_.size() &&
                           bytes_.size() - block.offset >=
                               PackedBytes(count, block.doc_bits) + PackedBytes(count, block.tf_bits) + kPackSlack;
    if (!is_inside) return segment_->NoteDamage(&block, "extent of a block");
    if (i > 0 && block.last_doc <= blocks[i - 1].last_doc) return segment_->NoteDamage(&block, "order of blocks");
  }
  if (last.offset < blocks->offset) return segment_->NoteDamage(&last, "order of blocks");
  const size_t last_count = entry.df - (block_count - 1) * kBlockPostings;
  const size_t bytes =
      last.offset - blocks->offset + PackedBytes(last_count, last.doc_bits) + PackedBytes(last_count, last.tf_bits);
  return segment_->IsSound(bytes_.data() + blocks->offset, bytes);
}

size_t BasePartition::Decode(const PostingList& list, size_t index, DocId* docs, uint32_t* tfs) const {
  if (list.is_single) {
    docs[0] = list.single_doc;
    tfs[0] = list.single_tf;
    return 1;
  }
  const BlockEntry& block = list.blocks[index];
  const size_t count = std::min(kBlockPostings, list.df - index * kBlockPostings);
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(bytes_.data()) + block.offset;
  Unpack(bytes, count, block.doc_bits, docs);
  Unpack(bytes + PackedBytes(count, block.doc_bits), count, block.tf_bits, tfs);
  // The document before the first is -1, so that "gap - 1" of the first posting is the document itself.
  uint64_t next = index == 0 ? 0 : uint64_t{list.blocks[index - 1].last_doc} + 1;
  for (size_t i = 0; i < count; ++i) {
    next += docs[i];
    docs[i] = static_cast<DocId>(next++);
    tfs[i] += 1;
  }
  // Gaps that lead, in 64 bits, to the block's last document have not gone round: the documents ascend.
  if (segment_ && next != uint64_t{block.last_doc} + 1) return segment_->NoteDamage(&block, "documents of a block");
  return count;
}

bool BasePartition::IsWellFormed() const {
  if (bytes_.size() < kPackSlack || known_end() > term_end_) return false;
  uint64_t postings = 0;
  for (const TermEntry& entry : entries_) {
    if (entry.df & kSingle) {
      if ((entry.df & 0xFFFF) == 0 || (entry.df & ~(kSingle | 0xFFFFu)) != 0) return false;
      ++postings;
      continue;
    }
    if (entry.df == 0) continue;
    const size_t block_count = (entry.df + kBlockPostings - 1) / kBlockPostings;
    if (entry.first > blocks_.size() || blocks_.size() - entry.first < block_count) return false;
    for (size_t i = 0; i < block_count; ++i) {
      const BlockEntry& block = blocks_[entry.first + i];
      const size_t count = std::min(kBlockPostings, entry.df - i * kBlockPostings);
      if (block.doc_bits > 32 || block.tf_bits > 16) return false;
      const size_t need = PackedBytes(count, block.doc_bits) + PackedBytes(count, block.tf_bits) + kPackSlack;
      if (block.offset > bytes_.size() || bytes_.size() - block.offset < need) return false;
    }
    postings += entry.df;
  }
  return postings == postings_;
}

size_t BasePartition::MemoryBytes() const {
  return arrays_.entries.capacity() * sizeof(TermEntry) + arrays_.blocks.capacity() * sizeof(BlockEntry) +
         arrays_.bytes.capacity();
}

namespace {

namespace partition_section {
inline constexpr uint32_t kRange = 1, kEntries = 2, kBlocks = 3, kBytes = 4;
}  // namespace partition_section

struct PartitionRange {
  uint64_t folded_through;
  uint64_t postings;
  TermId term_begin;
  TermId term_end;
};

}  // namespace

void BasePartition::AddTo(SegmentWriter* writer) const {
  const PartitionRange range{folded_through_, postings_, term_begin_, term_end_};
  writer->AddArray(partition_section::kRange, std::span(&range, 1));
  writer->AddArray(partition_section::kEntries, entries_);
  writer->AddArray(partition_section::kBlocks, blocks_);
  writer->Add(partition_section::kBytes, bytes_);
}

Result<std::shared_ptr<const BasePartition>> BasePartition::Open(std::shared_ptr<const SegmentFile> segment) {
  auto partition = std::make_shared<BasePartition>();
  const auto range = segment->Array<PartitionRange>(partition_section::kRange);
  partition->entries_ = segment->Array<TermEntry>(partition_section::kEntries);
  partition->blocks_ = segment->Array<BlockEntry>(partition_section::kBlocks);
  partition->bytes_ = segment->Section(partition_section::kBytes);
  if (range.size() != 1 || !segment->IsSound(range.data(), sizeof(PartitionRange)))
    return segment->Corrupt(0, "range of terms");
  partition->folded_through_ = range[0].folded_through;
  partition->postings_ = range[0].postings;
  partition->term_begin_ = range[0].term_begin;
  partition->term_end_ = range[0].term_end;
  const bool is_sensible = range[0].term_begin < range[0].term_end && partition->bytes_.size() >= kPackSlack &&
                           partition->entries_.size() <= range[0].term_end - range[0].term_begin;
  if (!is_sensible) return segment->Corrupt(0, "sections of a partition");
  partition->segment_ = std::move(segment);
  return std::shared_ptr<const BasePartition>(std::move(partition));
}

PartitionBuilder::PartitionBuilder(TermId term_begin, uint64_t folded_through)
    : partition_(std::make_shared<BasePartition>()) {
  partition_->term_begin_ = term_begin;
  partition_->folded_through_ = folded_through;
}

void PartitionBuilder::PadTo(TermId term) {
  assert(term >= built_end());
  partition_->arrays_.entries.resize(term - partition_->term_begin_, {0, 0});
}

void PartitionBuilder::Add(TermId term, const std::vector<DocId>& docs, const std::vector<uint16_t>& tfs,
                           const std::vector<uint8_t>& norm_bytes) {
  assert(docs.size() == tfs.size() && docs.size() == norm_bytes.size());
  if (docs.empty()) return;
  PadTo(term);
  BasePartition::Arrays& arrays = partition_->arrays_;
  partition_->postings_ += docs.size();
  if (docs.size() == 1) {
    arrays.entries.push_back({BasePartition::kSingle | tfs[0], docs[0]});
    return;
  }
  arrays.entries.push_back({static_cast<uint32_t>(docs.size()), static_cast<uint32_t>(arrays.blocks.size())});
  DocId next = 0;
  for (size_t begin = 0; begin < docs.size(); begin += kBlockPostings) {
    const size_t count = std::min(kBlockPostings, docs.size() - begin);
    std::array<uint32_t, kBlockPostings> gaps, less_one;
    uint32_t all_gaps = 0, all_tfs = 0, max_tf = 0;
    uint8_t min_norm = 255;
    for (size_t i = 0; i < count; ++i) {
      const size_t at = begin + i;
      assert(docs[at] >= next && tfs[at] >= 1);
      gaps[i] = docs[at] - next;
      next = docs[at] + 1;
      less_one[i] = tfs[at] - 1u;
      all_gaps |= gaps[i];
      all_tfs |= less_one[i];
      max_tf = std::max<uint32_t>(max_tf, tfs[at]);
      min_norm = std::min(min_norm, norm_bytes[at]);
    }
    BlockEntry block;
    block.last_doc = docs[begin + count - 1];
    block.offset = static_cast<uint32_t>(arrays.bytes.size());
    block.doc_bits = static_cast<uint8_t>(BitWidth(all_gaps));
    block.tf_bits = static_cast<uint8_t>(BitWidth(all_tfs));
    block.max_tf = static_cast<uint8_t>(std::min<uint32_t>(max_tf, 255));
    block.min_norm = min_norm;
    Pack(gaps.data(), count, block.doc_bits, &arrays.bytes);
    Pack(less_one.data(), count, block.tf_bits, &arrays.bytes);
    arrays.blocks.push_back(block);
  }
}

std::shared_ptr<const BasePartition> PartitionBuilder::Finish(TermId known_end, TermId term_end) {
  PadTo(std::max(known_end, built_end()));
  partition_->term_end_ = term_end;
  BasePartition::Arrays& arrays = partition_->arrays_;
  arrays.bytes.append(kPackSlack, '\0');
  arrays.entries.shrink_to_fit();
  arrays.blocks.shrink_to_fit();
  arrays.bytes.shrink_to_fit();
  partition_->entries_ = arrays.entries;
  partition_->blocks_ = arrays.blocks;
  partition_->bytes_ = arrays.bytes;
  return std::move(partition_);
}

}  // namespace freshdex::index

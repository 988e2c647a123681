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
  DocId next = index == 0 ? 0 : list.blocks[index - 1].last_doc + 1;
  for (size_t i = 0; i < count; ++i) {
    docs[i] += next;
    next = docs[i] + 1;
    tfs[i] += 1;
  }
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
  return entries_.capacity() * sizeof(TermEntry) + blocks_.capacity() * sizeof(BlockEntry) + bytes_.capacity();
}

PartitionBuilder::PartitionBuilder(TermId term_begin, uint64_t folded_through) : partition_(std::make_shared<BasePartition>()) {
  partition_->term_begin_ = term_begin;
  partition_->folded_through_ = folded_through;
}

void PartitionBuilder::PadTo(TermId term) {
  assert(term >= partition_->known_end());
  partition_->entries_.resize(term - partition_->term_begin_, {0, 0});
}

void PartitionBuilder::Add(TermId term, const std::vector<DocId>& docs, const std::vector<uint16_t>& tfs,
                           const std::vector<uint8_t>& norm_bytes) {
  assert(docs.size() == tfs.size() && docs.size() == norm_bytes.size());
  if (docs.empty()) return;
  PadTo(term);
  partition_->postings_ += docs.size();
  if (docs.size() == 1) {
    partition_->entries_.push_back({BasePartition::kSingle | tfs[0], docs[0]});
    return;
  }
  partition_->entries_.push_back({static_cast<uint32_t>(docs.size()), static_cast<uint32_t>(partition_->blocks_.size())});
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
    block.offset = static_cast<uint32_t>(partition_->bytes_.size());
    block.doc_bits = static_cast<uint8_t>(BitWidth(all_gaps));
    block.tf_bits = static_cast<uint8_t>(BitWidth(all_tfs));
    block.max_tf = static_cast<uint8_t>(std::min<uint32_t>(max_tf, 255));
    block.min_norm = min_norm;
    Pack(gaps.data(), count, block.doc_bits, &partition_->bytes_);
    Pack(less_one.data(), count, block.tf_bits, &partition_->bytes_);
    partition_->blocks_.push_back(block);
  }
}

std::shared_ptr<const BasePartition> PartitionBuilder::Finish(TermId known_end, TermId term_end) {
  PadTo(std::max(known_end, partition_->known_end()));
  partition_->term_end_ = term_end;
  partition_->bytes_.append(kPackSlack, '\0');
  partition_->entries_.shrink_to_fit();
  partition_->blocks_.shrink_to_fit();
  partition_->bytes_.shrink_to_fit();
  return std::move(partition_);
}

}  // namespace freshdex::index

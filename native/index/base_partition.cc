#include "native/index/base_partition.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

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

}  // namespace

PostingList BasePartition::Find(TermId term) const {
  assert(term >= term_begin_ && term < term_end_);
  PostingList list;
  if (term >= known_end()) return list;
  const TermEntry& entry = entries_[term - term_begin_];
  if (segment_ && !IsKnownReadable(term)) return list;
  if (entry.df & kSingle) {
    list.df = 1;
    list.is_single = true;
    list.single_doc = entry.first;
    list.single_tf = static_cast<uint16_t>(entry.df & 0xFFFF);
  } else if (entry.df != 0) {
    list.df = entry.df;
    list.blocks = blocks_.data() + entry.first;
    list.block_count = (entry.df + kBlockPostings - 1) / kBlockPostings;
    if (has_impacts_ && list.block_count > 1)
      list.impacts = reinterpret_cast<const uint8_t*>(bytes_.data()) + *FirstByte(entry, list.block_count);
  }
  return list;
}

std::optional<size_t> BasePartition::FirstByte(const TermEntry& entry, size_t block_count) const {
  const size_t offset = blocks_[entry.first].offset;
  const size_t impacts = has_impacts_ && block_count > 1 ? block_count * kImpactBytes : 0;
  if (offset < impacts) return std::nullopt;
  return offset - impacts;
}

// A list is looked at once: what is mapped does not change.
bool BasePartition::IsKnownReadable(TermId term) const {
  const size_t at = term - term_begin_;
  std::atomic<uint64_t>& word = readable_[at / 64];
  const uint64_t bit = uint64_t{1} << (at % 64);
  if ((word.load(std::memory_order_relaxed) & bit) != 0) return true;
  if (!IsReadable(entries_[at])) return false;
  word.fetch_or(bit, std::memory_order_relaxed);
  return true;
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
  const std::optional<size_t> first_byte = FirstByte(entry, block_count);
  if (!first_byte) return segment_->NoteDamage(blocks, "impacts of a list");
  const size_t last_count = entry.df - (block_count - 1) * kBlockPostings;
  const size_t bytes =
      last.offset - *first_byte + PackedBytes(last_count, last.doc_bits) + PackedBytes(last_count, last.tf_bits);
  return segment_->IsSound(bytes_.data() + *first_byte, bytes);
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
  for (const TermEntry& entry : entries_) {
    if (entry.df & kSingle) {
      if ((entry.df & 0xFFFF) == 0 || (entry.df & ~(kSingle | 0xFFFFu)) != 0) return false;
      ++postings;
      continue;
    }
    if (entry.df == 0) continue;
    const size_t block_count = (entry.df + kBlockPostings - 1) / kBlockPostings;
    if (entry.first > blocks_.size() || blocks_.size() - entry.first < block_count) return false;
    if (!FirstByte(entry, block_count)) return false;
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
         arrays_.bytes.capacity() + readable_.size() * sizeof(readable_[0]);
}

namespace {

namespace partition_section {
// Bytes without impacts are those of partitions that were written before there were impacts.
inline constexpr uint32_t kRange = 1, kEntries = 2, kBlocks = 3, kBytesWithoutImpacts = 4, kBytes = 5;
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
  writer->Add(has_impacts_ ? partition_section::kBytes : partition_section::kBytesWithoutImpacts, bytes_);
}

Result<std::shared_ptr<const BasePartition>> BasePartition::Open(std::shared_ptr<const SegmentFile> segment) {
  auto partition = std::make_shared<BasePartition>();
  const auto range = segment->Array<PartitionRange>(partition_section::kRange);
  partition->entries_ = segment->Array<TermEntry>(partition_section::kEntries);
  partition->blocks_ = segment->Array<BlockEntry>(partition_section::kBlocks);
  partition->bytes_ = segment->Section(partition_section::kBytes);
  partition->has_impacts_ = !partition->bytes_.empty();
  if (!partition->has_impacts_) partition->bytes_ = segment->Section(partition_section::kBytesWithoutImpacts);
  if (range.size() != 1 || !segment->IsSound(range.data(), sizeof(PartitionRange)))
    return segment->Corrupt(0, "range of terms");
  partition->folded_through_ = range[0].folded_through;
  partition->postings_ = range[0].postings;
  partition->term_begin_ = range[0].term_begin;
  partition->term_end_ = range[0].term_end;
  const bool is_sensible = range[0].term_begin < range[0].term_end && partition->bytes_.size() >= kPackSlack &&
                           partition->entries_.size() <= range[0].term_end - range[0].term_begin;
  if (!is_sensible) return segment->Corrupt(0, "sections of a partition");
  partition->readable_ = std::vector<std::atomic<uint64_t>>((partition->entries_.size() + 63) / 64);
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
  if (docs.size() > kBlockPostings) {
    for (size_t begin = 0; begin < docs.size(); begin += kBlockPostings)
      AppendImpacts(tfs.data() + begin, norm_bytes.data() + begin, std::min(kBlockPostings, docs.size() - begin),
                    &arrays.bytes);
  }
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

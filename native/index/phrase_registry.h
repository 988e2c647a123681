// Which neighbouring words have posting lists of their own. Chosen when an index is compacted and not changed after
// that, so that a list means the same for every document; the next compaction may choose anew.
//
//   registered   two or three words that stand one behind the other, without a hole, in many pages: a list of the
//                documents and of how often they do, which answers such a phrase as a word is answered
//   buckets      all other pairs of two frequent words share as many lists, by their hash: the list of a pair's bucket
//                has every document with the pair, and others
//
// Lists are numbered: buckets from 0, then registered sequences in ascending order of their terms. The bucket of (a, b)
// is the upper half of (a * 2^32 + b) * 0x9E3779B97F4A7C15 mod 2^64, modulo the number of buckets, a power of two.
//
// Sections of a segment of kind kPhraseRegistry:
//
//   1  RegistryHead
//   2  the frequent words, u32 each, ascending
//   3  the registered sequences, three u32 each, the third 0xFFFFFFFF in a pair; ascending
//
// Invariants
//   G1  every part of a registered triple is a registered pair
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "native/base/status.h"
#include "native/index/ids.h"
#include "native/index/segment_file.h"

namespace freshdex::index {

using ListId = uint32_t;
inline constexpr ListId kNoList = 0xFFFFFFFF;

struct TermSequence {
  TermId first;
  TermId second;
  TermId third = kNoTerm;  // none: a pair
  auto operator<=>(const TermSequence&) const = default;
};
static_assert(sizeof(TermSequence) == 12);

struct RegistryHead {
  uint64_t sequence = 0;   // the batch as of which it was chosen
  uint64_t documents = 0;  // of that time
  uint32_t term_count = 0;
  uint32_t buckets = 1;
};

class PhraseRegistry {
 public:
  static constexpr uint32_t kMaxBuckets = 1u << 20;

  // kCorrupt when the parts make no sense; see the sections.
  static Result<std::shared_ptr<const PhraseRegistry>> Make(const RegistryHead& head, std::vector<TermId> frequent,
                                                            std::vector<TermSequence> registered);
  static Result<std::shared_ptr<const PhraseRegistry>> Open(std::shared_ptr<const SegmentFile> segment);
  void AddTo(SegmentWriter* writer) const;
  // Null while the registry is only in memory.
  const std::shared_ptr<const SegmentFile>& segment() const { return segment_; }

  const RegistryHead& head() const { return head_; }
  ListId lists() const { return head_.buckets + static_cast<ListId>(registered_.size()); }
  bool IsBucket(ListId list) const { return list < head_.buckets; }
  // REQUIRES: a list that is no bucket.
  const TermSequence& SequenceOf(ListId list) const { return registered_[list - head_.buckets]; }

  // The registered list of a sequence, or kNoList.
  ListId Registered(const TermSequence& sequence) const;
  bool IsFrequent(TermId term) const { return (FlagsOf(term) & kFrequent) != 0; }
  // The bucket that a pair has if both words are frequent and it is not registered.
  ListId Bucket(TermId first, TermId second) const {
    return static_cast<ListId>(Mix(first, second) >> 32) & (head_.buckets - 1);
  }
  // The one list that counts the pair: registered, or a bucket, or kNoList.
  ListId ListOf(TermId first, TermId second) const {
    const uint8_t of_first = FlagsOf(first), of_second = FlagsOf(second);
    if ((of_first & kBegins) != 0 && (of_second & kEnds) != 0) {
      const ListId list = Registered({first, second, kNoTerm});
      if (list != kNoList) return list;
    }
    return (of_first & of_second & kFrequent) != 0 ? Bucket(first, second) : kNoList;
  }

  size_t MemoryBytes() const;

 private:
  enum Flags : uint8_t { kFrequent = 1, kBegins = 2, kEnds = 4 };  // the last two: of a registered pair

  uint8_t FlagsOf(TermId term) const { return term < flags_.size() ? flags_[term] : 0; }
  static uint64_t Mix(TermId first, TermId second) {
    return (static_cast<uint64_t>(first) << 32 | second) * 0x9E3779B97F4A7C15ULL;
  }
  static uint64_t HashOf(const TermSequence& sequence) {
    return Mix(sequence.first, sequence.second) ^ Mix(sequence.third, sequence.first);
  }
  bool Index();

  RegistryHead head_;
  std::vector<TermId> frequent_;
  std::vector<TermSequence> registered_;
  std::vector<uint8_t> flags_;   // by term
  std::vector<uint32_t> table_;  // open addressing: place in registered_ + 1; a power of two, at most a quarter full
  std::shared_ptr<const SegmentFile> segment_;
};

}  // namespace freshdex::index

// Makes the document table of a snapshot: new records are gathered for records segments, old ones stay where they are
// unless more than half of their segment is dead, or it is one of many small ones; then they move along. Tidying moves
// those of one more segment, the one with the largest dead part, if that is worth it, and those whose codes are not
// as they are wanted, packed or plain.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "native/index/snapshot.h"

namespace freshdex::index {

class DocumentTableBuilder {
 public:
  // `packs`: tidying packs the codes of the records that it gathers.
  DocumentTableBuilder(const Snapshot& snapshot, bool tidies, bool packs);
  // Whether tidying would move anything.
  static bool IsUntidy(const Snapshot& snapshot, bool packs);

  // Gathers what the next new records segment is to contain; false when there is none to write any more. A record that
  // is damaged is noted in the snapshot's damage log; the table is then not to be used.
  bool Gather();
  void AddRecordsTo(SegmentWriter* writer) const;
  // REQUIRES: a segment with what was gathered last.
  void AddSegment(std::shared_ptr<const SegmentFile> segment) { segments_.push_back(std::move(segment)); }
  // Older records segments that the table still refers to.
  const std::vector<std::shared_ptr<const SegmentFile>>& kept_segments() const { return kept_; }

  void AddTo(SegmentWriter* writer) const;
  Result<std::shared_ptr<const SegmentFile>> SegmentOf(uint64_t number) const;

 private:
  void ChooseSegments();
  static std::vector<uint64_t> LiveBytes(const Snapshot& snapshot);
  // The ordinal of the records segment that tidying moves; as many as there are: none.
  static size_t UntidySegment(const Snapshot& snapshot, const std::vector<uint64_t>& live);
  static bool IsPacked(const SegmentFile& segment) { return !segment.Section(kDictionarySection).empty(); }
  void AppendAsTheyAre();
  void AppendPacked();
  void Append(DocId doc, std::string_view forward, const RecordView& record);
  std::vector<DocId> DocsByKey() const;

  // Small segments are rewritten when there are more than kMaxSmallSegments: at most 2 MiB every eighth flush.
  static constexpr size_t kSmallSegmentBytes = 256u << 10;
  static constexpr size_t kMaxSmallSegments = 8;
  // Tidying leaves segments alone of which less than this is dead.
  static constexpr double kTidyDeadShare = 0.1;

  // Packed segments have about so many bytes of records before they are packed. A dictionary is made of the codes of
  // about so many, and no longer than a share of them.
  static constexpr size_t kPackedTogether = 16u << 20;
  static constexpr size_t kSampledBytes = 1u << 20;
  static constexpr size_t kLeastPerDictionaryByte = 16;
  // One flush packs or unpacks no more than this of older segments: writes wait for it.
  static constexpr size_t kPackedAtOnce = 256u << 20;

  const Snapshot& snapshot_;
  const bool tidies_;
  const bool packs_;
  std::vector<std::shared_ptr<const SegmentFile>> kept_;
  std::vector<std::shared_ptr<const SegmentFile>> segments_;  // kept_, then the new ones
  std::vector<uint32_t> renumbered_;                          // old ordinal -> new ordinal + 1, 0: to be moved
  std::vector<DocEntry> entries_;
  std::vector<DocId> moved_;   // documents whose records are to be gathered
  size_t gathered_ = 0;        // of them
  std::vector<DocId> chosen_;  // those of the next segment
  std::string records_;
  std::string dictionary_;  // with slack; empty: as they are
};

}  // namespace freshdex::index

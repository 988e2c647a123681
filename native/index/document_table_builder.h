// Makes the document table of a snapshot: new records are gathered for a records segment, old ones stay where they are
// unless more than half of their segment is dead, or it is one of many small ones; then they move along. Tidying moves
// those of one more segment, the one with the largest dead part, if that is worth it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "native/index/snapshot.h"

namespace freshdex::index {

class DocumentTableBuilder {
 public:
  // A record that is damaged is noted in the snapshot's damage log; the table is then not to be used.
  DocumentTableBuilder(const Snapshot& snapshot, bool tidies);
  // Whether tidying would move anything.
  static bool IsUntidy(const Snapshot& snapshot);

  // What the new records segment is to contain; empty when there is none to write.
  const std::string& records() const { return records_; }
  // REQUIRES: a segment with records() in it.
  void SetNewSegment(std::shared_ptr<const SegmentFile> segment) { segments_.push_back(std::move(segment)); }
  // Older records segments that the table still refers to.
  const std::vector<std::shared_ptr<const SegmentFile>>& kept_segments() const { return kept_; }

  void AddTo(SegmentWriter* writer) const;
  Result<std::shared_ptr<const SegmentFile>> SegmentOf(uint64_t number) const;

 private:
  void ChooseSegments(bool tidies);
  static std::vector<uint64_t> LiveBytes(const Snapshot& snapshot);
  // The ordinal of the records segment that tidying moves; as many as there are: none.
  static size_t UntidySegment(const Snapshot& snapshot, const std::vector<uint64_t>& live);
  void AddRecords();
  std::vector<DocId> DocsByKey() const;

  // Small segments are rewritten when there are more than kMaxSmallSegments: at most 2 MiB every eighth flush.
  static constexpr size_t kSmallSegmentBytes = 256u << 10;
  static constexpr size_t kMaxSmallSegments = 8;
  // Tidying leaves segments alone of which less than this is dead.
  static constexpr double kTidyDeadShare = 0.1;

  const Snapshot& snapshot_;
  std::vector<std::shared_ptr<const SegmentFile>> kept_;
  std::vector<std::shared_ptr<const SegmentFile>> segments_;  // kept_, then the new one
  std::vector<uint32_t> renumbered_;                          // old ordinal -> new ordinal + 1, 0: to be moved
  std::vector<DocEntry> entries_;
  std::string records_;
};

}  // namespace freshdex::index

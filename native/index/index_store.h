// The segments of an index on disk. Writes what is only in memory, and reads it back; which segments count is the
// caller's to record: a segment is synced, then its folder, and only then may anybody name it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/base/files.h"
#include "native/base/status.h"
#include "native/index/segment_file.h"
#include "native/index/snapshot.h"

namespace freshdex::index {

struct SegmentRef {
  uint64_t number = 0;
  SegmentKind kind = SegmentKind::kPartition;
  uint64_t bytes = 0;
  bool operator==(const SegmentRef&) const = default;
};

// What a flush wrote. `live` is the whole list of segments that make up the index as of `sequence`.
struct FlushResult {
  uint64_t sequence = 0;
  std::vector<SegmentRef> live;
  std::vector<SegmentRef> added;
  std::vector<SegmentRef> obsolete;  // named until now, not any more
};

// kTidies: also moves the records of the segment with the largest dead part, if that is worth it. kRenumbers: terms
// have other numbers than those that were written, so that everything is written.
enum class FlushKind { kUsual, kTidies, kRenumbers };

class IndexStore {
 public:
  IndexStore(std::shared_ptr<FileSystem> files, std::string folder, IndexId id, std::shared_ptr<DamageLog> damage)
      : files_(std::move(files)), folder_(std::move(folder)), id_(id), damage_(std::move(damage)) {}

  // The snapshot that the named segments make up. `vocabulary` is empty and gets its terms and keys.
  // `is_for_records`: postings and pages of columns are left out; the snapshot is good for nothing but its documents'
  // records.
  Result<std::shared_ptr<Snapshot>> Load(const std::vector<SegmentRef>& live, std::shared_ptr<Vocabulary> vocabulary,
                                         size_t fields, const ColumnKinds& columns, bool is_for_records);

  // Writes what `snapshot` has only in memory as segments numbered from `next_number` on, and maps them. `next` is a
  // copy of the snapshot that reads from them. On failure, what was written is removed again as far as possible;
  // numbers that were tried may stay taken until RemoveUnnamed().
  Result<FlushResult> Flush(const Snapshot& snapshot, uint64_t next_number, FlushKind kind,
                            std::shared_ptr<Snapshot>* next);

  // The flush's segments count from now on.
  void Adopt(std::vector<SegmentRef> live) noexcept { live_ = std::move(live); }
  // Removes segments; failures leave files that nobody names, for RemoveUnnamed() to find.
  void Remove(const std::vector<SegmentRef>& segments) noexcept;
  // Removes every segment file that is not live.
  Status RemoveUnnamed();

  // Whether tidying packs the codes of records; it does unless told otherwise.
  void PackRecords(bool packs) { packs_records_ = packs; }

  const std::shared_ptr<DamageLog>& damage() const { return damage_; }

 private:
  class Flusher;

  std::string PathOf(uint64_t number) const { return folder_ + "/" + SegmentFileName(number); }
  Result<std::shared_ptr<const SegmentFile>> OpenSegment(const SegmentRef& ref);
  Status LoadTerms(std::vector<std::shared_ptr<const SegmentFile>> segments, Vocabulary* vocabulary,
                   Snapshot* snapshot);
  Status LoadColumns(std::vector<std::shared_ptr<const SegmentFile>> words, const std::vector<SegmentRef>& live,
                     Snapshot* snapshot);
  Status LoadDocuments(std::shared_ptr<const DocumentTable> table, Vocabulary* vocabulary, Snapshot* snapshot);

  const std::shared_ptr<FileSystem> files_;
  const std::string folder_;
  const IndexId id_;
  const std::shared_ptr<DamageLog> damage_;
  std::vector<SegmentRef> live_;
  bool packs_records_ = true;
};

}  // namespace freshdex::index

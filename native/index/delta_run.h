// A sealed, immutable list of posting deltas in order of (term, document): what one or several batches changed and no
// fold has taken up yet.
//
// Deltas are signed (old and new frequency), so runs telescope: (a -> b) then (b -> c) is (a -> c), and what ends where
// it began vanishes.
//
// Invariants
//   R1  terms ascending, no term without deltas; within a term documents ascending
//   R2  at most one delta per (term, document), and old != new
//   R3  df_delta of a term = deltas with old = 0 minus deltas with new = 0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "native/base/status.h"
#include "native/index/flat_array.h"
#include "native/index/ids.h"
#include "native/index/segment_file.h"

namespace freshdex::index {

// The deltas of one term inside a run.
struct TermDeltas {
  std::span<const DocId> docs;
  std::span<const uint16_t> old_tfs;
  std::span<const uint16_t> new_tfs;
  int64_t df_delta = 0;
};

class DeltaRun {
 public:
  // Sorts and seals the deltas of one batch. REQUIRES: R2 holds; for each term, documents appear in ascending order.
  static std::shared_ptr<const DeltaRun> Seal(std::vector<PostingDelta> deltas, uint64_t sequence);

  // The telescoped union of runs given oldest first, restricted to terms in [term_begin, term_end).
  static std::shared_ptr<const DeltaRun> Merge(std::span<const std::shared_ptr<const DeltaRun>> runs, TermId term_begin,
                                               TermId term_end);

  // Joins runs over disjoint term ranges, given in ascending order.
  static std::shared_ptr<const DeltaRun> Concatenate(std::span<const std::shared_ptr<const DeltaRun>> runs);

  // From a segment of kind kRun, verified whole; kCorrupt when R1 to R3 do not hold.
  static Result<std::shared_ptr<const DeltaRun>> Open(std::shared_ptr<const SegmentFile> segment);
  void AddTo(SegmentWriter* writer) const;
  // Null while the run is only in memory.
  const std::shared_ptr<const SegmentFile>& segment() const { return segment_; }

  // Publication number of the newest batch whose deltas are in here.
  uint64_t sequence() const { return sequence_; }

  size_t size() const { return docs_.size(); }
  // Deltas of terms in [term_begin, term_end).
  size_t CountIn(TermId term_begin, TermId term_end) const;
  TermDeltas Find(TermId term) const;

  std::span<const TermId> terms() const { return terms_.values(); }
  TermDeltas At(size_t index) const;
  int64_t DfDeltaAt(size_t index) const { return df_deltas_[index]; }
  size_t LowerBound(TermId term) const;

  size_t MemoryBytes() const;

 private:
  static std::shared_ptr<const DeltaRun> MergeTwo(const DeltaRun& older, const DeltaRun& newer, TermId term_begin,
                                                  TermId term_end);
  void AppendTerm(TermId term);
  void AppendDelta(DocId doc, uint16_t old_tf, uint16_t new_tf);
  void AppendWhole(const DeltaRun& from, size_t index);
  void DropEmptyTerm();

  uint64_t sequence_ = 0;
  std::shared_ptr<const SegmentFile> segment_;
  // In memory or in the segment:
  FlatArray<TermId> terms_;
  FlatArray<uint32_t> ends_;      // per term: end of its deltas in the arrays below
  FlatArray<int32_t> df_deltas_;  // per term
  FlatArray<DocId> docs_;
  FlatArray<uint16_t> old_tfs_;
  FlatArray<uint16_t> new_tfs_;
};

}  // namespace freshdex::index

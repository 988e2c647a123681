// Upkeep of IndexWriter: merging small runs and folding runs into base partitions. Neither changes an answer (W4).
//
// Runs are merged four at a time within a tier of size, so a delta is copied O(log) times before it is folded. A
// partition is folded by itself when enough deltas wait for it; a run goes when every partition has taken up its share.
#include <algorithm>
#include <bit>
#include <cassert>

#include "native/index/index_writer.h"
#include "native/index/posting_cursor.h"

namespace freshdex::index {
namespace {

constexpr size_t kTierRuns = 4;
constexpr size_t kFirstTierDeltas = 1024;

// 0 up to 1,024 deltas, then one more for every factor of four.
int TierOf(size_t deltas) { return (std::bit_width(std::max<size_t>(deltas, 1) / kFirstTierDeltas) + 1) / 2; }

using Runs = std::vector<std::shared_ptr<const DeltaRun>>;

// One run for several. What a partition has already taken up is left out: its fold number would no longer tell it from
// the rest.
std::shared_ptr<const DeltaRun> MergeUnfolded(const Snapshot& snapshot,
                                              std::span<const std::shared_ptr<const DeltaRun>> runs) {
  Runs pieces;
  for (const auto& partition : snapshot.partitions) {
    const auto first = std::find_if(runs.begin(), runs.end(),
                                    [&](const auto& run) { return run->sequence() > partition->folded_through(); });
    pieces.push_back(DeltaRun::Merge({first, runs.end()}, partition->term_begin(), partition->term_end()));
  }
  return DeltaRun::Concatenate(pieces);
}

// Deltas of the run that the partition has not taken up.
size_t WaitingIn(const DeltaRun& run, const BasePartition& partition) {
  return run.sequence() <= partition.folded_through() ? 0 : run.CountIn(partition.term_begin(), partition.term_end());
}

size_t WaitingFor(const BasePartition& partition, const Runs& runs) {
  size_t waiting = 0;
  for (const auto& run : runs) waiting += WaitingIn(*run, partition);
  return waiting;
}

// A partition that a run does not touch need not be folded for the run to go.
void DropFoldedRuns(Snapshot* snapshot) {
  const auto& partitions = snapshot->partitions;
  std::erase_if(snapshot->runs, [&](const auto& run) {
    return std::none_of(partitions.begin(), partitions.end(),
                        [&](const auto& partition) { return WaitingIn(*run, *partition) > 0; });
  });
}

template <typename Part>
uint64_t BytesInMemory(const std::vector<std::shared_ptr<const Part>>& parts) {
  uint64_t bytes = 0;
  for (const auto& part : parts) bytes += part->segment() ? 0 : part->MemoryBytes();
  return bytes;
}

// Rewrites one partition with its deltas applied; several come out when it has grown past the target size.
class PartitionFolder {
 public:
  PartitionFolder(const Snapshot& snapshot, const BasePartition& from, size_t target_bytes)
      : snapshot_(snapshot), from_(from), target_bytes_(target_bytes), builder_(from.term_begin(), snapshot.sequence) {}

  std::vector<std::shared_ptr<const BasePartition>> Fold() {
    const TermId end = std::min(from_.term_end(), snapshot_.term_count);
    for (TermId term = from_.term_begin(); term < end; ++term) {
      CopyList(term);
      if (builder_.bytes() < target_bytes_ || term + 1 == from_.term_end()) continue;
      done_.push_back(builder_.Finish(term + 1, term + 1));
      builder_ = PartitionBuilder(term + 1, snapshot_.sequence);
    }
    done_.push_back(builder_.Finish(end, from_.term_end()));
    return std::move(done_);
  }

 private:
  void CopyList(TermId term) {
    docs_.clear();
    tfs_.clear();
    norms_.clear();
    const NormTable& norms = snapshot_.norms[snapshot_.terms().FieldOf(term)];
    for (PostingCursor cursor(snapshot_, term); cursor.doc() != kNoDoc; cursor.NextBlock()) {
      for (size_t i = 0; i < cursor.block_left(); ++i) {
        const DocId doc = cursor.block_docs()[i];
        docs_.push_back(doc);
        tfs_.push_back(static_cast<uint16_t>(std::min(cursor.block_tfs()[i], kMaxTf)));
        norms_.push_back(norms[doc]);
      }
    }
    builder_.Add(term, docs_, tfs_, norms_);
  }

  const Snapshot& snapshot_;
  const BasePartition& from_;
  const size_t target_bytes_;
  PartitionBuilder builder_;
  std::vector<std::shared_ptr<const BasePartition>> done_;
  std::vector<DocId> docs_;
  std::vector<uint16_t> tfs_;
  std::vector<uint8_t> norms_;
};

}  // namespace

bool IndexWriter::MergeSmallRuns() {
  const Runs& runs = current_->runs;
  if (runs.size() < kTierRuns) return false;
  const int tier = TierOf(runs.back()->size());
  size_t first = runs.size();
  while (first > 0 && TierOf(runs[first - 1]->size()) <= tier) --first;
  if (runs.size() - first < kTierRuns) return false;

  auto next = std::make_shared<Snapshot>(*current_);
  auto merged = MergeUnfolded(*current_, std::span(runs).subspan(first));
  next->runs.resize(first);
  if (merged->size() > 0) next->runs.push_back(std::move(merged));
  Install(std::move(next));
  return true;
}

void IndexWriter::FoldPartition(size_t index) {
  const BasePartition& from = *current_->partitions[index];
  auto folded = PartitionFolder(*current_, from, config_.partition_bytes).Fold();
  auto next = std::make_shared<Snapshot>(*current_);
  const auto at = next->partitions.erase(next->partitions.begin() + static_cast<std::ptrdiff_t>(index));
  next->partitions.insert(at, folded.begin(), folded.end());
  DropFoldedRuns(next.get());
  Install(std::move(next));
}

bool IndexWriter::FoldFullestPartition() {
  size_t fullest = 0;
  double worst = 0;
  for (size_t i = 0; i < current_->partitions.size(); ++i) {
    const BasePartition& partition = *current_->partitions[i];
    const size_t waiting = WaitingFor(partition, current_->runs);
    if (waiting < config_.fold_floor) continue;
    const double share = static_cast<double>(waiting) / static_cast<double>(partition.postings() + 1);
    if (share < config_.fold_share || share <= worst) continue;
    fullest = i;
    worst = share;
  }
  if (worst == 0) return false;
  FoldPartition(fullest);
  return true;
}

// Without a limit, batches that come faster than flushes would have all partitions in memory before long.
bool IndexWriter::MayFold() const {
  return !store_ || BytesInMemory(current_->partitions) <= config_.max_unflushed_bytes;
}

uint64_t IndexWriter::UnflushedBytes() const {
  return BytesInMemory(current_->partitions) + BytesInMemory(current_->runs);
}

bool IndexWriter::MaintainStep() { return !flush_ && ((MayFold() && FoldFullestPartition()) || MergeSmallRuns()); }

bool IndexWriter::CompactStep() {
  assert(!flush_);
  // From the end: what a fold leaves in place of the partition it took does not move those still to be folded.
  for (size_t i = current_->partitions.size(); i-- > 0;) {
    if (WaitingFor(*current_->partitions[i], current_->runs) == 0) continue;
    FoldPartition(i);
    return true;
  }
  return false;
}

void IndexWriter::Compact() {
  while (CompactStep()) {
  }
}

}  // namespace freshdex::index

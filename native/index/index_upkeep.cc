// Upkeep of IndexWriter: merging small runs and folding runs into base partitions. Neither changes an answer (W4).
//
// Runs are merged four at a time within a tier of size, so a delta is copied O(log) times before it is folded. A
// partition is folded by itself when enough deltas wait for it; a run goes when every partition has taken up its share.
#include <algorithm>
#include <bit>
#include <cassert>

#include "native/index/index_writer.h"
#include "native/index/phrase_list_builder.h"
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
std::shared_ptr<const DeltaRun> MergeUnfolded(const PostingSet& set,
                                              std::span<const std::shared_ptr<const DeltaRun>> runs) {
  Runs pieces;
  for (const auto& partition : set.partitions) {
    const auto first = std::find_if(runs.begin(), runs.end(),
                                    [&](const auto& run) { return run->sequence() > partition->folded_through(); });
    pieces.push_back(DeltaRun::Merge({first, runs.end()}, partition->term_begin(), partition->term_end()));
  }
  return DeltaRun::Concatenate(pieces);
}

// How many runs at the end are no larger than the last one.
size_t MergeableRuns(const Runs& runs) {
  if (runs.empty()) return 0;
  const int tier = TierOf(runs.back()->size());
  size_t first = runs.size();
  while (first > 0 && TierOf(runs[first - 1]->size()) <= tier) --first;
  return runs.size() - first;
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
void DropFoldedRuns(PostingSet* set) {
  const auto& partitions = set->partitions;
  std::erase_if(set->runs, [&](const auto& run) {
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
  // `set` is that of the snapshot's terms, or that of its phrases.
  PartitionFolder(const Snapshot& snapshot, const PostingSet& set, const BasePartition& from, size_t target_bytes)
      : snapshot_(snapshot),
        set_(set),
        from_(from),
        target_bytes_(target_bytes),
        builder_(from.term_begin(), snapshot.sequence) {}

  std::vector<std::shared_ptr<const BasePartition>> Fold() {
    const bool is_of_terms = &set_ == &snapshot_;
    const TermId known = is_of_terms ? snapshot_.term_count : snapshot_.phrases.registry->lists();
    const TermId end = std::min(from_.term_end(), known);
    for (TermId term = from_.term_begin(); term < end; ++term) {
      CopyList(term, is_of_terms ? &snapshot_.norms[snapshot_.terms().FieldOf(term)]
                                 : NormsOf(snapshot_, *snapshot_.phrases.registry, term));
      if (builder_.bytes() < target_bytes_ || term + 1 == from_.term_end()) continue;
      done_.push_back(builder_.Finish(term + 1, term + 1));
      builder_ = PartitionBuilder(term + 1, snapshot_.sequence);
    }
    done_.push_back(builder_.Finish(end, from_.term_end()));
    return std::move(done_);
  }

 private:
  void CopyList(TermId term, const NormTable* norms) {
    docs_.clear();
    tfs_.clear();
    norms_.clear();
    for (PostingCursor cursor(set_, snapshot_.doc_limit, term); cursor.doc() != kNoDoc; cursor.NextBlock()) {
      for (size_t i = 0; i < cursor.block_left(); ++i) {
        const DocId doc = cursor.block_docs()[i];
        docs_.push_back(doc);
        tfs_.push_back(static_cast<uint16_t>(std::min(cursor.block_tfs()[i], kMaxTf)));
        if (norms) norms_.push_back((*norms)[doc]);
      }
    }
    builder_.Add(term, docs_, tfs_, norms_);
  }

  const Snapshot& snapshot_;
  const PostingSet& set_;
  const BasePartition& from_;
  const size_t target_bytes_;
  PartitionBuilder builder_;
  std::vector<std::shared_ptr<const BasePartition>> done_;
  std::vector<DocId> docs_;
  std::vector<uint16_t> tfs_;
  std::vector<uint8_t> norms_;
};

}  // namespace

const PostingSet& IndexWriter::SetOf(Set set) const {
  if (set == Set::kTerms) return *current_;
  return current_->phrases;
}

bool IndexWriter::IsMergeDue(Set set) const { return MergeableRuns(SetOf(set).runs) >= kTierRuns; }

bool IndexWriter::MergeSmallRuns(Set set) {
  if (!IsMergeDue(set)) return false;
  const Runs& runs = SetOf(set).runs;
  const size_t first = runs.size() - MergeableRuns(runs);
  auto next = std::make_shared<Snapshot>(*current_);
  auto merged = MergeUnfolded(SetOf(set), std::span(runs).subspan(first));
  PostingSet* changed = set == Set::kTerms ? static_cast<PostingSet*>(next.get()) : &next->phrases;
  changed->runs.resize(first);
  if (merged->size() > 0) changed->runs.push_back(std::move(merged));
  Install(std::move(next));
  return true;
}

void IndexWriter::FoldPartition(Set set, size_t index) {
  const PostingSet& from = SetOf(set);
  auto folded = PartitionFolder(*current_, from, *from.partitions[index], config_.partition_bytes).Fold();
  auto next = std::make_shared<Snapshot>(*current_);
  PostingSet* changed = set == Set::kTerms ? static_cast<PostingSet*>(next.get()) : &next->phrases;
  const auto at = changed->partitions.erase(changed->partitions.begin() + static_cast<std::ptrdiff_t>(index));
  changed->partitions.insert(at, folded.begin(), folded.end());
  DropFoldedRuns(changed);
  Install(std::move(next));
}

bool IndexWriter::FoldFullestPartition() {
  size_t fullest = 0;
  Set of = Set::kTerms;
  double worst = 0;
  size_t room = SIZE_MAX;
  for (const Set set : {Set::kTerms, Set::kPhrases}) {
    const PostingSet& postings = SetOf(set);
    for (size_t i = 0; i < postings.partitions.size(); ++i) {
      const BasePartition& partition = *postings.partitions[i];
      const size_t waiting = WaitingFor(partition, postings.runs);
      const auto postings_in = static_cast<double>(partition.postings() + 1);
      const size_t full = std::max(config_.fold_floor, static_cast<size_t>(config_.fold_share * postings_in));
      room = std::min(room, full - std::min(full, waiting));
      if (waiting < config_.fold_floor) continue;
      const double share = static_cast<double>(waiting) / postings_in;
      if (share < config_.fold_share || share <= worst) continue;
      fullest = i;
      of = set;
      worst = share;
    }
  }
  deltas_before_fold_ = room;
  if (worst == 0) return false;
  FoldPartition(of, fullest);
  return true;
}

// Without a limit, batches that come faster than flushes would have all partitions in memory before long.
bool IndexWriter::MayFold() const {
  return !store_ || BytesInMemory(current_->partitions) + BytesInMemory(current_->phrases.partitions) <=
                        config_.max_unflushed_bytes;
}

uint64_t IndexWriter::UnflushedBytes() const {
  return BytesInMemory(current_->partitions) + BytesInMemory(current_->runs) +
         BytesInMemory(current_->phrases.partitions) + BytesInMemory(current_->phrases.runs);
}

bool IndexWriter::IsMaintenanceDue() const {
  if (flush_) return false;
  return deltas_before_fold_ == 0 || IsMergeDue(Set::kTerms) || IsMergeDue(Set::kPhrases);
}

bool IndexWriter::MaintainStep() {
  if (flush_) return false;
  return (deltas_before_fold_ == 0 && MayFold() && FoldFullestPartition()) || MergeSmallRuns(Set::kTerms) ||
         MergeSmallRuns(Set::kPhrases);
}

bool IndexWriter::FoldWaiting(Set set) {
  const PostingSet& postings = SetOf(set);
  // From the end: what a fold leaves in place of the partition it took does not move those still to be folded.
  for (size_t i = postings.partitions.size(); i-- > 0;) {
    if (WaitingFor(*postings.partitions[i], postings.runs) == 0) continue;
    FoldPartition(set, i);
    return true;
  }
  return false;
}

// A prepared batch has deltas for the lists of the registry that there is.
bool IndexWriter::MakePhraseLists() {
  if (prepared_ || !IsChoiceDue(*current_, config_.phrase_limits)) return false;
  auto registry = ChoosePhrases(*current_, config_.phrase_limits);
  if (!registry && !current_->phrases.registry) return false;
  auto next = std::make_shared<Snapshot>(*current_);
  next->phrases = registry ? BuildPhraseLists(*current_, std::move(registry), config_.partition_bytes) : PhraseLists();
  Install(std::move(next));
  return true;
}

// A snapshot that is held goes on with the dictionary that it has.
bool IndexWriter::DropUnusedWords() {
  std::shared_ptr<Snapshot> next;
  for (size_t c = 0; c < current_->columns.size(); ++c) {
    auto fresh = current_->columns[c].WithoutUnusedWords(config_.seed);
    if (!fresh) continue;
    if (!next) next = std::make_shared<Snapshot>(*current_);
    next->columns[c] = std::move(*fresh);
  }
  if (!next) return false;
  next->word_segments.clear();  // the next flush writes all words again
  Install(std::move(next));
  return true;
}

// On disk that comes with a flush, so that numbers in the log and in segments are the same at any time.
bool IndexWriter::DropUnusedTerms(PostingObserver* observer) {
  if (store_ || prepared_) return false;
  std::optional<Reclaimed> reclaimed = ReclaimTerms(*current_, config_.phrase_limits, config_.partition_bytes);
  if (!reclaimed) return false;
  reclaimed->snapshot->memory = MemoryOf(*reclaimed->snapshot);
  std::shared_ptr<const Snapshot> shown = numbers_.Watch(std::move(reclaimed->snapshot));
  if (observer) observer->OnRenumber(*shown);
  // From here on nothing takes memory.
  TakeVocabulary(std::move(reclaimed->vocabulary));
  Show(std::move(shown));
  return true;
}

void IndexWriter::TakeVocabulary(std::shared_ptr<Vocabulary> vocabulary) noexcept {
  vocabulary_ = std::move(vocabulary);
  differ_.ForgetTermsFrom(static_cast<TermId>(vocabulary_->terms.size()));
}

bool IndexWriter::CompactStep(PostingObserver* observer) {
  assert(!flush_);
  return FoldWaiting(Set::kTerms) || MakePhraseLists() || FoldWaiting(Set::kPhrases) || DropUnusedWords() ||
         DropUnusedTerms(observer);
}

void IndexWriter::Compact(PostingObserver* observer) {
  while (CompactStep(observer)) {
  }
}

}  // namespace freshdex::index

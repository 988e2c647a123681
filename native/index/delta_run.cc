#include "native/index/delta_run.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace freshdex::index {
namespace {

constexpr int kRadixBits = 11;

// Stable, least significant digit first; only as many digits as the largest term needs.
void RadixSortByTerm(std::vector<PostingDelta>* deltas) {
  TermId largest = 0;
  for (const PostingDelta& delta : *deltas) largest = std::max(largest, delta.term);
  std::vector<PostingDelta> other(deltas->size());
  for (int shift = 0; shift < 32 && (largest >> shift) != 0; shift += kRadixBits) {
    std::array<uint32_t, 1 << kRadixBits> starts{};
    constexpr uint32_t kMask = (1u << kRadixBits) - 1;
    for (const PostingDelta& delta : *deltas) ++starts[(delta.term >> shift) & kMask];
    uint32_t sum = 0;
    for (uint32_t& start : starts) {
      const uint32_t count = start;
      start = sum;
      sum += count;
    }
    for (const PostingDelta& delta : *deltas) other[starts[(delta.term >> shift) & kMask]++] = delta;
    deltas->swap(other);
  }
}

}  // namespace

std::shared_ptr<const DeltaRun> DeltaRun::Seal(std::vector<PostingDelta> deltas, uint64_t sequence) {
  // Small batches: comparing beats clearing the radix counters.
  if (deltas.size() < 2048) {
    std::stable_sort(deltas.begin(), deltas.end(),
                     [](const PostingDelta& a, const PostingDelta& b) { return a.term < b.term; });
  } else {
    RadixSortByTerm(&deltas);
  }
  auto run = std::make_shared<DeltaRun>();
  run->sequence_ = sequence;
  run->docs_.built().reserve(deltas.size());
  run->old_tfs_.built().reserve(deltas.size());
  run->new_tfs_.built().reserve(deltas.size());
  for (const PostingDelta& delta : deltas) {
    if (run->terms_.empty() || run->terms_.built().back() != delta.term) run->AppendTerm(delta.term);
    run->AppendDelta(delta.doc, delta.old_tf, delta.new_tf);
  }
  return run;
}

void DeltaRun::AppendTerm(TermId term) {
  assert(terms_.empty() || terms_.built().back() < term);
  terms_.built().push_back(term);
  ends_.built().push_back(static_cast<uint32_t>(docs_.size()));
  df_deltas_.built().push_back(0);
}

void DeltaRun::AppendDelta(DocId doc, uint16_t old_tf, uint16_t new_tf) {
  docs_.built().push_back(doc);
  old_tfs_.built().push_back(old_tf);
  new_tfs_.built().push_back(new_tf);
  ++ends_.built().back();
  df_deltas_.built().back() += (old_tf == 0) - (new_tf == 0);
}

void DeltaRun::AppendWhole(const DeltaRun& from, size_t index) {
  AppendTerm(from.terms_[index]);
  const TermDeltas deltas = from.At(index);
  docs_.built().insert(docs_.built().end(), deltas.docs.begin(), deltas.docs.end());
  old_tfs_.built().insert(old_tfs_.built().end(), deltas.old_tfs.begin(), deltas.old_tfs.end());
  new_tfs_.built().insert(new_tfs_.built().end(), deltas.new_tfs.begin(), deltas.new_tfs.end());
  ends_.built().back() = static_cast<uint32_t>(docs_.size());
  df_deltas_.built().back() = from.df_deltas_[index];
}

void DeltaRun::DropEmptyTerm() {
  const uint32_t begin = ends_.size() < 2 ? 0 : ends_[ends_.size() - 2];
  if (ends_.built().back() != begin) return;
  terms_.built().pop_back();
  ends_.built().pop_back();
  df_deltas_.built().pop_back();
}

TermDeltas DeltaRun::At(size_t index) const {
  const size_t begin = index == 0 ? 0 : ends_[index - 1];
  const size_t count = ends_[index] - begin;
  return {{docs_.data() + begin, count},
          {old_tfs_.data() + begin, count},
          {new_tfs_.data() + begin, count},
          df_deltas_[index]};
}

size_t DeltaRun::LowerBound(TermId term) const {
  const std::span<const TermId> all = terms_.values();
  return static_cast<size_t>(std::lower_bound(all.begin(), all.end(), term) - all.begin());
}

TermDeltas DeltaRun::Find(TermId term) const {
  const size_t at = LowerBound(term);
  return at < terms_.size() && terms_[at] == term ? At(at) : TermDeltas{};
}

size_t DeltaRun::CountIn(TermId term_begin, TermId term_end) const {
  const size_t from = LowerBound(term_begin), to = LowerBound(term_end);
  const size_t begin = from == 0 ? 0 : ends_[from - 1];
  const size_t end = to == 0 ? 0 : ends_[to - 1];
  return end - begin;
}

std::shared_ptr<const DeltaRun> DeltaRun::MergeTwo(const DeltaRun& older, const DeltaRun& newer, TermId term_begin,
                                                   TermId term_end) {
  auto run = std::make_shared<DeltaRun>();
  run->sequence_ = newer.sequence_;
  size_t a = older.LowerBound(term_begin), b = newer.LowerBound(term_begin);
  const size_t a_end = older.LowerBound(term_end), b_end = newer.LowerBound(term_end);
  while (a < a_end || b < b_end) {
    if (b == b_end || (a < a_end && older.terms_[a] < newer.terms_[b])) {
      run->AppendWhole(older, a++);
      continue;
    }
    if (a == a_end || newer.terms_[b] < older.terms_[a]) {
      run->AppendWhole(newer, b++);
      continue;
    }
    run->AppendTerm(older.terms_[a]);
    const TermDeltas x = older.At(a++), y = newer.At(b++);
    size_t i = 0, j = 0;
    while (i < x.docs.size() || j < y.docs.size()) {
      if (j == y.docs.size() || (i < x.docs.size() && x.docs[i] < y.docs[j])) {
        run->AppendDelta(x.docs[i], x.old_tfs[i], x.new_tfs[i]);
        ++i;
      } else if (i == x.docs.size() || y.docs[j] < x.docs[i]) {
        run->AppendDelta(y.docs[j], y.old_tfs[j], y.new_tfs[j]);
        ++j;
      } else {
        if (x.old_tfs[i] != y.new_tfs[j]) run->AppendDelta(x.docs[i], x.old_tfs[i], y.new_tfs[j]);
        ++i, ++j;
      }
    }
    run->DropEmptyTerm();
  }
  return run;
}

std::shared_ptr<const DeltaRun> DeltaRun::Merge(std::span<const std::shared_ptr<const DeltaRun>> runs,
                                                TermId term_begin, TermId term_end) {
  // Adjacent pairs, as a tree: every delta is copied log2(runs) times.
  if (runs.empty()) return std::make_shared<DeltaRun>();
  if (runs.size() == 1) return MergeTwo(DeltaRun(), *runs[0], term_begin, term_end);
  if (runs.size() == 2) return MergeTwo(*runs[0], *runs[1], term_begin, term_end);
  const auto left = Merge(runs.first(runs.size() / 2), term_begin, term_end);
  const auto right = Merge(runs.subspan(runs.size() / 2), term_begin, term_end);
  return MergeTwo(*left, *right, term_begin, term_end);
}

std::shared_ptr<const DeltaRun> DeltaRun::Concatenate(std::span<const std::shared_ptr<const DeltaRun>> runs) {
  auto joined = std::make_shared<DeltaRun>();
  for (const auto& run : runs) {
    joined->sequence_ = std::max(joined->sequence_, run->sequence_);
    for (size_t i = 0; i < run->terms_.size(); ++i) joined->AppendWhole(*run, i);
  }
  return joined;
}

size_t DeltaRun::MemoryBytes() const {
  return terms_.MemoryBytes() + ends_.MemoryBytes() + df_deltas_.MemoryBytes() + docs_.MemoryBytes() +
         old_tfs_.MemoryBytes() + new_tfs_.MemoryBytes();
}

namespace {

namespace run_section {
inline constexpr uint32_t kSequence = 1, kTerms = 2, kEnds = 3, kDfDeltas = 4, kDocs = 5, kOldTfs = 6, kNewTfs = 7;
}  // namespace run_section

// R1 to R3 for one term.
bool AreSound(const TermDeltas& deltas) {
  int64_t df_delta = 0;
  for (size_t i = 0; i < deltas.docs.size(); ++i) {
    if (i > 0 && deltas.docs[i - 1] >= deltas.docs[i]) return false;
    if (deltas.old_tfs[i] == deltas.new_tfs[i]) return false;
    df_delta += (deltas.old_tfs[i] == 0) - (deltas.new_tfs[i] == 0);
  }
  return df_delta == deltas.df_delta;
}

}  // namespace

void DeltaRun::AddTo(SegmentWriter* writer) const {
  writer->AddArray(run_section::kSequence, std::span(&sequence_, 1));
  writer->AddArray(run_section::kTerms, terms_.values());
  writer->AddArray(run_section::kEnds, ends_.values());
  writer->AddArray(run_section::kDfDeltas, df_deltas_.values());
  writer->AddArray(run_section::kDocs, docs_.values());
  writer->AddArray(run_section::kOldTfs, old_tfs_.values());
  writer->AddArray(run_section::kNewTfs, new_tfs_.values());
}

Result<std::shared_ptr<const DeltaRun>> DeltaRun::Open(std::shared_ptr<const SegmentFile> segment) {
  Status status = segment->VerifyAll();
  if (!status.ok()) return status;
  auto run = std::make_shared<DeltaRun>();
  const auto sequence = segment->Array<uint64_t>(run_section::kSequence);
  run->terms_ = FlatArray<TermId>(segment->Array<TermId>(run_section::kTerms));
  run->ends_ = FlatArray<uint32_t>(segment->Array<uint32_t>(run_section::kEnds));
  run->df_deltas_ = FlatArray<int32_t>(segment->Array<int32_t>(run_section::kDfDeltas));
  run->docs_ = FlatArray<DocId>(segment->Array<DocId>(run_section::kDocs));
  run->old_tfs_ = FlatArray<uint16_t>(segment->Array<uint16_t>(run_section::kOldTfs));
  run->new_tfs_ = FlatArray<uint16_t>(segment->Array<uint16_t>(run_section::kNewTfs));
  bool is_sensible = sequence.size() == 1 && run->ends_.size() == run->terms_.size() &&
                     run->df_deltas_.size() == run->terms_.size() && run->old_tfs_.size() == run->docs_.size() &&
                     run->new_tfs_.size() == run->docs_.size();
  for (size_t i = 0; is_sensible && i < run->terms_.size(); ++i) {
    const uint32_t begin = i == 0 ? 0 : run->ends_[i - 1];
    is_sensible = run->ends_[i] > begin && run->ends_[i] <= run->docs_.size() &&
                  (i == 0 || run->terms_[i - 1] < run->terms_[i]) && AreSound(run->At(i));
  }
  is_sensible = is_sensible && (run->ends_.empty() ? 0 : run->ends_[run->ends_.size() - 1]) == run->docs_.size();
  if (!is_sensible) return segment->Corrupt(0, "sections of a run");
  run->sequence_ = sequence[0];
  run->segment_ = std::move(segment);
  return std::shared_ptr<const DeltaRun>(std::move(run));
}

}  // namespace freshdex::index

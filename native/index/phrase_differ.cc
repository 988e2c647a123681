#include "native/index/phrase_differ.h"

#include <algorithm>
#include <string>

#include "native/index/code_search.h"

namespace freshdex::index {

PhraseDiffer::TouchedList& PhraseDiffer::Touch(ListId list) {
  uint32_t& slot = slots_[list];
  if (slot == 0) {
    touched_.push_back({list, 0, 0, 0});
    slot = static_cast<uint32_t>(touched_.size());
  }
  return touched_[slot - 1];
}

// A run is numbered by its first chunk of the new version, from 1.
void PhraseDiffer::MatchRuns(const DocumentDiffer* kept, size_t field, size_t old_chunks, size_t new_chunks) {
  old_groups_.assign(old_chunks, 0);
  new_groups_.assign(new_chunks, 0);
  if (!kept || old_chunks == 0) return;
  uint32_t before = 0;
  for (size_t i = 0; i < new_chunks; ++i) {
    const uint32_t old_plus_1 = kept->KeptChunk(field, i);
    if (old_plus_1 != 0) {
      const bool goes_on = before != 0 && before + 1 == old_plus_1;
      new_groups_[i] = goes_on ? new_groups_[i - 1] : static_cast<uint32_t>(i + 1);
      old_groups_[old_plus_1 - 1] = new_groups_[i];
    }
    before = old_plus_1;
  }
}

template <typename Visit>
void PhraseDiffer::WalkChunks(const ForwardView& record, size_t field, const std::vector<uint32_t>& groups,
                              PhraseWindows* windows, Visit visit) {
  ChunkReader chunks = record.chunks();
  for (size_t before = 0; before < field; ++before) {
    for (uint32_t i = record.extent(before).chunks; i > 0; --i) chunks.NextSize();
  }
  std::string_view left = record.codes(field);
  windows->Restart();
  for (size_t i = 0; i < groups.size();) {
    const uint32_t group = groups[i];
    size_t bytes = 0;
    for (; i < groups.size() && groups[i] == group; ++i) bytes += chunks.NextSize();
    const std::string_view codes = left.substr(0, bytes);
    left.remove_prefix(codes.size());
    if (group == 0) {
      windows->PushAll(codes, visit);
    } else {
      windows->PushGroup(codes, group, visit);
    }
  }
}

// Frequencies of registered sequences by searching for them, which is faster than a walk for the few there are.
void PhraseDiffer::CountOld(const PhraseRegistry& registry, const ForwardView& old) {
  bool has_buckets = false;
  for (TouchedList& entry : touched_) {
    if (registry.IsBucket(entry.list)) {
      has_buckets = has_buckets || (entry.removed == 0) != (entry.added == 0);
      continue;
    }
    if (entry.removed == entry.added) continue;
    const TermSequence& sequence = registry.SequenceOf(entry.list);
    std::string codes;
    AppendTerm(&codes, sequence.first);
    AppendTerm(&codes, sequence.second);
    if (sequence.third != kNoTerm) AppendTerm(&codes, sequence.third);
    // Terms belong to a field: what ends in one field and begins in the next is no registered sequence.
    entry.old_count = CodePattern(std::move(codes)).Count(old.codes());
  }
  if (has_buckets) CountBuckets(registry, old);
}

// Whether two words are frequent cannot be foreseen, so there is no branch before both are and their bucket is wanted,
// which is rare.
void PhraseDiffer::CountBuckets(const PhraseRegistry& registry, const ForwardView& old) {
  wanted_.assign(registry.head().buckets / 64 + 1, 0);
  for (const TouchedList& entry : touched_) {
    if (registry.IsBucket(entry.list)) wanted_[entry.list / 64] |= uint64_t{1} << (entry.list % 64);
  }
  for (size_t field = 0; field < old.fields(); ++field) {
    TermId before = 0;
    uint64_t is_before_frequent = 0;
    VisitSymbols(old.codes(field), [&](Symbol symbol) {
      // Of a hole this is a number that no term has.
      const TermId term = TermOf(symbol);
      const uint64_t is_frequent = registry.IsFrequent(term);
      const ListId bucket = registry.Bucket(before, term);
      if ((wanted_[bucket / 64] >> (bucket % 64) & is_before_frequent & is_frequent) != 0) [[unlikely]] {
        if (registry.ListOf(before, term) == bucket) ++touched_[slots_[bucket] - 1].old_count;
      }
      before = term;
      is_before_frequent = is_frequent;
    });
  }
}

void PhraseDiffer::Diff(const PhraseRegistry& registry, DocId doc, const std::optional<ForwardView>& old,
                        const std::optional<ForwardView>& next, const DocumentDiffer* kept,
                        std::vector<PostingDelta>* deltas) {
  // What an earlier call left that came to no end for want of memory.
  for (const TouchedList& entry : touched_) slots_[entry.list] = 0;
  touched_.clear();
  if (slots_.size() < registry.lists()) slots_.resize(registry.lists(), 0);
  PhraseWindows windows(registry);
  const size_t fields = std::max(old ? old->fields() : 0, next ? next->fields() : 0);
  bool has_kept = false;
  for (size_t field = 0; field < fields; ++field) {
    MatchRuns(old && next ? kept : nullptr, field, old ? old->extent(field).chunks : 0,
              next ? next->extent(field).chunks : 0);
    has_kept = has_kept || std::any_of(old_groups_.begin(), old_groups_.end(), [](uint32_t group) { return group; });
    if (old) WalkChunks(*old, field, old_groups_, &windows, [&](ListId list) { ++Touch(list).removed; });
    if (next) WalkChunks(*next, field, new_groups_, &windows, [&](ListId list) { ++Touch(list).added; });
  }
  if (has_kept) {
    CountOld(registry, *old);
  } else {
    for (TouchedList& entry : touched_) entry.old_count = entry.removed;
  }
  for (const TouchedList& entry : touched_) {
    slots_[entry.list] = 0;
    const bool is_bucket = registry.IsBucket(entry.list);
    const bool is_settled = is_bucket ? entry.removed > 0 && entry.added > 0 : entry.removed == entry.added;
    if (is_settled) continue;
    const uint32_t most = is_bucket ? 1 : kMaxTf;
    const uint16_t before = static_cast<uint16_t>(std::min(entry.old_count, most));
    const uint16_t after = static_cast<uint16_t>(std::min(entry.old_count - entry.removed + entry.added, most));
    if (before != after) deltas->push_back({entry.list, doc, before, after});
  }
  touched_.clear();
}

}  // namespace freshdex::index

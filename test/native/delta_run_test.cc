#include "native/index/delta_run.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::Random;
using RunPtr = std::shared_ptr<const DeltaRun>;
using Place = std::pair<TermId, DocId>;
using State = std::map<Place, uint16_t>;                         // frequencies; none is 0
using Changes = std::map<Place, std::pair<uint16_t, uint16_t>>;  // old and new

uint16_t FrequencyOf(const State& state, const Place& place) {
  const auto found = state.find(place);
  return found == state.end() ? 0 : found->second;
}

// What leads from one state to the other, for terms in [term_begin, term_end).
Changes ChangesBetween(const State& before, const State& after, TermId term_begin = 0, TermId term_end = kNoTerm) {
  Changes changes;
  for (const auto& [place, tf] : before) changes[place] = {tf, FrequencyOf(after, place)};
  for (const auto& [place, tf] : after) changes[place] = {FrequencyOf(before, place), tf};
  std::erase_if(changes, [&](const auto& entry) {
    const bool is_outside = entry.first.first < term_begin || entry.first.first >= term_end;
    return is_outside || entry.second.first == entry.second.second;
  });
  return changes;
}

// Deltas in order of documents, as a batch gives them.
RunPtr SealChanges(const Changes& changes, uint64_t sequence) {
  std::map<DocId, std::vector<PostingDelta>> by_doc;
  for (const auto& [place, tfs] : changes)
    by_doc[place.second].push_back({place.first, place.second, tfs.first, tfs.second});
  std::vector<PostingDelta> deltas;
  for (const auto& [doc, of_doc] : by_doc) deltas.insert(deltas.end(), of_doc.rbegin(), of_doc.rend());
  return DeltaRun::Seal(std::move(deltas), sequence);
}

// Checks R1 to R3 and reads everything out.
Changes ReadRun(const DeltaRun& run) {
  Changes changes;
  size_t total = 0;
  for (size_t i = 0; i < run.terms().size(); ++i) {
    const TermId term = run.terms()[i];
    if (i > 0) EXPECT(run.terms()[i - 1] < term);
    const TermDeltas deltas = run.At(i);
    EXPECT(!deltas.docs.empty());
    EXPECT(deltas.docs.size() == deltas.old_tfs.size() && deltas.docs.size() == deltas.new_tfs.size());
    int64_t df_delta = 0;
    for (size_t d = 0; d < deltas.docs.size(); ++d) {
      if (d > 0) EXPECT(deltas.docs[d - 1] < deltas.docs[d]);
      EXPECT(deltas.old_tfs[d] != deltas.new_tfs[d]);
      df_delta += (deltas.new_tfs[d] > 0) - (deltas.old_tfs[d] > 0);
      changes[{term, deltas.docs[d]}] = {deltas.old_tfs[d], deltas.new_tfs[d]};
    }
    EXPECT_EQ(deltas.df_delta, df_delta);
    EXPECT(run.Find(term).docs.data() == deltas.docs.data());
    EXPECT_EQ(run.LowerBound(term), i);
    total += deltas.docs.size();
  }
  EXPECT_EQ(run.size(), total);
  return changes;
}

void ExpectLookups(const DeltaRun& run, const Changes& changes, TermId largest) {
  for (TermId term = 0; term <= largest + 1; ++term) {
    const auto begin = changes.lower_bound({term, 0});
    const auto end = changes.lower_bound({term + 1, 0});
    EXPECT_EQ(run.Find(term).docs.size(), static_cast<size_t>(std::distance(begin, end)));
    EXPECT_EQ(run.CountIn(term, term + 1), static_cast<size_t>(std::distance(begin, end)));
    EXPECT_EQ(run.CountIn(0, term), static_cast<size_t>(std::distance(changes.begin(), begin)));
    EXPECT_EQ(run.CountIn(term, kNoTerm), static_cast<size_t>(std::distance(begin, changes.end())));
  }
}

State NextState(Random* random, State state, TermId terms, DocId docs, size_t edits) {
  for (; edits > 0; --edits) {
    const Place place(static_cast<TermId>(random->Below(terms)), static_cast<DocId>(random->Below(docs)));
    const uint16_t tf =
        random->Chance(0.4) ? 0 : static_cast<uint16_t>(random->Between(1, random->Chance(0.1) ? 65535 : 3));
    if (tf == 0) {
      state.erase(place);
    } else {
      state[place] = tf;
    }
  }
  return state;
}

TEST(DeltaRun, SealsInOrderOfTermsAndDocuments) {
  Random random;
  for (size_t round = 0; round < test::Rounds(200); ++round) {
    const State before = NextState(&random, {}, 30, 20, random.Below(80));
    const State after = NextState(&random, before, 30, 20, random.Below(80));
    const Changes changes = ChangesBetween(before, after);
    const RunPtr run = SealChanges(changes, round + 1);
    EXPECT_EQ(run->sequence(), round + 1);
    EXPECT(ReadRun(*run) == changes);
    ExpectLookups(*run, changes, 30);
  }
}

// Large runs are sorted by another method than small ones; 1,024 and 2^22 are where its digits end.
TEST(DeltaRun, SealsLargeRunsWithLargeTerms) {
  Random random;
  for (const uint64_t terms : {1ull, 2047ull, 2048ull, 2049ull, 1ull << 22, 1ull << 26, (1ull << 32) - 1}) {
    Changes changes;
    while (changes.size() < 3000) {
      changes[{static_cast<TermId>(random.Below(terms)), static_cast<DocId>(random.Below(50000))}] = {0, 1};
    }
    EXPECT(ReadRun(*SealChanges(changes, 1)) == changes);
  }
}

TEST(DeltaRun, MergesByTelescoping) {
  Random random;
  for (size_t round = 0; round < test::Rounds(200); ++round) {
    const size_t count = random.Between(1, 9);
    std::vector<State> states = {NextState(&random, {}, 25, 12, random.Below(60))};
    std::vector<RunPtr> runs;
    for (size_t i = 0; i < count; ++i) {
      const bool goes_back = i > 0 && random.Chance(0.2);
      states.push_back(goes_back ? states[random.Below(states.size())]
                                 : NextState(&random, states.back(), 25, 12, random.Below(40)));
      runs.push_back(SealChanges(ChangesBetween(states[i], states[i + 1]), 10 + i));
    }
    const RunPtr merged = DeltaRun::Merge(runs, 0, kNoTerm);
    EXPECT(ReadRun(*merged) == ChangesBetween(states.front(), states.back()));
    EXPECT_EQ(merged->sequence(), 9 + count);

    const auto term_begin = static_cast<TermId>(random.Below(26)),
               term_end = static_cast<TermId>(random.Between(term_begin, 27));
    const Changes inside = ChangesBetween(states.front(), states.back(), term_begin, term_end);
    EXPECT(ReadRun(*DeltaRun::Merge(runs, term_begin, term_end)) == inside);
  }
}

TEST(DeltaRun, JoinsPiecesOfTheTermRange) {
  Random random;
  for (size_t round = 0; round < test::Rounds(100); ++round) {
    const State before = NextState(&random, {}, 30, 10, 60);
    const State after = NextState(&random, before, 30, 10, 60);
    const RunPtr whole[] = {SealChanges(ChangesBetween(before, after), 5)};
    std::vector<RunPtr> pieces;
    for (TermId begin = 0; begin < 30;) {
      const auto end = static_cast<TermId>(random.Between(begin + 1, 30));
      pieces.push_back(DeltaRun::Merge(whole, begin, end));
      begin = end;
    }
    const RunPtr joined = DeltaRun::Concatenate(pieces);
    EXPECT(ReadRun(*joined) == ChangesBetween(before, after));
    EXPECT_EQ(joined->sequence(), 5);
  }
}

TEST(DeltaRun, VanishesWhenEverythingEndsWhereItBegan) {
  const RunPtr runs[] = {DeltaRun::Seal({{4, 1, 0, 3}, {9, 1, 2, 1}}, 1),
                         DeltaRun::Seal({{4, 1, 3, 0}, {9, 1, 1, 2}}, 2)};
  const RunPtr merged = DeltaRun::Merge(runs, 0, kNoTerm);
  EXPECT_EQ(merged->size(), 0);
  EXPECT_EQ(merged->terms().size(), 0);
  EXPECT_EQ(merged->Find(4).docs.size(), 0);
  EXPECT_EQ(merged->CountIn(0, kNoTerm), 0);
}

TEST(DeltaRun, MayBeEmpty) {
  const RunPtr empty = DeltaRun::Seal({}, 3);
  EXPECT_EQ(empty->size(), 0);
  EXPECT_EQ(empty->sequence(), 3);
  EXPECT_EQ(empty->CountIn(0, kNoTerm), 0);
  EXPECT_EQ(DeltaRun::Merge({}, 0, kNoTerm)->size(), 0);
  EXPECT_EQ(DeltaRun::Concatenate({})->size(), 0);
  const RunPtr runs[] = {empty, DeltaRun::Seal({{1, 1, 0, 1}}, 4), DeltaRun::Seal({}, 5)};
  EXPECT_EQ(DeltaRun::Merge(runs, 0, kNoTerm)->size(), 1);
  EXPECT_EQ(DeltaRun::Merge(runs, 0, kNoTerm)->sequence(), 5);
}

}  // namespace
}  // namespace freshdex::index

#include "native/quality/workload_terms.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_text.h"
#include "test/native/workload_builder.h"

namespace freshdex::quality {
namespace {

using index::TermId;
using test::NaiveQuery;
using test::Random;

// Terms of a batch under way have the numbers that they will get; those of a discarded batch are forgotten.
TEST(WorkloadTerms, FollowsTheDictionaryBothWays) {
  Random random;
  score::Scoring scoring;
  scoring.field_boosts = {1, 1};
  const std::vector<std::string> vocabulary = test::RandomVocabulary(&random, 400);
  std::vector<NaiveQuery> queries;
  for (uint32_t i = 0; i < 100; ++i) queries.push_back({i, 1, {vocabulary[4 * i]}});
  const auto workload = test::MakeWorkload(queries);
  index::WriterConfig config;
  config.fields = 2;
  const index::IndexWriter empty(config);
  const Epoch epoch(workload, *empty.Current(), scoring, 1);
  index::TermDict published(1);
  // What the index would be told to count.
  struct Followed final : index::TermFollower {
    void Follow(TermId term, uint32_t slot) override { EXPECT(slots.emplace(term, slot).second); }
    void Unfollow(TermId term) override { EXPECT_EQ(slots.erase(term), 1u); }
    std::map<TermId, uint32_t> slots;
  } followed;
  auto made = std::make_unique<WorkloadTerms>(epoch, published, 0, &followed);
  const auto expect_all = [&](const auto& field_of, const auto& text_of, size_t size) {
    WorkloadTerms& terms = *made;
    EXPECT_EQ(terms.known(), size);
    size_t members = 0;
    for (TermId term = 0; term < size; ++term) {
      const WordNumber word = workload->Find(text_of(term));
      EXPECT_EQ(terms.Has(term), word != Workload::kNoWord);
      if (!terms.Has(term)) continue;
      EXPECT_EQ(terms.PlaceOf(term), members);
      const Epoch::Slot slot = epoch.SlotOf(word, field_of(term));
      EXPECT_EQ(terms.SlotAt(terms.PlaceOf(term)), slot);
      EXPECT_EQ(followed.slots.count(term), members < terms.followed() ? 1u : 0u);
      if (members < terms.followed()) EXPECT_EQ(followed.slots[term], slot);
      ++members;
    }
    EXPECT_EQ(terms.places(), members);
    EXPECT_EQ(followed.slots.size(), terms.followed());
    for (size_t beyond = size; beyond < size + 200; ++beyond) EXPECT(!terms.Has(static_cast<TermId>(beyond)));
  };
  const auto expect_published = [&] {
    expect_all([&](TermId term) { return published.FieldOf(term); }, [&](TermId term) { return published.Text(term); },
               published.size());
  };
  const index::SpellingTable spellings;
  for (size_t round = 0; round < test::Rounds(60); ++round) {
    index::BatchTerms batch(published, spellings, 1);
    for (size_t documents = random.Below(4); documents > 0; --documents) {
      for (size_t left = random.Below(12); left > 0; --left)
        batch.FindOrAdd(static_cast<index::FieldId>(random.Below(2)), random.Pick(vocabulary));
      made->Extend(batch);
      if (random.Chance(0.5)) made->FollowNew();
    }
    made->Extend(batch);
    const index::TermDict& added = batch.added();
    const auto field_of = [&](TermId term) { return batch.FieldOf(term); };
    const auto text_of = [&](TermId term) {
      return term < published.size() ? published.Text(term) : added.Text(static_cast<TermId>(term - published.size()));
    };
    expect_all(field_of, text_of, batch.size());
    if (random.Chance(0.4)) {
      made->Truncate(static_cast<TermId>(published.size()));
    } else {
      for (TermId term = 0; term < added.size(); ++term)
        published.Add(added.FieldOf(term), added.Text(term), added.Hash(added.FieldOf(term), added.Text(term)));
    }
    expect_published();
    // A new one finds the same by looking up its words, and so does one that was told later.
    if (random.Chance(0.2)) {
      made.reset();
      EXPECT(followed.slots.empty());
      made = std::make_unique<WorkloadTerms>(epoch, published, static_cast<TermId>(published.size()), &followed);
    }
    expect_published();
    const TermId half = static_cast<TermId>(published.size() / 2);
    if (random.Chance(0.2)) {
      made->Truncate(half);
      made->Extend(published, static_cast<TermId>(published.size()));
    }
    expect_published();
  }
  EXPECT(published.size() > 100);
}

}  // namespace
}  // namespace freshdex::quality

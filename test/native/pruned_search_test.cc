// Searches by bounds against searches through all matches, which are compared with the definition elsewhere.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "native/index/index_writer.h"
#include "native/score/search.h"
#include "test/native/batch_builder.h"
#include "test/native/changing_collection.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/query_builder.h"
#include "test/native/random.h"
#include "test/native/random_text.h"
#include "test/native/store_run.h"

namespace freshdex::score {
namespace {

using index::AnalysisKind;
using index::IndexWriter;
using index::Snapshot;
using test::BatchBuilder;
using test::ChangingCollection;
using test::Random;

// All, a few, or many documents, alone or in runs.
DocumentSet SomeDocuments(Random* random, index::DocId doc_limit) {
  DocumentSet documents(doc_limit);
  const double share = random->Pick(std::vector<double>{0, 0.001, 0.01, 0.1, 0.5, 0.99, 1});
  const uint64_t longest_run = random->Chance(0.5) ? 1 : random->Between(10, 5000);
  for (uint64_t begin = 0, run; begin < doc_limit; begin += run) {
    run = random->Between(1, longest_run);
    if (!random->Chance(share)) continue;
    for (uint64_t doc = begin; doc < std::min<uint64_t>(begin + run, doc_limit); ++doc)
      documents.words()[doc / DocumentSet::kBits] |= uint64_t{1} << (doc % DocumentSet::kBits);
  }
  return documents;
}

void ExpectSameAnswer(Random* random, const Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                      SearchCache* cache) {
  SearchRequest request;
  request.limit = static_cast<uint32_t>(random->Chance(0.1) ? random->Between(100, 5000) : random->Between(1, 20));
  request.offset = static_cast<uint32_t>(random->Chance(0.8) ? 0 : random->Below(30));
  const DocumentSet passing = SomeDocuments(random, snapshot.doc_limit);
  if (random->Chance(0.5)) request.passing = &passing;
  request.looks_at_all_matches = true;
  const SearchOutcome expected = Search(snapshot, scoring, query, request);
  request.looks_at_all_matches = false;
  request.count_up_to = random->Chance(0.3) ? UINT64_MAX : random->Below(random->Chance(0.5) ? 50 : 2000);
  const SearchOutcome outcome = Search(snapshot, scoring, query, request, cache);
  EXPECT(!outcome.is_partial);
  if (outcome.is_total_exact) {
    EXPECT_EQ(outcome.total, expected.total);
  } else {
    EXPECT(outcome.total < expected.total && outcome.total >= request.count_up_to);
    EXPECT(outcome.total >= outcome.hits.size());
  }
  EXPECT_EQ(outcome.hits.size(), expected.hits.size());
  for (size_t i = 0; i < std::min(outcome.hits.size(), expected.hits.size()); ++i) {
    EXPECT_EQ(outcome.hits[i].doc, expected.hits[i].doc);
    EXPECT_EQ(outcome.hits[i].score, expected.hits[i].score);
  }
}

// In a long run a hundred thousand queries.
TEST(PrunedSearch, AgreesWithASearchThroughAllMatches) {
  Random random;
  for (size_t round = 0; round < test::Rounds(5); ++round) {
    ChangingCollection collection(&random, random.Chance(0.3) ? random.Between(1, 500) : random.Between(3000, 12000));
    SearchCache cache;
    const Scoring scoring = test::SomeScoring(&random, collection.fields());
    collection.Fill();
    if (random.Chance(0.8)) collection.Fold();
    for (size_t change = 0; change < 5; ++change) {
      const auto snapshot = collection.Current();
      for (size_t i = 0; i < 200; ++i)
        ExpectSameAnswer(&random, *snapshot, scoring, test::SomeQuery(&random, collection.fields()), &cache);
      collection.Change();
      if (random.Chance(0.5)) collection.Fold();
      if (random.Chance(0.3)) collection.Reopen();
    }
  }
}

// All postings of a list but two wait for a fold, in front of its last: its one block has more than 16 bits count.
TEST(PrunedSearch, CountsBlocksWithManyChanges) {
  constexpr size_t kDocuments = 70000;
  index::WriterConfig config;
  config.analysis = AnalysisKind::kTokens;
  config.fold_floor = SIZE_MAX;
  IndexWriter writer(config);
  // Each document has another frequency than those near it.
  const auto put = [&](bool have_all) {
    BatchBuilder batch(config.analysis[0]);
    for (size_t i = 0; i < kDocuments; ++i) {
      std::string text = "a";
      if (have_all || i == 0 || i + 1 == kDocuments) {
        for (size_t times = i % 7 + 1; times > 0; --times) text += " x";
      }
      batch.Put("s" + std::to_string(i), {text}, 0);
    }
    EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
    writer.Publish(nullptr);
  };
  put(false);
  writer.Compact();
  put(true);
  const auto snapshot = writer.Current();
  Scoring scoring;
  scoring.field_boosts = {1};
  for (const QueryNode& query : {test::Word("x"), test::And({test::Word("a"), test::Word("x")}),
                                 test::Or({test::Word("a"), test::Word("x")}), test::Phrase({"a", "x"})}) {
    SearchRequest request;
    const SearchOutcome outcome = Search(*snapshot, scoring, query, request);
    request.looks_at_all_matches = true;
    const SearchOutcome expected = Search(*snapshot, scoring, query, request);
    EXPECT_EQ(outcome.total, expected.total);
    EXPECT_EQ(outcome.hits.size(), expected.hits.size());
    for (size_t i = 0; i < std::min(outcome.hits.size(), expected.hits.size()); ++i) {
      EXPECT_EQ(outcome.hits[i].doc, expected.hits[i].doc);
      EXPECT_EQ(outcome.hits[i].score, expected.hits[i].score);
    }
  }
}

}  // namespace
}  // namespace freshdex::score

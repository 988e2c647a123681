// The answers of many queries at once are those of each by itself, however documents and queries are cut.
#include "native/quality/answer_batch.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "native/quality/descending_sort.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/scorings.h"
#include "test/native/workload_builder.h"

namespace freshdex::quality {
namespace {

using test::Random;

// Documents that were written, replaced and removed, in blocks and in deltas on top of them.
void FillIndex(Random* random, const std::vector<std::string>& vocabulary, size_t fields, index::IndexWriter* writer) {
  test::ModelDocuments documents;
  for (int round = 0; round < 3; ++round) {
    test::BatchBuilder batch;
    for (int i = 0; i < 400; ++i) {
      const std::string key = "s" + std::to_string(i);
      const auto known = documents.find(key);
      if (random->Chance(0.4)) continue;
      if (known != documents.end() && random->Chance(0.2)) {
        batch.Remove(key);
        documents.erase(known);
        continue;
      }
      documents[key] = known == documents.end() ? RandomDocument(random, vocabulary, fields)
                                                : NextVersion(random, vocabulary, known->second);
      batch.Put(key, documents[key].texts, documents[key].weight);
    }
    EXPECT(writer->Prepare(batch.Slab(), nullptr).ok());
    writer->Publish(nullptr);
    while (random->Chance(0.6) && writer->MaintainStep()) {
    }
  }
}

std::vector<test::NaiveQuery> QueriesOf(Random* random, const std::vector<std::string>& vocabulary) {
  std::vector<test::NaiveQuery> queries;
  for (uint32_t id = 0; id < 60; ++id) {
    std::vector<std::string> words;
    for (size_t left = random->Between(1, 5); left > 0; --left) {
      const std::string word = random->Chance(0.05) ? "never" : FrequentWord(random, vocabulary);
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
    queries.push_back({id, 1, words});
  }
  return queries;
}

bool IsSame(const Answer& a, const Answer& b) { return a.doc == b.doc && a.score == b.score; }

TEST(AnswerBatch, HasTheAnswersOfEachQuery) {
  const std::vector<score::Scoring> scorings = {test::ScoringOf(score::Model::kBm25, {2, 1}),
                                                test::ScoringOf(score::Model::kTfIdf, {1}, 0.5),
                                                test::ScoringOf(score::Model::kTfIdf, {1, 0, 3})};
  const std::vector<AnswerBatchLimits> cuts = {{}, {64, 300, 10}, {128, 1, 1}, {192, 1u << 20, 7}};
  size_t seen = 0;
  for (uint64_t round = 0; round < test::Rounds(6); ++round) {
    Random random(700 + round);
    const score::Scoring& scoring = scorings[round % scorings.size()];
    index::WriterConfig config;
    config.fields = scoring.field_boosts.size();
    config.seed = round;
    config.fold_floor = 8;
    config.partition_bytes = 512;
    index::IndexWriter writer(config);
    const std::vector<std::string> vocabulary = RandomVocabulary(&random, 80);
    FillIndex(&random, vocabulary, config.fields, &writer);
    const auto snapshot = writer.Current();
    const Epoch epoch(test::MakeWorkload(QueriesOf(&random, vocabulary)), *snapshot, scoring, 1);
    std::vector<QueryNumber> asked;
    for (QueryNumber q = 0; q < epoch.workload().queries(); ++q) {
      if (random.Chance(0.8)) asked.push_back(q);
    }
    std::vector<Answer> expected;
    const std::vector<index::TermId> found = Epoch::FindTerms(epoch.workload(), *snapshot);
    for (const AnswerBatchLimits& limits : cuts) {
      std::vector<QueryNumber> visited;
      VisitAnswers(
          *snapshot, epoch, asked,
          [&](QueryNumber query, std::span<const Answer> answers) {
            visited.push_back(query);
            FindAnswers(*snapshot, epoch, query, &expected);
            EXPECT(std::ranges::equal(answers, expected, IsSame));
            seen += answers.size();
          },
          limits, random.Chance(0.5) ? std::span(found) : std::span<const index::TermId>());
      EXPECT(visited == asked);
    }
  }
  EXPECT(seen > 10'000);
}

TEST(AnswerBatch, FindsNothingInAnEmptyIndex) {
  const index::IndexWriter writer{index::WriterConfig()};
  const Epoch epoch(test::MakeWorkload({{1, 1, {"a"}}}), *writer.Current(), test::ScoringOf(score::Model::kBm25, {1}),
                    1);
  size_t visits = 0;
  VisitAnswers(*writer.Current(), epoch, std::vector<QueryNumber>{0},
               [&](QueryNumber, std::span<const Answer> answers) {
                 ++visits;
                 EXPECT(answers.empty());
               });
  EXPECT_EQ(visits, 1);
}

TEST(DescendingSort, SortsListsOfAnyLength) {
  std::vector<Answer> scratch;
  for (uint64_t round = 0; round < test::Rounds(40); ++round) {
    Random random(900 + round);
    std::vector<Answer> answers(random.Below(round % 2 == 0 ? 2000 : 500));
    // Few distinct scores in some rounds, and in others of one magnitude only.
    const double most = random.Chance(0.3) ? 1e30 : 4;
    for (Answer& answer : answers) {
      answer.doc = static_cast<index::DocId>(random.Below(1u << 30));
      answer.score = static_cast<float>(round % 3 == 0 ? 1.0 + static_cast<double>(random.Below(5))
                                                       : 1e-30 + most * random.Unit());
    }
    std::vector<std::pair<float, index::DocId>> expected, sorted;
    for (const Answer& answer : answers) expected.emplace_back(answer.score, answer.doc);
    SortDescending(&answers, &scratch);
    for (const Answer& answer : answers) sorted.emplace_back(answer.score, answer.doc);
    EXPECT(std::is_sorted(answers.begin(), answers.end(),
                          [](const Answer& a, const Answer& b) { return a.score > b.score; }));
    std::sort(expected.begin(), expected.end());
    std::sort(sorted.begin(), sorted.end());
    EXPECT(sorted == expected);
  }
}

}  // namespace
}  // namespace freshdex::quality

// Answers of a workload under frozen statistics, and the curves made of them.
#include "native/quality/curve_set.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "native/quality/answer_list.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/naive_measurer.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/scorings.h"
#include "test/native/workload_builder.h"

namespace freshdex::quality {
namespace {

using index::DocId;
using index::IndexWriter;
using test::BatchBuilder;
using test::NaiveMeasurer;
using test::NaivePages;
using test::NaiveQuery;
using test::Random;
using test::ScoringOf;

double MovedBy(const std::vector<StakeMove>& moves, DocId doc) {
  const auto found = std::ranges::find(moves, doc, &StakeMove::doc);
  return found == moves.end() ? 0 : found->amount;
}

constexpr index::AnalysisKind kAnalysis = index::AnalysisKind::kStandard;

IndexWriter MakeWriter(size_t fields) {
  index::WriterConfig config;
  config.fields = fields;
  config.seed = 3;
  config.fold_floor = 8;
  config.partition_bytes = 512;
  return IndexWriter(config);
}

void Write(IndexWriter* writer, const BatchBuilder& batch) {
  EXPECT(writer->Prepare(batch.Slab(), nullptr).ok());
  writer->Publish(nullptr);
}

// Documents that come, change and go.
class RandomIndex {
 public:
  RandomIndex(uint64_t stream, size_t fields)
      : random_(stream), fields_(fields), writer_(MakeWriter(fields)), vocabulary_(RandomVocabulary(&random_, 60)) {}

  void Change() {
    BatchBuilder batch;
    for (int i = 0; i < 60; ++i) {
      const std::string key = "s" + std::to_string(i);
      const auto known = documents_.find(key);
      if (random_.Chance(0.5)) continue;
      if (known != documents_.end() && random_.Chance(0.3)) {
        batch.Remove(key);
        documents_.erase(known);
        continue;
      }
      documents_[key] = known == documents_.end() ? RandomDocument(&random_, vocabulary_, fields_)
                                                  : NextVersion(&random_, vocabulary_, known->second);
      batch.Put(key, documents_[key].texts, documents_[key].weight);
    }
    Write(&writer_, batch);
    while (random_.Chance(0.7) && writer_.MaintainStep()) {
    }
  }

  NaivePages Pages() const {
    NaivePages pages;
    for (const auto& [key, document] : documents_)
      pages[writer_.Current()->FindKey(key)] = test::MakeNaivePage(kAnalysis, document);
    return pages;
  }

  std::vector<NaiveQuery> Queries() {
    std::vector<NaiveQuery> queries;
    for (uint32_t id = 0; id < 30; ++id) {
      std::vector<std::string> words;
      for (size_t left = random_.Between(1, 3); left > 0; --left) {
        const std::string& word = FrequentWord(&random_, vocabulary_);
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
      }
      queries.push_back({id, 0.5 + random_.Unit(), words});
    }
    return queries;
  }

  std::shared_ptr<const index::Snapshot> Current() const { return writer_.Current(); }

 private:
  Random random_;
  const size_t fields_;
  IndexWriter writer_;
  std::vector<std::string> vocabulary_;
  test::ModelDocuments documents_;
};

void ExpectAnswers(const index::Snapshot& snapshot, const Epoch& epoch, const NaiveMeasurer& twin,
                   const NaivePages& pages) {
  std::vector<Answer> answers;
  for (QueryNumber q = 0; q < twin.queries().size(); ++q) {
    FindAnswers(snapshot, epoch, q, &answers);
    std::vector<std::pair<DocId, float>> found, expected;
    for (const Answer& answer : answers) found.emplace_back(answer.doc, answer.score);
    for (const auto& [doc, page] : pages) {
      const float score = twin.Score(page, twin.queries()[q]);
      if (score > 0) expected.emplace_back(doc, score);
    }
    EXPECT(found == expected);
  }
}

TEST(AnswerList, HasThePagesAndScoresOfATwin) {
  const std::vector<score::Scoring> scorings = {ScoringOf(score::Model::kBm25, {2, 1}),
                                                ScoringOf(score::Model::kTfIdf, {1}, 0.5),
                                                ScoringOf(score::Model::kTfIdf, {1, 0, 3})};
  for (uint64_t round = 0; round < test::Rounds(9); ++round) {
    const score::Scoring& scoring = scorings[round % scorings.size()];
    RandomIndex index(round, scoring.field_boosts.size());
    for (uint64_t changes = round % 5; changes > 0; --changes) index.Change();
    const std::vector<NaiveQuery> queries = index.Queries();
    const NaiveMeasurer twin(scoring, queries, index.Pages());
    const Epoch epoch(test::MakeWorkload(queries), *index.Current(), scoring, 1);
    ExpectAnswers(*index.Current(), epoch, twin, index.Pages());
    // Under the old statistics also of what is written later.
    for (int later = 0; later < 4; ++later) {
      index.Change();
      ExpectAnswers(*index.Current(), epoch, twin, index.Pages());
    }
  }
}

TEST(CurveSet, ReadsRanksAndStakesFromItsCurves) {
  CurveSet curves(3, 3);
  EXPECT_EQ(curves.curve_bytes(), 20);
  const std::vector<float> scores = {5, 3, 3};
  std::vector<float> values(5);
  FitCurve(scores, 3, values);
  curves.Set(1, 3, values, 1);
  const ViewLikelihood view;
  EXPECT_EQ(RankIn(curves[1], 5), 1);
  EXPECT_EQ(RankIn(curves[1], 3), 3);
  EXPECT_EQ(RankIn(curves[1], 9), 1);
  EXPECT_EQ(RankIn(curves[1], 1), 3);
  EXPECT_EQ(RankIn(curves[1], 0), 0);
  EXPECT_EQ(StakeIn(curves[1], view, 0), 0.0);
  EXPECT_EQ(StakeIn(curves[1], view, 5), 5.0);
  EXPECT_EQ(StakeIn(curves[1], view, 3), 3 * view.At(3));
  // Others are as they were: a page that matches is alone.
  EXPECT_EQ(curves[0].n, 0);
  EXPECT_EQ(RankIn(curves[2], 4), 1);
  EXPECT_EQ(StakeIn(curves[2], view, 4), 4.0);
}

TEST(CurveSet, FitsOnlyWhatIsAskedForAndTellsByHowMuchStakesMove) {
  const score::Scoring scoring = ScoringOf(score::Model::kBm25, {1, 2});
  for (uint64_t round = 0; round < test::Rounds(5); ++round) {
    RandomIndex index(50 + round, 2);
    index.Change();
    const std::vector<NaiveQuery> queries = index.Queries();
    FitRequest request;
    request.epoch = std::make_shared<const Epoch>(test::MakeWorkload(queries), *index.Current(), scoring, 1);
    request.terms = Epoch::FindTerms(request.epoch->workload(), *index.Current());
    request.view = std::make_shared<const ViewLikelihood>();
    request.scoring = std::make_shared<const score::Scoring>(scoring);
    request.snapshot = index.Current();
    const FitResult before = FitCurves(request);
    const NaiveMeasurer twin(scoring, queries, index.Pages());
    index.Change();
    request.snapshot = index.Current();
    request.terms = Epoch::FindTerms(request.epoch->workload(), *index.Current());
    const FitResult whole = FitCurves(request);
    request.before = before.curves;
    request.epoch_before = request.epoch;
    for (QueryNumber q = 0; q < queries.size(); ++q) request.number_before.push_back(q);
    request.queries = {3, 4, 17};
    const FitResult part = FitCurves(request);
    request.queries.clear();
    for (QueryNumber q = 0; q < queries.size(); ++q) request.queries.push_back(q);
    const FitResult all = FitCurves(request);
    for (QueryNumber q = 0; q < queries.size(); ++q) {
      const bool is_new = q == 3 || q == 4 || q == 17;
      EXPECT_EQ((*part.curves)[q].n, (is_new ? *whole.curves : *before.curves)[q].n);
      EXPECT(std::ranges::equal((*part.curves)[q].values, (is_new ? *whole.curves : *before.curves)[q].values));
    }
    // With the old curves' stakes of the same pages, the differences come to the stakes of a whole fit.
    request.before.reset();
    const NaivePages pages = index.Pages();
    for (const auto& [doc, page] : pages) {
      double old_stake = 0;
      std::vector<Answer> answers;
      for (QueryNumber q = 0; q < queries.size(); ++q) {
        FindAnswers(*request.snapshot, *request.epoch, q, &answers);
        for (const Answer& answer : answers) {
          if (answer.doc == doc)
            old_stake += queries[q].weight * StakeIn((*before.curves)[q], *request.view, answer.score);
        }
      }
      // Stakes of queries fitted within the epoch follow the statistics of the moment.
      double scaled = 0;
      for (QueryNumber q = 0; q < queries.size(); ++q) {
        EXPECT_EQ(all.curves->scale(q), all.drifts[q].scale);
        scaled += queries[q].weight * all.curves->scale(q) *
                  StakeIn((*whole.curves)[q], *request.view, twin.Score(page, twin.queries()[q]));
      }
      EXPECT(std::abs(old_stake + MovedBy(all.moves, doc) - scaled) <= 1e-9 * std::max(1.0, old_stake));
    }
  }
}

}  // namespace
}  // namespace freshdex::quality

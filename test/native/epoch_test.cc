#include "native/quality/epoch.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/harness.h"
#include "test/native/scorings.h"
#include "test/native/workload_builder.h"

namespace freshdex::quality {
namespace {

using index::IndexWriter;
using test::BatchBuilder;
using test::NaiveQuery;
using test::ScoringOf;

IndexWriter MakeEpochWriter(size_t fields) {
  index::WriterConfig config;
  config.fields = fields;
  config.seed = 3;
  return IndexWriter(config);
}

void WriteAtOnce(IndexWriter* writer, const BatchBuilder& batch) {
  EXPECT(writer->Prepare(batch.Slab(), nullptr).ok());
  writer->Publish(nullptr);
}

TEST(Epoch, IsSingleForOneFieldAndSingleWords) {
  const auto is_single = [](size_t fields, const std::vector<NaiveQuery>& queries) {
    const IndexWriter writer = MakeEpochWriter(fields);
    return Epoch(test::MakeWorkload(queries), *writer.Current(),
                 ScoringOf(score::Model::kBm25, std::vector<double>(fields, 1)), 1)
        .is_single();
  };
  EXPECT(is_single(1, {{1, 1, {"a"}}, {2, 1, {"b"}}}));
  EXPECT(!is_single(2, {{1, 1, {"a"}}}));
  EXPECT(!is_single(1, {{1, 1, {"a"}}, {2, 1, {"b", "a"}}}));
}

TEST(Epoch, ListsAQueryUnderItsRarestWord) {
  IndexWriter writer = MakeEpochWriter(1);
  WriteAtOnce(&writer, BatchBuilder().Put("s1", {"a b c"}).Put("s2", {"a b"}).Put("s3", {"a"}));
  const auto workload =
      test::MakeWorkload({{1, 1, {"a", "b"}}, {2, 1, {"c", "b", "a"}}, {3, 1, {"a"}}, {4, 1, {"b", "unknown"}}});
  const Epoch epoch(workload, *writer.Current(), ScoringOf(score::Model::kBm25, {1}), 1);
  const auto queries_of = [&](const char* word) {
    const auto queries = epoch.by_rarest_word()[workload->Find(word)];
    return std::vector<QueryNumber>(queries.begin(), queries.end());
  };
  EXPECT_EQ(queries_of("a"), std::vector<QueryNumber>{2});
  EXPECT_EQ(queries_of("b"), std::vector<QueryNumber>{0});
  EXPECT_EQ(queries_of("c"), std::vector<QueryNumber>{1});
  EXPECT_EQ(queries_of("unknown"), std::vector<QueryNumber>{3});
}

TEST(Epoch, DriftsAsItsStatisticsDo) {
  const score::Scoring scoring = ScoringOf(score::Model::kBm25, {1});
  IndexWriter writer = MakeEpochWriter(1);
  BatchBuilder batch;
  for (int i = 0; i < 100; ++i)
    batch.Put("s" + std::to_string(i), {i < 10 ? "apple one two three" : "pear one two three"});
  WriteAtOnce(&writer, batch);
  const Epoch epoch(test::MakeWorkload({{1, 3, {"apple"}}, {2, 1, {"pear"}}}), *writer.Current(), scoring, 1);
  const auto drift = [&] {
    const auto now = writer.Current();
    return epoch.Drift(*now, scoring, std::array{now->FindTerm(0, "apple"), now->FindTerm(0, "pear")});
  };
  EXPECT_EQ(drift(), 0.0);
  // A page's length alone: the average goes from 4 to 4.4.
  WriteAtOnce(&writer,
              BatchBuilder().Put("s99", {"pear 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
                                         "27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43"}));
  EXPECT(std::abs(drift() - 0.1) < 1e-12);
  WriteAtOnce(&writer, BatchBuilder().Put("s99", {"pear one two three"}));
  EXPECT_EQ(drift(), 0.0);
  // One page more with "apple", one fewer with "pear".
  WriteAtOnce(&writer, BatchBuilder().Put("s99", {"apple one two three"}));
  const auto idf = [](double documents, double df) { return std::log(1 + (documents - df + 0.5) / (df + 0.5)); };
  const double expected =
      (3 * std::abs(idf(100, 11) / idf(100, 10) - 1) + std::abs(idf(100, 89) / idf(100, 90) - 1)) / 4;
  EXPECT(std::abs(drift() - expected) < 1e-12);
}

}  // namespace
}  // namespace freshdex::quality

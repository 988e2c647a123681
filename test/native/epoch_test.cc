#include "native/quality/epoch.h"

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

}  // namespace
}  // namespace freshdex::quality

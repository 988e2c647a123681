#include "native/quality/stored_curves.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/harness.h"
#include "test/native/scorings.h"
#include "test/native/workload_builder.h"

namespace freshdex::quality {
namespace {

constexpr uint64_t kSeed = 5;

struct Kept {
  std::shared_ptr<const Workload> workload;
  std::shared_ptr<const Epoch> epoch;
  std::string statistics;
  std::vector<std::string> bytes;
  CurveRows rows;
};

const score::Scoring& TwoFields() {
  static const score::Scoring scoring = test::ScoringOf(score::Model::kBm25, {2, 1});
  return scoring;
}

// Three queries over a few pages; `kept` must stay where it is, since rows are views.
void MakeKept(Kept* kept) {
  index::WriterConfig config;
  config.fields = 2;
  index::IndexWriter writer(config);
  test::BatchBuilder batch;
  for (int i = 0; i < 9; ++i) batch.Put("s" + std::to_string(i), {"a", i % 2 == 0 ? "a b b" : "a c"});
  EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
  writer.Publish(nullptr);
  kept->workload = test::MakeWorkload({{7, 3, {"a"}}, {8, 1, {"b", "a"}}, {9, 0.5, {"never"}}});
  kept->epoch = std::make_shared<const Epoch>(kept->workload, *writer.Current(), TwoFields(), 42);
  FitRequest request;
  request.epoch = kept->epoch;
  request.snapshot = writer.Current();
  request.view = std::make_shared<const ViewLikelihood>();
  CurveSet curves = *FitCurves(request).curves;
  curves.Set(1, curves[1].n, std::vector<float>(curves[1].values.begin(), curves[1].values.end()), 1.5f);
  kept->statistics = EncodeStatistics(*kept->epoch, kSeed);
  for (QueryNumber q = 0; q < 3; ++q) kept->bytes.push_back(EncodeCurve(*kept->epoch, curves, q, kSeed));
  for (QueryNumber q = 0; q < 3; ++q) kept->rows.emplace(kept->workload->id(q), kept->bytes[q]);
}

std::optional<StoredCurves> Decode(const Kept& kept, const Workload& workload) {
  return DecodeCurves(kept.statistics, kept.rows, workload, 3, TwoFields(), kSeed);
}

TEST(StoredCurves, ComeBackWithTheirStatisticsAndWeights) {
  Kept kept;
  MakeKept(&kept);
  // The weights that are given are not those of the rows.
  const auto given = test::MakeWorkload({{9, 1, {"never"}}, {7, 1, {"a"}}, {8, 1, {"b", "a"}}});
  const auto decoded = Decode(kept, *given);
  EXPECT(decoded.has_value());
  EXPECT_EQ(decoded->lost_share, 0);
  EXPECT_EQ(decoded->epoch->number(), 42);
  EXPECT_EQ(decoded->epoch->workload().weight(1), 3);
  EXPECT_EQ((*decoded->curves)[0].n, 0);
  EXPECT_EQ((*decoded->curves)[1].n, 9);
  EXPECT_EQ((*decoded->curves)[2].n, 5);
  EXPECT_EQ(decoded->curves->scale(1), 1.0f);
  EXPECT_EQ(decoded->curves->scale(2), 1.5f);
  const WordNumber word = decoded->epoch->workload().Find("a");
  for (size_t field = 0; field < 2; ++field) {
    EXPECT_EQ(decoded->epoch->frequency(decoded->epoch->SlotOf(word, field)), 9);
    EXPECT_EQ(decoded->epoch->totals()[field].tokens, kept.epoch->totals()[field].tokens);
  }
}

TEST(StoredCurves, AreRefusedWhenAnyBitIsAnother) {
  Kept kept;
  MakeKept(&kept);
  for (size_t bit = 0; bit < kept.bytes[1].size() * 8; ++bit) {
    std::string damaged = kept.bytes[1];
    damaged[bit / 8] ^= static_cast<char>(1 << bit % 8);
    kept.rows[8] = damaged;
    const auto decoded = Decode(kept, *kept.workload);
    EXPECT(decoded.has_value() && decoded->curves->size() == 2 && decoded->lost_share == 1);
  }
  for (size_t length = 0; length < kept.bytes[1].size(); ++length) {
    kept.rows[8] = std::string_view(kept.bytes[1]).substr(0, length);
    EXPECT_EQ(Decode(kept, *kept.workload)->curves->size(), 2);
  }
  for (size_t bit = 0; bit < kept.statistics.size() * 8; ++bit) {
    Kept other = kept;
    other.statistics[bit / 8] ^= static_cast<char>(1 << bit % 8);
    EXPECT(!Decode(other, *kept.workload).has_value());
  }
}

TEST(StoredCurves, ArePassedOverWhereTheyDoNotFit) {
  Kept kept;
  MakeKept(&kept);
  EXPECT(!DecodeCurves(kept.statistics, kept.rows, *kept.workload, 2, TwoFields(), kSeed).has_value());
  EXPECT(!DecodeCurves(kept.statistics, kept.rows, *kept.workload, 3, TwoFields(), kSeed + 1).has_value());
  const auto one_field = test::ScoringOf(score::Model::kBm25, {1});
  EXPECT(!DecodeCurves(kept.statistics, kept.rows, *kept.workload, 3, one_field, kSeed).has_value());
  EXPECT(!Decode(kept, *test::MakeWorkload({{1, 1, {"a"}}})).has_value());
  // Query 8 is another one now, and query 9 is gone.
  const auto decoded = Decode(kept, *test::MakeWorkload({{7, 1, {"a"}}, {8, 1, {"b"}}}));
  EXPECT(decoded.has_value() && decoded->curves->size() == 1);
  EXPECT(std::abs(decoded->lost_share - 1.5 / 4.5) < 1e-12);
}

TEST(StoredCurves, SayHowFarListsHaveChanged) {
  Kept kept;
  MakeKept(&kept);
  const std::vector<ListChange> changes = {{}, {2.5f, -3}, {0, 1}};
  std::string bytes = EncodeChanges(*kept.epoch, changes, kSeed);
  EXPECT_EQ(bytes.size(), 16 + 2 * 12);
  EXPECT(DecodeChanges(bytes, *kept.epoch, kSeed) == changes);
  const Epoch later(kept.workload, kept.epoch->totals(), {9, 9, 0, 5, 0, 0}, TwoFields(), 43);
  EXPECT(DecodeChanges(bytes, later, kSeed) == std::vector<ListChange>(3));
  bytes.back() ^= 1;
  for (const std::string& other : {bytes, std::string()})
    EXPECT(DecodeChanges(other, *kept.epoch, kSeed) == std::vector<ListChange>(3));
}

}  // namespace
}  // namespace freshdex::quality

#include "native/index/frequency_order.h"

#include <string>
#include <vector>

#include "native/index/check_index.h"
#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::index {
namespace {

using test::BatchBuilder;
using test::Random;

TEST(FrequencyOrder, NumbersTheTermsOfTheFirstBatchByHowOftenTheyOccur) {
  WriterConfig config;
  config.fields = 2;
  IndexWriter writer(config);
  EXPECT(writer.Prepare(BatchBuilder().Put("sa", {"b a a c c c", "c"}).Put("sb", {"a d", "e e"}).Slab(), nullptr).ok());
  writer.Publish(nullptr);
  const auto snapshot = writer.Current();
  const auto number = [&](FieldId field, const char* text) { return snapshot->FindTerm(field, text); };
  // Equal ones in order of first sight.
  EXPECT_EQ(number(0, "a"), 0);
  EXPECT_EQ(number(0, "c"), 1);
  EXPECT_EQ(number(1, "e"), 2);
  EXPECT_EQ(number(0, "b"), 3);
  EXPECT_EQ(number(1, "c"), 4);
  EXPECT_EQ(number(0, "d"), 5);
  EXPECT_EQ(snapshot->term_count, 6);
  // Later terms keep the order in which they come.
  EXPECT(writer.Prepare(BatchBuilder().Put("sc", {"z y y y", ""}).Slab(), nullptr).ok());
  writer.Publish(nullptr);
  EXPECT_EQ(writer.Current()->FindTerm(0, "z"), 6);
  EXPECT_EQ(writer.Current()->FindTerm(0, "y"), 7);
}

TEST(FrequencyOrder, StopsCountingSomewhereInALargeBatch) {
  Random random;
  const auto vocabulary = test::RandomVocabulary(&random, 3000);
  WriterConfig config;
  IndexWriter writer(config);
  BatchBuilder batch;
  size_t bytes = 0;
  for (size_t doc = 0; bytes < kCountedBytes + (1u << 20); ++doc) {
    std::string text;
    while (text.size() < 200'000) {
      // The square makes some words far more frequent than others.
      const size_t place = random.Below(vocabulary.size());
      (text += vocabulary[place * place / vocabulary.size()]) += ' ';
    }
    bytes += text.size();
    batch.Put("s" + std::to_string(doc), {text});
  }
  EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
  writer.Publish(nullptr);
  EXPECT(CheckIndex(*writer.Current(), CheckLevel::kCross).faults.empty());
}

TEST(FrequencyOrder, LeavesNothingBehindABatchThatIsForgotten) {
  WriterConfig config;
  IndexWriter writer(config);
  EXPECT(writer.Prepare(BatchBuilder().Put("sa", {"one two two"}).Slab(), nullptr).ok());
  writer.Discard(nullptr);
  EXPECT_EQ(writer.Current()->term_count, 0);
  EXPECT(writer.Prepare(BatchBuilder().Put("sa", {"three"}).Slab(), nullptr).ok());
  writer.Publish(nullptr);
  EXPECT_EQ(writer.Current()->FindTerm(0, "three"), 0);
  EXPECT_EQ(writer.Current()->FindTerm(0, "two"), kNoTerm);
}

}  // namespace
}  // namespace freshdex::index

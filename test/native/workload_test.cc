#include "native/quality/workload.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "native/base/bytes.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/workload_builder.h"

namespace freshdex::quality {
namespace {

using test::NaiveQuery;
using test::Random;

bool IsMalformed(const std::string& wire) {
  const test::ExactBlock block(wire);
  const auto decoded = Workload::Decode(block.view());
  return !decoded.ok() && decoded.status().code() == Code::kMalformed;
}

bool IsMalformed(const NaiveQuery& query) { return IsMalformed(test::WorkloadWire({query})); }

const std::vector<NaiveQuery> kQueries = {
    {7, 1.5, {"red", "apple"}}, {9, 0.25, {"apple"}}, {8, 2, {"green", "red", "apple"}}};

TEST(Workload, ReadsWhatWasWritten) {
  const auto workload = test::MakeWorkload(kQueries);
  EXPECT_EQ(workload->queries(), 3);
  EXPECT_EQ(workload->words(), 3);
  EXPECT_EQ(workload->total_weight(), 3.75);
  for (QueryNumber q = 0; q < kQueries.size(); ++q) {
    EXPECT_EQ(workload->id(q), kQueries[q].id);
    EXPECT_EQ(workload->weight(q), kQueries[q].weight);
    std::vector<std::string> words;
    for (WordNumber word : workload->words(q)) words.emplace_back(workload->text(word));
    EXPECT_EQ(words, kQueries[q].words);
  }
  EXPECT_EQ(workload->text(workload->Find("green")), "green");
  EXPECT_EQ(workload->Find("blue"), Workload::kNoWord);
  EXPECT_EQ(test::MakeWorkload({})->queries(), 0);
}

TEST(Workload, NumbersWordsAsAMapWould) {
  for (uint64_t round = 0; round < test::Rounds(20); ++round) {
    Random random(5100 + round);
    std::vector<NaiveQuery> queries;
    std::map<std::string, WordNumber> numbers;
    const size_t distinct = random.Between(1, 3000);
    for (uint32_t id = 0; id < 1500; ++id) {
      queries.push_back({id, 1, {"w" + std::to_string(random.Below(distinct))}});
      numbers.emplace(queries.back().words[0], numbers.size());
    }
    const auto workload = test::MakeWorkload(queries);
    const std::vector<QueryNumber> some = {3, 700, 3};
    const auto part = workload->Part(some, {1, 2, 3});
    const auto weighed = workload->WithWeights(std::vector<double>(queries.size(), 2.0));
    EXPECT_EQ(workload->words(), numbers.size());
    for (const auto& [text, number] : numbers) {
      EXPECT_EQ(workload->Find(text), number);
      EXPECT_EQ(weighed->Find(text), number);
      EXPECT_EQ(workload->text(number), text);
      const bool is_part = text == queries[3].words[0] || text == queries[700].words[0];
      EXPECT_EQ(part->Find(text) != Workload::kNoWord, is_part);
    }
    for (size_t other = 0; other < 200; ++other) {
      EXPECT_EQ(workload->Find("w" + std::to_string(distinct + other)), Workload::kNoWord);
      EXPECT_EQ(workload->Find("v" + std::to_string(other)), Workload::kNoWord);
    }
    EXPECT_EQ(test::MakeWorkload({})->Find("w0"), Workload::kNoWord);
  }
}

// The bytes that src/workload/measured-queries.ts gives as its example.
TEST(Workload, ReadsTheDocumentedBytes) {
  const auto decoded =
      Workload::Decode(std::string_view("\x01\0\0\0\x07\0\0\0\0\0\0\0\0\0\xF0\x3F\x01\0\x02"
                                        "ab",
                                        21));
  EXPECT(decoded.ok());
  EXPECT_EQ(decoded.value()->id(0), 7);
  EXPECT_EQ(decoded.value()->weight(0), 1.0);
  EXPECT_EQ(decoded.value()->text(0), "ab");
}

TEST(Workload, ListsQueriesByTheirWords) {
  const auto workload = test::MakeWorkload(kQueries);
  const QueriesByWord by_word(*workload, [&](QueryNumber q) { return workload->words(q); });
  const auto queries_of = [&](const char* word) {
    const auto queries = by_word[workload->Find(word)];
    return std::vector<QueryNumber>(queries.begin(), queries.end());
  };
  EXPECT_EQ(queries_of("apple"), (std::vector<QueryNumber>{0, 1, 2}));
  EXPECT_EQ(queries_of("red"), (std::vector<QueryNumber>{0, 2}));
  EXPECT_EQ(queries_of("green"), (std::vector<QueryNumber>{2}));
}

TEST(Workload, RefusesEveryTruncation) {
  const std::string wire = test::WorkloadWire(kQueries);
  for (size_t length = 0; length < wire.size(); ++length) EXPECT(IsMalformed(wire.substr(0, length)));
  EXPECT(IsMalformed(wire + '\0'));
}

TEST(Workload, RefusesWeightsThatAreNotAboveZero) {
  for (const double weight : {0.0, -0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity()}) {
    EXPECT(IsMalformed(NaiveQuery{1, weight, {"a"}}));
  }
}

TEST(Workload, RefusesQueriesWithoutWordsWithTooManyAndWithRepeatedOnes) {
  EXPECT(IsMalformed(NaiveQuery{1, 1, {}}));
  EXPECT(IsMalformed(NaiveQuery{1, 1, {""}}));
  EXPECT(IsMalformed(NaiveQuery{1, 1, {"a", "b", "a"}}));
  std::vector<std::string> words;
  for (size_t i = 0; i < kMaxQueryWords; ++i) words.push_back(std::to_string(i));
  EXPECT_EQ(test::MakeWorkload({{1, 1, words}})->words(0).size(), kMaxQueryWords);
  words.push_back("more");
  EXPECT(IsMalformed(NaiveQuery{1, 1, words}));
  EXPECT_EQ(test::MakeWorkload({{1, 1, {std::string(255, 'x')}}})->text(0).size(), 255);
}

// A count that would take all memory is refused before anything is reserved for it.
TEST(Workload, RefusesMoreQueriesThanItMayHave) {
  for (const uint32_t count : {static_cast<uint32_t>(kMaxQueries + 1), 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    std::string wire;
    AppendValue(&wire, count);
    EXPECT(IsMalformed(wire));
  }
}

TEST(Workload, SurvivesDamagedBytes) {
  Random random;
  const std::string wire = test::WorkloadWire(kQueries);
  for (size_t round = 0; round < test::Rounds(20000); ++round) {
    std::string damaged = wire;
    for (size_t left = random.Between(1, 4); left > 0; --left)
      damaged[random.Below(damaged.size())] = static_cast<char>(random.Next());
    const test::ExactBlock block(damaged);
    const auto decoded = Workload::Decode(block.view());
    if (!decoded.ok()) {
      EXPECT_EQ(decoded.status().code(), Code::kMalformed);
      continue;
    }
    for (QueryNumber q = 0; q < decoded.value()->queries(); ++q) {
      EXPECT(std::isfinite(decoded.value()->weight(q)) && decoded.value()->weight(q) > 0);
      EXPECT(!decoded.value()->words(q).empty());
    }
  }
}

}  // namespace
}  // namespace freshdex::quality

#include "native/score/expansion.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "native/index/index_writer.h"
#include "native/score/completions.h"
#include "native/score/levenshtein.h"
#include "test/native/batch_builder.h"
#include "test/native/edit_distance.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/naive_postings.h"
#include "test/native/random.h"

namespace freshdex::score {
namespace {

using index::AnalysisKind;
using index::FieldId;
using index::IndexWriter;
using index::Snapshot;
using index::TermId;
using test::BatchBuilder;
using test::Random;

Expansion ExpandPrefix(const Snapshot& snapshot, FieldId field, std::string_view prefix, size_t limit) {
  SearchBudget unlimited({});
  return score::ExpandPrefix(snapshot, field, prefix, limit, &unlimited);
}
Expansion ExpandNearPrefix(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit) {
  SearchBudget unlimited({});
  return score::ExpandNearPrefix(snapshot, field, word, edits, limit, &unlimited);
}
Expansion ExpandFuzzy(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit) {
  SearchBudget unlimited({});
  return score::ExpandFuzzy(snapshot, field, word, edits, limit, &unlimited);
}

constexpr std::string_view kLetters[] = {"a", "b", "c", "\xC3\xA9", "\xC3\xA8", "\xE6\x9D\xB1", "\xF0\x9F\x98\x80"};

std::string RandomUtf8(Random* random, size_t shortest, size_t longest) {
  std::string word;
  for (size_t left = random->Between(shortest, longest); left > 0; --left) word += random->Pick(kLetters);
  return word;
}

std::shared_ptr<const Snapshot> RandomSnapshot(Random* random, uint64_t seed) {
  index::WriterConfig config;
  config.fields = 2;
  config.analysis = AnalysisKind::kTokens;
  config.seed = seed;
  config.fold_floor = 8;
  config.partition_bytes = 256;
  IndexWriter writer(config);
  for (size_t batch = 0; batch < 8; ++batch) {
    BatchBuilder builder(AnalysisKind::kTokens);
    for (size_t key = batch % 2; key < 16; key += 2) {
      std::vector<std::string> texts(2);
      for (std::string& text : texts) {
        for (size_t words = random->Below(20); words > 0; --words) (text += RandomUtf8(random, 1, 6)) += ' ';
      }
      builder.Put("s" + std::to_string(key), texts);
    }
    EXPECT(writer.Prepare(builder.Slab(), nullptr).ok());
    writer.Publish(nullptr);
    if (random->Chance(0.5)) writer.MaintainStep();
  }
  return writer.Current();
}

// Scans all spellings; `weight_of` gives 0 for those that do not belong.
template <typename WeightOf>
Expansion Scan(const Snapshot& snapshot, FieldId field, size_t limit, WeightOf weight_of) {
  Expansion expansion;
  const auto spellings = test::SpellingsOf(snapshot);
  for (TermId term = 0; term < snapshot.term_count; ++term) {
    if (snapshot.terms().FieldOf(term) != field || snapshot.DocumentFrequency(term) == 0) continue;
    double weight = 0;
    for (const std::string& text : spellings.at({field, std::string(snapshot.terms().Text(term))}))
      weight = std::max(weight, weight_of(text));
    if (weight > 0) expansion.terms.push_back({term, snapshot.DocumentFrequency(term), weight});
  }
  std::sort(expansion.terms.begin(), expansion.terms.end(), [&](const ExpandedTerm& a, const ExpandedTerm& b) {
    return a.df != b.df ? a.df > b.df : snapshot.terms().Text(a.term) < snapshot.terms().Text(b.term);
  });
  expansion.is_truncated = expansion.terms.size() > limit;
  if (expansion.is_truncated) expansion.terms.resize(limit);
  return expansion;
}

void ExpectSame(const Expansion& actual, const Expansion& expected) {
  EXPECT_EQ(actual.is_truncated, expected.is_truncated);
  EXPECT_EQ(actual.terms.size(), expected.terms.size());
  for (size_t i = 0; i < std::min(actual.terms.size(), expected.terms.size()); ++i) {
    EXPECT_EQ(actual.terms[i].term, expected.terms[i].term);
    EXPECT_EQ(actual.terms[i].df, expected.terms[i].df);
    EXPECT_EQ(actual.terms[i].weight, expected.terms[i].weight);
  }
}

void ExpectPrefix(const Snapshot& snapshot, FieldId field, std::string_view prefix, size_t limit) {
  ExpectSame(ExpandPrefix(snapshot, field, prefix, limit),
             Scan(snapshot, field, limit, [&](std::string_view text) { return text.starts_with(prefix) ? 1.0 : 0.0; }));
}

void ExpectFuzzy(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit) {
  const auto points = DecodeCodePoints(word);
  ExpectSame(ExpandFuzzy(snapshot, field, word, edits, limit), Scan(snapshot, field, limit, [&](std::string_view text) {
               const auto other = DecodeCodePoints(text);
               const int distance = test::EditDistance(points, other);
               if (!test::BeginsLike(points, other) || distance > edits) return 0.0;
               return 1 - distance / static_cast<double>(points.size());
             }));
}

void ExpectNearPrefix(const Snapshot& snapshot, FieldId field, std::string_view word, int edits, size_t limit) {
  const auto points = DecodeCodePoints(word);
  ExpectSame(ExpandNearPrefix(snapshot, field, word, edits, limit),
             Scan(snapshot, field, limit, [&](std::string_view text) {
               const auto other = DecodeCodePoints(text);
               if (!test::BeginsLike(points, other)) return 0.0;
               int distance = edits + 1;
               for (size_t length = 0; length <= other.size(); ++length) {
                 const std::vector<char32_t> beginning(other.begin(), other.begin() + static_cast<long>(length));
                 distance = std::min(distance, test::EditDistance(points, beginning));
               }
               return distance > edits ? 0.0 : 1 - distance / static_cast<double>(points.size());
             }));
}

void ExpectCompletions(const Snapshot& snapshot, uint32_t mask, std::string_view word, int edits, bool is_whole) {
  const auto points = DecodeCodePoints(word);
  std::map<std::string, Completion> best;
  for (const auto& [term, texts] : test::SpellingsOf(snapshot)) {
    const uint32_t df = snapshot.DocumentFrequency(snapshot.FindTerm(term.first, term.second));
    if ((mask >> term.first & 1) == 0 || df == 0) continue;
    for (const std::string& text : texts) {
      const auto other = DecodeCodePoints(text);
      int distance = text.starts_with(word) ? 0 : edits + 1;
      for (size_t length = 0; edits > 0 && test::BeginsLike(points, other) && length <= other.size(); ++length) {
        if (is_whole && length < other.size()) continue;
        const std::vector<char32_t> beginning(other.begin(), other.begin() + static_cast<long>(length));
        distance = std::min(is_whole ? edits + 1 : distance, test::EditDistance(points, beginning));
      }
      if (is_whole && !test::BeginsLike(points, other)) distance = edits + 1;
      if (distance > edits) continue;
      const auto [at, is_new] = best.try_emplace(term.second, Completion{text, df, distance});
      if (is_new) continue;
      Completion& known = at->second;
      known.df = std::max(known.df, df);
      if (std::tuple(distance, text.size(), text) < std::tuple(known.edits, known.text.size(), known.text)) {
        known.text = text;
        known.edits = distance;
      }
    }
  }
  std::vector<std::tuple<int, int64_t, std::string>> expected, actual;
  for (const auto& [token, found] : best) expected.emplace_back(found.edits, -int64_t{found.df}, found.text);
  std::sort(expected.begin(), expected.end());
  expected.resize(std::min<size_t>(expected.size(), 5));
  CompletionCache cache;
  for (int round = 0; round < 2; ++round) {
    actual.clear();
    SearchBudget unlimited({});
    for (const Completion& found : cache.Complete(snapshot, mask, word, edits, is_whole, 5, &unlimited))
      actual.emplace_back(found.edits, -int64_t{found.df}, found.text);
    EXPECT(actual == expected);
  }
}

TEST(Completions, AgreeWithAScanOfTheDictionary) {
  Random random;
  for (size_t round = 0; round < test::Rounds(6); ++round) {
    const auto snapshot = RandomSnapshot(&random, round);
    for (size_t i = 0; i < 60; ++i) {
      const uint32_t mask = static_cast<uint32_t>(random.Between(1, 3));
      const int edits = static_cast<int>(random.Below(3));
      ExpectCompletions(*snapshot, mask, RandomUtf8(&random, 1, 5), edits, edits > 0 && random.Chance(0.5));
    }
  }
}

TEST(Completions, EndWithTheirBudgetAndAreNotKeptThen) {
  Random random;
  const auto snapshot = RandomSnapshot(&random, 0);
  const std::string word = test::SpellingsOf(*snapshot).begin()->second.begin()->substr(0, 1);
  CompletionCache cache;
  SearchBudget unlimited({});
  const size_t all = CompleteWord(*snapshot, 3, word, 0, false, 5, &unlimited).size();
  EXPECT(all > 0);
  for (const int edits : {0, 1}) {
    SearchBudget spent([] { return true; });
    EXPECT_EQ(cache.Complete(*snapshot, 3, word, edits, false, 5, &spent).size(), size_t{0});
    EXPECT(spent.is_spent());
  }
  EXPECT_EQ(cache.Complete(*snapshot, 3, word, 0, false, 5, &unlimited).size(), all);
}

TEST(Expansion, AgreesWithAScanOfTheDictionary) {
  Random random;
  for (size_t round = 0; round < test::Rounds(6); ++round) {
    const auto snapshot = RandomSnapshot(&random, round);
    for (size_t i = 0; i < 60; ++i) {
      const auto field = static_cast<FieldId>(random.Below(3));
      const size_t limit = random.Chance(0.5) ? 1024 : random.Below(6);
      ExpectPrefix(*snapshot, field, RandomUtf8(&random, 1, 4), limit);
      ExpectFuzzy(*snapshot, field, RandomUtf8(&random, 1, 7), random.Chance(0.5) ? 1 : 2, limit);
      ExpectNearPrefix(*snapshot, field, RandomUtf8(&random, 1, 6), random.Chance(0.5) ? 1 : 2, limit);
    }
  }
}

// Words and their forms, from which random ones are made by cutting and editing.
constexpr std::string_view kForms[] = {
    "policy",  "policies", "polici",  "police",     "run",     "runs",     "running", "persistent", "persist", "volume",
    "volumes", "network",  "netwrok", "networking", "general", "generate", "skies",   "sky",        "the",     "v1.2"};

// The words that documents have are known from their texts alone: whatever a spelling table says, they decide.
TEST(Expansion, OfStemmedWordsComparesWhatDocumentsSay) {
  Random random;
  index::WriterConfig config;
  config.analysis = AnalysisKind::kEnglish;
  IndexWriter writer(config);
  std::map<std::string, std::set<std::string>> forms;  // by stem
  for (size_t batch = 0; batch < 12; ++batch) {
    std::string text;
    for (size_t words = random.Between(1, 6); words > 0; --words) text += std::string(random.Pick(kForms)) + ' ';
    EXPECT(writer.Prepare(BatchBuilder().Put("s" + std::to_string(batch), {text}).Slab(), nullptr).ok());
    if (random.Chance(0.2)) {
      writer.Discard(nullptr);
      continue;
    }
    writer.Publish(nullptr);
    for (const auto& [word, stem] : test::NaiveWords(AnalysisKind::kEnglish, text)) forms[stem].insert(word);
    const auto snapshot = writer.Current();
    for (size_t i = 0; i < 40; ++i) {
      std::string asked(random.Pick(kForms));
      asked.resize(random.Between(1, asked.size()));
      if (asked.size() > 2 && random.Chance(0.5)) std::swap(asked[asked.size() - 1], asked[asked.size() - 2]);
      const auto expect = [&](const Expansion& found, auto weight_of) {
        std::map<std::string, double> expected, actual;
        for (const auto& [stem, words] : forms) {
          for (const std::string& word : words) {
            if (weight_of(word) > 0) expected[stem] = std::max(expected[stem], weight_of(word));
          }
        }
        for (const ExpandedTerm& term : found.terms)
          actual[std::string(snapshot->terms().Text(term.term))] = term.weight;
        EXPECT(actual == expected);
      };
      expect(ExpandPrefix(*snapshot, 0, asked, 1024),
             [&](const std::string& word) { return word.starts_with(asked) ? 1.0 : 0.0; });
      const auto points = DecodeCodePoints(asked);
      expect(ExpandFuzzy(*snapshot, 0, asked, 2, 1024), [&](const std::string& word) {
        const auto other = DecodeCodePoints(word);
        const int distance = test::EditDistance(points, other);
        if (!test::BeginsLike(points, other) || distance > 2) return 0.0;
        return 1 - distance / static_cast<double>(points.size());
      });
    }
    test::ExpectNoFaults(*snapshot);
  }
}

TEST(Expansion, OfTheEmptyWordIsEmpty) {
  Random random;
  const auto snapshot = RandomSnapshot(&random, 1);
  EXPECT_EQ(ExpandPrefix(*snapshot, 0, "", 10).terms.size(), 0);
  EXPECT_EQ(ExpandFuzzy(*snapshot, 0, "", 1, 10).terms.size(), 0);
}

TEST(Expansion, OfAnEmptyIndexIsEmpty) {
  IndexWriter writer{index::WriterConfig()};
  EXPECT_EQ(ExpandPrefix(*writer.Current(), 0, "a", 10).terms.size(), 0);
  EXPECT_EQ(ExpandFuzzy(*writer.Current(), 0, "a", 2, 10).terms.size(), 0);
}

TEST(Expansion, ComparesPrefixesByBytes) {
  IndexWriter writer{index::WriterConfig()};
  EXPECT(writer
             .Prepare(BatchBuilder().Put("sa", {"caf caf\xC3\xA9 caf\xC3\xA8s cafe cag \xC3\xA9t\xC3\xA9"}).Slab(),
                      nullptr)
             .ok());
  writer.Publish(nullptr);
  const auto snapshot = writer.Current();
  EXPECT_EQ(ExpandPrefix(*snapshot, 0, "caf", 10).terms.size(), 4);
  EXPECT_EQ(ExpandPrefix(*snapshot, 0, "caf\xC3", 10).terms.size(), 2);
  EXPECT_EQ(ExpandPrefix(*snapshot, 0, "caf\xC3\xA9", 10).terms.size(), 1);
  EXPECT_EQ(ExpandPrefix(*snapshot, 0, std::string(300, 'c'), 10).terms.size(), 0);
  EXPECT_EQ(ExpandPrefix(*snapshot, 1, "caf", 10).terms.size(), 0);
  const Expansion best = ExpandPrefix(*snapshot, 0, "c", 2);
  EXPECT(best.is_truncated);
  EXPECT_EQ(snapshot->terms().Text(best.terms[0].term), "caf");
  EXPECT_EQ(snapshot->terms().Text(best.terms[1].term), "cafe");
}

// Whoever writes tokens may also be refused such bytes; once they are in, they are found like others.
TEST(Expansion, FindsTokensOfAnyBytesThatGetIn) {
  index::WriterConfig config;
  config.analysis = AnalysisKind::kTokens;
  IndexWriter writer(config);
  if (!writer.Prepare(BatchBuilder(AnalysisKind::kTokens).Put("sa", {"azz\xFF\xFF azz abcdeg"}).Slab(), nullptr).ok())
    return;
  writer.Publish(nullptr);
  const bool is_found = ExpandPrefix(*writer.Current(), 0, "azz", 10).terms.size() == 2;
  EXPECT(is_found);
  if (is_found) EXPECT_EQ(ExpandFuzzy(*writer.Current(), 0, "abcdef", 1, 10).terms.size(), 1);
}

// A snapshot knows only the terms of its own time, though the dictionary has grown since.
TEST(Expansion, LeavesOutTermsOfLaterBatches) {
  IndexWriter writer{index::WriterConfig()};
  EXPECT(writer.Prepare(BatchBuilder().Put("sa", {"word works"}).Slab(), nullptr).ok());
  writer.Publish(nullptr);
  const auto before = writer.Current();
  EXPECT(writer.Prepare(BatchBuilder().Put("sb", {"words world"}).Remove("sa").Slab(), nullptr).ok());
  writer.Publish(nullptr);
  EXPECT_EQ(ExpandPrefix(*before, 0, "wor", 10).terms.size(), 2);
  EXPECT_EQ(ExpandFuzzy(*before, 0, "word", 1, 10).terms.size(), 1);
  EXPECT_EQ(ExpandPrefix(*writer.Current(), 0, "wor", 10).terms.size(), 2);
  EXPECT_EQ(ExpandFuzzy(*writer.Current(), 0, "word", 1, 10).terms.size(), 2);
}

}  // namespace
}  // namespace freshdex::score

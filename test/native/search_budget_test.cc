#include "native/score/search_budget.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/analysis/analyzer.h"
#include "native/index/index_writer.h"
#include "native/score/budgeted_sort.h"
#include "native/score/distinguishing_terms.h"
#include "native/score/query_marker.h"
#include "native/score/search.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/query_builder.h"
#include "test/native/random.h"

namespace freshdex::score {
namespace {

using index::AnalysisKind;
using index::Snapshot;
using test::Random;
using SnapshotPtr = std::shared_ptr<const Snapshot>;

// No more work than this may pass between two looks at the clock, or behind the one that ends a search: less than a
// millisecond of scoring.
constexpr uint64_t kMostBetweenLooks = 70'000;

constexpr size_t kDocuments = 4000;
constexpr size_t kOwnWords = 12;

// Every document has words of its own, which begin with t, and a few that all have.
SnapshotPtr LargeVocabulary() {
  index::WriterConfig config;
  config.analysis = AnalysisKind::kTokens;
  index::IndexWriter writer(config);
  for (size_t begin = 0; begin < kDocuments; begin += 500) {
    test::BatchBuilder batch(AnalysisKind::kTokens);
    for (size_t doc = begin; doc < begin + 500; ++doc) {
      std::string text = doc % 2 == 0 ? "even and every one " : "every odd and one ";
      for (size_t word = 0; word < kOwnWords; ++word)
        text += 't' + std::to_string(word * 7919 % 10) + "x" + std::to_string(doc) + "y" + std::to_string(word) + ' ';
      batch.Put("s" + std::to_string(doc), {text});
    }
    EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
    writer.Publish(nullptr);
  }
  writer.Compact();
  return writer.Current();
}

Scoring OneField() {
  Scoring scoring;
  scoring.field_boosts.assign(1, 1);
  return scoring;
}

// A budget whose clock is a counter of the looks at it, which also watches how much work lies between them.
class CountedBudget {
 public:
  // Is spent at this look, the first being 0.
  explicit CountedBudget(uint64_t last_look = UINT64_MAX) : last_look_(last_look), budget_([this] { return Look(); }) {}

  SearchBudget* get() { return &budget_; }
  uint64_t looks() const { return looks_; }
  uint64_t most_between() const { return std::max(most_between_, budget_.spent() - spent_); }

 private:
  bool Look() {
    most_between_ = std::max(most_between_, budget_.spent() - spent_);
    spent_ = budget_.spent();
    return looks_++ >= last_look_;
  }

  const uint64_t last_look_;
  SearchBudget budget_;
  uint64_t looks_ = 0, spent_ = 0, most_between_ = 0;
};

struct Asked {
  const char* name;
  QueryNode query;
  uint64_t least_work;  // in documents, as the budget counts
};

std::vector<Asked> Queries() {
  const uint64_t words = kDocuments * kOwnWords;
  // Both are in every document, but never so far apart, and no list says so.
  QueryNode apart = test::Phrase({"every", "one"});
  apart.tokens[1].position = 7;
  std::vector<QueryNode> prefixes, fuzzy_words, own_words;
  for (size_t i = 0; i < 40; ++i) {
    prefixes.push_back(test::Prefix("t" + std::string(i % 4, '1')));
    fuzzy_words.push_back(test::Fuzzy("t1x" + std::to_string(i) + "y1", 2));
    own_words.push_back(test::Word("t" + std::to_string(i % 10) + "x" + std::to_string(i)));
  }
  return {
      {"a prefix", test::Prefix("t"), words},
      {"many prefixes", test::Or(prefixes), words},
      {"many fuzzy words", test::Or(fuzzy_words), 40 * 1000},
      {"a word", test::Word("every"), 100},
      {"all of several words", test::And({test::Word("every"), test::Word("even")}), kDocuments},
      {"words that are never together", test::And({test::Word("odd"), test::Word("even")}), kDocuments / 2},
      {"any of several words", test::Or({test::Word("odd"), test::Word("even")}), 1000},
      {"a phrase that is nowhere", apart, kDocuments},
      {"a phrase", test::Phrase({"and", "one"}), 100},
      {"only what is not there", test::Not(test::Word("every")), kDocuments},
      {"a part that excludes", test::And({test::Word("every"), test::Not(test::Prefix("t"))}), words},
      {"a phrase of any order",
       test::Or({test::Phrase({"every", "even"}), test::Phrase({"odd", "every"}), test::Prefix("one")}), 1000},
  };
}

TEST(SearchBudget, IsAskedWhereverWorkIsUnbounded) {
  const SnapshotPtr snapshot = LargeVocabulary();
  for (const auto& [name, query, least_work] : Queries()) {
    CountedBudget counted;
    SearchRequest request;
    request.count_up_to = 1000;
    request.budget = counted.get();
    const SearchOutcome outcome = Search(*snapshot, OneField(), query, request);
    EXPECT(!outcome.is_partial);
    if (counted.get()->spent() < least_work)
      std::printf("%s: %llu\n", name, static_cast<unsigned long long>(counted.get()->spent()));
    EXPECT(counted.get()->spent() >= least_work);
    EXPECT(counted.most_between() <= kMostBetweenLooks);
    CountedBudget explaining;
    EXPECT_EQ(Explain(*snapshot, OneField(), query, outcome.hits, explaining.get()).size(), outcome.hits.size());
    EXPECT(explaining.most_between() <= kMostBetweenLooks);
  }
}

TEST(SearchBudget, EndsAtAnyLook) {
  const SnapshotPtr snapshot = LargeVocabulary();
  for (const auto& asked : Queries()) {
    SearchRequest everything;
    everything.limit = kDocuments;
    everything.looks_at_all_matches = true;
    std::map<index::DocId, double> scores;
    for (const Hit& hit : Search(*snapshot, OneField(), asked.query, everything).hits) scores[hit.doc] = hit.score;
    CountedBudget counted;
    SearchRequest request;
    request.limit = 20;
    request.count_up_to = 1000;
    request.budget = counted.get();
    const SearchOutcome whole = Search(*snapshot, OneField(), asked.query, request);
    const uint64_t step = std::max<uint64_t>(1, counted.looks() / test::Rounds(12));
    for (uint64_t look = 0; look < counted.looks(); look += step) {
      CountedBudget ending(look);
      request.budget = ending.get();
      const SearchOutcome outcome = Search(*snapshot, OneField(), asked.query, request);
      EXPECT(outcome.is_partial && !outcome.is_total_exact);
      EXPECT_EQ(ending.looks(), look + 1);
      EXPECT(ending.most_between() <= kMostBetweenLooks);
      EXPECT(outcome.total <= whole.total);
      for (const Hit& hit : outcome.hits) EXPECT(scores.contains(hit.doc) && scores[hit.doc] == hit.score);
      // Nothing is explained any more.
      for (const std::string& text : Explain(*snapshot, OneField(), asked.query, outcome.hits, ending.get()))
        EXPECT(text.empty());
    }
  }
}

TEST(SearchBudget, HoldsForExplanations) {
  const SnapshotPtr snapshot = LargeVocabulary();
  const QueryNode query = test::Or({test::Word("every"), test::Prefix("t1")});
  SearchRequest request;
  request.limit = 50;
  const std::vector<Hit> hits = Search(*snapshot, OneField(), query, request).hits;
  CountedBudget counted;
  const std::vector<std::string> whole = Explain(*snapshot, OneField(), query, hits, counted.get());
  EXPECT(counted.looks() > 4);
  for (uint64_t look = 0; look < counted.looks(); ++look) {
    CountedBudget ending(look);
    const std::vector<std::string> texts = Explain(*snapshot, OneField(), query, hits, ending.get());
    for (size_t i = 0; i < texts.size(); ++i) EXPECT(texts[i].empty() || texts[i] == whole[i]);
    EXPECT(ending.most_between() <= kMostBetweenLooks);
  }
}

TEST(SearchBudget, HoldsForMarks) {
  const SnapshotPtr snapshot = LargeVocabulary();
  const QueryNode query = test::And({test::Prefix("t"), test::Phrase({"every", "one"}), test::Word("odd")});
  analysis::TokenList text;
  for (size_t i = 0; i < 20'000; ++i) {
    const std::string_view word = i % 3 == 0 ? "every" : i % 3 == 1 ? "one" : "odd";
    text.tokens.push_back({static_cast<uint32_t>(text.bytes.size()), static_cast<uint8_t>(word.size())});
    text.bytes += word;
  }
  CountedBudget counted;
  std::vector<WordMark> marks;
  EXPECT(QueryMarker(*snapshot, query, counted.get()).Mark(0, text, counted.get(), &marks));
  EXPECT(marks.size() > 10'000);
  EXPECT(counted.get()->spent() >= kDocuments * kOwnWords + 20'000);
  for (uint64_t look = 0; look < counted.looks(); look += 1 + counted.looks() / 20) {
    CountedBudget ending(look);
    marks.clear();
    EXPECT(!QueryMarker(*snapshot, query, ending.get()).Mark(0, text, ending.get(), &marks));
    EXPECT_EQ(ending.looks(), look + 1);
    EXPECT(ending.most_between() <= kMostBetweenLooks);
  }
}

TEST(SearchBudget, HoldsForTheTermsOfADocument) {
  index::WriterConfig config;
  config.analysis = AnalysisKind::kTokens;
  index::IndexWriter writer(config);
  std::string text;
  for (size_t i = 0; i < 5000; ++i) text += "w" + std::to_string(i) + ' ';
  test::BatchBuilder batch(AnalysisKind::kTokens);
  batch.Put("sa", {text});
  batch.Put("sb", {text});
  EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
  writer.Publish(nullptr);
  CountedBudget counted;
  EXPECT_EQ(DistinguishingTerms(*writer.Current(), OneField(), 0, 1, 10'000, counted.get()).size(), 5000);
  EXPECT(counted.looks() > 20);
  CountedBudget ending(3);
  EXPECT(DistinguishingTerms(*writer.Current(), OneField(), 0, 1, 10'000, ending.get()).size() < 1000);
}

TEST(SearchBudget, SortsAsAStableSortDoes) {
  using Item = std::pair<uint32_t, uint32_t>;
  const auto is_before = [](const Item& a, const Item& b) { return a.first < b.first; };
  Random random(test::Seed());
  for (const size_t count : {0, 1, 100, 4096, 4097, 9000, 30'000}) {
    std::vector<Item> items;
    for (uint32_t i = 0; i < count; ++i) items.emplace_back(static_cast<uint32_t>(random.Below(1000)), i);
    std::vector<Item> expected = items, given = items;
    std::stable_sort(expected.begin(), expected.end(), is_before);
    CountedBudget counted;
    EXPECT(SortWithin(counted.get(), &items, is_before));
    EXPECT(items == expected);
    if (counted.looks() < 2) continue;
    CountedBudget ending(counted.looks() - 1);
    EXPECT(!SortWithin(ending.get(), &given, is_before));
  }
}

}  // namespace
}  // namespace freshdex::score

#include "native/score/search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/naive_search.h"
#include "test/native/query_builder.h"
#include "test/native/random.h"
#include "test/native/random_query.h"
#include "test/native/random_text.h"

namespace freshdex::score {
namespace {

using index::AnalysisKind;
using index::IndexWriter;
using index::Snapshot;
using test::BatchBuilder;
using test::NaiveSearch;
using test::Random;
using SnapshotPtr = std::shared_ptr<const Snapshot>;

constexpr uint32_t kAllHits = 1u << 20;

std::vector<std::string> Explain(const Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                                 const std::vector<Hit>& hits) {
  SearchBudget unlimited({});
  return score::Explain(snapshot, scoring, query, hits, &unlimited);
}

bool IsNear(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

SearchOutcome SearchAll(const Snapshot& snapshot, const Scoring& scoring, const QueryNode& query) {
  SearchRequest request;
  request.limit = kAllHits;
  return Search(snapshot, scoring, query, request);
}

// Compares documents and scores, and that the hits are in order.
void ExpectHits(std::vector<Hit> hits, std::vector<Hit> expected) {
  EXPECT(std::is_sorted(hits.begin(), hits.end(), IsBetter));
  EXPECT_EQ(hits.size(), expected.size());
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.doc < b.doc; });
  for (size_t i = 0; i < std::min(hits.size(), expected.size()); ++i) {
    EXPECT_EQ(hits[i].doc, expected[i].doc);
    if (!IsNear(hits[i].score, expected[i].score)) EXPECT_EQ(hits[i].score, expected[i].score);
  }
}

void ExpectSameHits(const std::vector<Hit>& hits, const std::vector<Hit>& expected) {
  EXPECT_EQ(hits.size(), expected.size());
  for (size_t i = 0; i < std::min(hits.size(), expected.size()); ++i) {
    EXPECT_EQ(hits[i].doc, expected[i].doc);
    EXPECT_EQ(hits[i].score, expected[i].score);
  }
}

// Any limit and offset give the part of the whole list that they say.
void ExpectPages(Random* random, const Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                 const SearchOutcome& whole) {
  SearchRequest request;
  request.limit = static_cast<uint32_t>(random->Below(12));
  request.offset = static_cast<uint32_t>(random->Below(random->Chance(0.1) ? 1000000 : 12));
  const SearchOutcome page = Search(snapshot, scoring, query, request);
  EXPECT_EQ(page.total, whole.total);
  EXPECT(!page.is_partial);
  const size_t begin = std::min<size_t>(request.offset, whole.hits.size());
  const size_t count = std::min<size_t>(request.limit, whole.hits.size() - begin);
  const Hit* const first = whole.hits.data() + begin;
  ExpectSameHits(page.hits, {first, first + count});
}

// Pinned documents come first, in their order; the others follow in theirs.
void ExpectPinned(Random* random, const Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                  const SearchOutcome& whole) {
  SearchRequest request;
  for (uint64_t left = random->Below(4); left > 0; --left)
    request.pinned.push_back(static_cast<index::DocId>(random->Below(snapshot.doc_limit + 2)));
  request.limit = static_cast<uint32_t>(random->Below(12));
  request.offset = static_cast<uint32_t>(random->Below(4));
  std::vector<Hit> expected;
  uint64_t total = whole.total;
  std::vector<Hit> others = whole.hits;
  for (const index::DocId doc : request.pinned) {
    const auto is_doc = [&](const Hit& hit) { return hit.doc == doc; };
    if (!snapshot.IsVisible(doc) || std::any_of(expected.begin(), expected.end(), is_doc)) continue;
    const auto match = std::find_if(others.begin(), others.end(), is_doc);
    expected.push_back({doc, match == others.end() ? Combine(snapshot, scoring, 0, doc) : match->score});
    total += match == others.end() ? 1u : 0u;
    if (match != others.end()) others.erase(match);
  }
  expected.insert(expected.end(), others.begin(), others.end());
  const size_t begin = std::min<size_t>(request.offset, expected.size());
  const size_t end = std::min<size_t>(begin + request.limit, expected.size());
  const SearchOutcome outcome = Search(snapshot, scoring, query, request);
  EXPECT_EQ(outcome.total, total);
  EXPECT_EQ(outcome.hits.size(), end - begin);
  for (size_t i = 0; i < std::min(outcome.hits.size(), end - begin); ++i) {
    EXPECT_EQ(outcome.hits[i].doc, expected[begin + i].doc);
    EXPECT(IsNear(outcome.hits[i].score, expected[begin + i].score));
  }
}

// A search cut short has scored the first so many of the matching documents, and these as always.
void ExpectPartial(Random* random, const Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                   const std::vector<Hit>& expected) {
  SearchRequest request;
  request.limit = kAllHits;
  request.max_scored = random->Below(expected.size() + 3);
  SearchOutcome outcome = Search(snapshot, scoring, query, request);
  const size_t scored =
      request.max_scored == 0 ? expected.size() : std::min<size_t>(request.max_scored, expected.size());
  EXPECT_EQ(outcome.total, scored);
  EXPECT_EQ(outcome.is_partial, scored < expected.size());
  ExpectHits(outcome.hits, {expected.data(), expected.data() + scored});

  request.max_scored = 0;
  size_t looks_left = random->Below(4);
  SearchBudget budget([&] { return looks_left == 0 || --looks_left == 0; });
  request.budget = &budget;
  request.limit = static_cast<uint32_t>(random->Chance(0.5) ? kAllHits : random->Between(1, 10));
  request.count_up_to = random->Chance(0.5) ? UINT64_MAX : random->Below(20);
  outcome = Search(snapshot, scoring, query, request);
  EXPECT_EQ(outcome.is_partial, budget.is_spent());
  EXPECT(outcome.total <= expected.size());
  if (!outcome.is_partial && outcome.is_total_exact) EXPECT_EQ(outcome.total, expected.size());
  std::vector<Hit> same;
  for (const Hit& hit : outcome.hits) {
    const auto found = std::find_if(expected.begin(), expected.end(), [&](const Hit& e) { return e.doc == hit.doc; });
    EXPECT(found != expected.end());
    if (found != expected.end()) same.push_back(*found);
  }
  std::sort(same.begin(), same.end(), [](const Hit& a, const Hit& b) { return a.doc < b.doc; });
  ExpectHits(outcome.hits, same);
}

// The numbers behind a name in a JSON text, in order.
std::vector<double> NumbersOf(std::string_view json, const std::string& name) {
  const std::string label = "\"" + name + "\":";
  std::vector<double> numbers;
  for (size_t at = json.find(label); at != std::string_view::npos; at = json.find(label, at + 1)) {
    numbers.push_back(std::strtod(std::string(json.substr(at + label.size(), 40)).c_str(), nullptr));
  }
  return numbers;
}

// The parts of every explanation add up to the score.
void ExpectExplained(const Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                     const std::vector<Hit>& hits) {
  const std::vector<std::string> explanations = Explain(snapshot, scoring, query, hits);
  EXPECT_EQ(explanations.size(), hits.size());
  for (size_t i = 0; i < explanations.size(); ++i) {
    const double text = NumbersOf(explanations[i], "text").at(0);
    const double weight = NumbersOf(explanations[i], "weight").at(0);
    const std::vector<double> scores = NumbersOf(explanations[i], "score");
    double sum = 0;
    for (size_t leaf = 1; leaf < scores.size(); ++leaf) sum += scores[leaf];
    EXPECT(std::abs(sum - text) <= 1e-9 * std::max(1.0, text));
    EXPECT_EQ(weight, snapshot.weights[hits[i].doc]);
    EXPECT_EQ(scores.at(0), hits[i].score);
    EXPECT(IsNear(scoring.alpha * text + scoring.beta * weight, hits[i].score));
  }
}

struct Collection {
  std::vector<std::string> vocabulary;
  SnapshotPtr snapshot;
  size_t fields;
};

Collection RandomCollection(Random* random, AnalysisKind analysis, size_t documents) {
  Collection collection;
  collection.fields = random->Between(1, 3);
  collection.vocabulary = test::RandomVocabulary(random, random->Between(10, 60), "abcd");
  if (analysis == AnalysisKind::kEnglish) collection.vocabulary.insert(collection.vocabulary.begin() + 3, "the");
  index::WriterConfig config;
  config.fields = collection.fields;
  config.analysis = analysis;
  config.fold_floor = 8;
  config.partition_bytes = 256;
  config.phrase_limits.least_pages = static_cast<uint32_t>(random->Between(1, 4));
  IndexWriter writer(config);
  for (size_t round = 0; round < 4; ++round) {
    if (random->Chance(0.5)) writer.Compact();
    BatchBuilder batch(analysis);
    for (size_t key = 0; key < documents; ++key) {
      if (random->Chance(0.5)) continue;
      std::vector<std::string> texts;
      for (size_t f = 0; f < collection.fields; ++f) {
        texts.push_back(test::JoinLines(test::RandomLines(random, collection.vocabulary, random->Below(8), 12)));
      }
      if (random->Chance(0.1)) {
        batch.Remove("s" + std::to_string(key));
      } else {
        batch.Put("s" + std::to_string(key), texts, random->Chance(0.5) ? 0 : random->Unit() * 5);
      }
    }
    EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
    writer.Publish(nullptr);
    for (size_t steps = random->Below(6); steps > 0 && writer.MaintainStep(); --steps) {
    }
  }
  collection.snapshot = writer.Current();
  return collection;
}

Scoring RandomScoring(Random* random, size_t fields) {
  Scoring scoring;
  scoring.model = random->Chance(0.5) ? Model::kBm25 : Model::kTfIdf;
  if (random->Chance(0.3)) scoring.k1 = random->Unit() * 2;
  if (random->Chance(0.3)) scoring.b = random->Unit();
  for (size_t f = 0; f < fields; ++f) scoring.field_boosts.push_back(random->Chance(0.5) ? 1 : random->Unit() * 3);
  if (random->Chance(0.5)) {
    scoring.alpha = random->Unit() * 2;
    scoring.beta = random->Unit() * 2;
  }
  return scoring;
}

TEST(Search, AgreesWithTheDefinitionOnRandomTrees) {
  Random random;
  size_t with_hits = 0;
  for (size_t round = 0; round < test::Rounds(9); ++round) {
    const Collection collection =
        RandomCollection(&random, static_cast<AnalysisKind>(round % 3), random.Between(1, 70));
    const Snapshot& snapshot = *collection.snapshot;
    const Scoring scoring = RandomScoring(&random, collection.fields);
    NaiveSearch naive(snapshot, scoring);
    test::RandomQueries queries(&random, collection.vocabulary, collection.fields);
    for (size_t i = 0; i < 80; ++i) {
      const QueryNode query = queries.Tree(i % 4);
      const std::vector<Hit> expected = naive.Run(query);
      const SearchOutcome outcome = SearchAll(snapshot, scoring, query);
      EXPECT_EQ(outcome.total, expected.size());
      EXPECT(!outcome.is_partial);
      EXPECT_EQ(outcome.is_truncated, naive.is_truncated());
      ExpectHits(outcome.hits, expected);
      ExpectPages(&random, snapshot, scoring, query, outcome);
      ExpectPinned(&random, snapshot, scoring, query, outcome);
      ExpectPartial(&random, snapshot, scoring, query, expected);
      ExpectExplained(snapshot, scoring, query, outcome.hits);
      with_hits += !expected.empty();
    }
  }
  EXPECT(with_hits > 200);
}

// More documents than a window holds, with gaps of removed ones.
TEST(Search, AgreesAcrossManyWindows) {
  Random random;
  const auto vocabulary = test::RandomVocabulary(&random, 400);
  IndexWriter writer{index::WriterConfig()};
  BatchBuilder puts, removals;
  for (size_t key = 0; key < 14000; ++key) {
    puts.Put("n" + std::to_string(key), {test::RandomLine(&random, vocabulary, 5) + (key % 5000 == 0 ? " rare" : "")});
    if ((key > 3000 && key < 7000) || key % 11 == 0) removals.Remove("n" + std::to_string(key));
  }
  for (const BatchBuilder& batch : {puts, removals}) {
    EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
    writer.Publish(nullptr);
  }
  const SnapshotPtr snapshot = writer.Current();
  Scoring scoring;
  scoring.field_boosts = {1};
  NaiveSearch naive(*snapshot, scoring);
  const auto word = [&] { return test::Word(test::FrequentWord(&random, vocabulary)); };
  const QueryNode queries[] = {
      test::Or({word(), word(), word()}),
      test::Or({test::Word("rare"), test::Word("rare", test::kAllFields, 2)}),
      test::Or({test::And({word(), word()}), test::Word("rare"), test::Prefix("ab")}),
      test::And({test::Or(std::vector<QueryNode>(9, word())), test::Or({word(), word()})}),
      test::And({test::Word("rare"),
                 test::Or({word(), word(), word(), word(), word(), word(), word(), word(), test::Word("rare")})}),
      test::Or({test::Not(test::Prefix("a")), word(), test::Fuzzy("abcd", 2)}),
      test::Not(word()),
  };
  for (const QueryNode& query : queries) {
    const std::vector<Hit> expected = naive.Run(query);
    const SearchOutcome outcome = SearchAll(*snapshot, scoring, query);
    EXPECT_EQ(outcome.total, expected.size());
    ExpectHits(outcome.hits, expected);
    ExpectPartial(&random, *snapshot, scoring, query, expected);
  }
}

// Documents given as texts, keys s0, s1, ...; with one write their numbers are 0, 1, ...
SnapshotPtr IndexOf(const std::vector<std::string>& texts, AnalysisKind analysis = AnalysisKind::kStandard) {
  index::WriterConfig config;
  config.analysis = analysis;
  IndexWriter writer(config);
  BatchBuilder batch(analysis);
  for (size_t i = 0; i < texts.size(); ++i) batch.Put("s" + std::to_string(i), {texts[i]}, static_cast<double>(i));
  EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
  writer.Publish(nullptr);
  return writer.Current();
}

Scoring Plain() {
  Scoring scoring;
  scoring.field_boosts = {1};
  return scoring;
}

std::vector<index::DocId> DocsOf(const Snapshot& snapshot, const QueryNode& query) {
  std::vector<index::DocId> docs;
  for (const Hit& hit : SearchAll(snapshot, Plain(), query).hits) docs.push_back(hit.doc);
  std::sort(docs.begin(), docs.end());
  return docs;
}

QueryNode Parsed(std::string_view wire, AnalysisKind analysis) {
  const Result<QueryNode> query = DecodeQuery(wire, analysis);
  EXPECT(query.ok());
  return query.ok() ? query.value() : QueryNode();
}

using Docs = std::vector<index::DocId>;

TEST(Search, GivesTheScoreOfTheFormula) {
  const SnapshotPtr snapshot = IndexOf({"one two two", "two", "three four five six"});
  const SearchOutcome outcome = SearchAll(*snapshot, Plain(), test::Word("two"));
  EXPECT_EQ(outcome.hits.size(), 2);
  const double idf = std::log(1 + (3 - 2 + 0.5) / (2 + 0.5)), average = 8.0 / 3;
  const double first = idf * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / average));
  const double second = idf * 1 / (1 + 1.2 * (0.25 + 0.75 * 1 / average));
  for (const Hit& hit : outcome.hits) EXPECT(IsNear(hit.score, hit.doc == 0 ? first : second));
  Scoring classic = Plain();
  classic.model = Model::kTfIdf;
  const SearchOutcome other = SearchAll(*snapshot, classic, test::Word("two"));
  EXPECT(IsNear(other.hits.at(0).score, 1 + std::log(4.0 / 3)));
  EXPECT(IsNear(other.hits.at(1).score, (1 + std::log(4.0 / 3)) * std::sqrt(2.0 / 3)));
}

TEST(Search, PassesOverWhatVanishes) {
  const SnapshotPtr snapshot = IndexOf({"one two", "two", "three"});
  const QueryNode no_words = test::TokensNode(QueryKind::kWord, {}, test::kAllFields, 1);
  EXPECT(DocsOf(*snapshot, no_words).empty());
  EXPECT(DocsOf(*snapshot, test::Not(no_words)).empty());
  EXPECT(DocsOf(*snapshot, test::And({})).empty());
  EXPECT(DocsOf(*snapshot, test::Or({test::Not(no_words), test::And({no_words})})).empty());
  EXPECT(DocsOf(*snapshot, test::Nothing()).empty());
  EXPECT_EQ(DocsOf(*snapshot, test::And({no_words, test::Word("two")})), (Docs{0, 1}));
  EXPECT_EQ(DocsOf(*snapshot, test::And({test::Not(no_words), test::Word("two")})), (Docs{0, 1}));
  EXPECT_EQ(DocsOf(*snapshot, test::Or({no_words, test::Word("one")})), (Docs{0}));
}

TEST(Search, MatchesNothingWhereAWordIsUnknownOrNoFieldIsSelected) {
  const SnapshotPtr snapshot = IndexOf({"one two", "two", "three"});
  EXPECT(DocsOf(*snapshot, test::Word("unknown")).empty());
  EXPECT(DocsOf(*snapshot, test::Word("two", 0)).empty());
  EXPECT(DocsOf(*snapshot, test::Word("two", 2)).empty());
  EXPECT(DocsOf(*snapshot, test::Word("")).empty());
  EXPECT(DocsOf(*snapshot, test::Word(std::string(300, 'x'))).empty());
  EXPECT(DocsOf(*snapshot, test::Phrase({"one", "unknown"})).empty());
  EXPECT(DocsOf(*snapshot, test::And({test::Word("two"), test::Prefix("unknown")})).empty());
  EXPECT_EQ(DocsOf(*snapshot, test::Not(test::Word("unknown"))), (Docs{0, 1, 2}));
  EXPECT_EQ(DocsOf(*snapshot, test::Not(test::Word("two", 0))), (Docs{0, 1, 2}));
}

TEST(Search, ExcludesAndComplements) {
  const SnapshotPtr snapshot = IndexOf({"one two", "two", "three", ""});
  EXPECT_EQ(DocsOf(*snapshot, test::Not(test::Word("two"))), (Docs{2, 3}));
  EXPECT_EQ(DocsOf(*snapshot, test::Not(test::Not(test::Word("two")))), (Docs{0, 1}));
  EXPECT_EQ(DocsOf(*snapshot, test::And({test::Not(test::Word("two")), test::Not(test::Word("three"))})), (Docs{3}));
  EXPECT_EQ(DocsOf(*snapshot, test::Or({test::Word("one"), test::Not(test::Word("two"))})), (Docs{0, 2, 3}));
  for (const Hit& hit : SearchAll(*snapshot, Plain(), test::Not(test::Not(test::Word("two")))).hits)
    EXPECT_EQ(hit.score, 0);
}

TEST(Search, FindsPhrasesAcrossLinesAndHoles) {
  const std::string far(5000, 'x');
  const SnapshotPtr snapshot = IndexOf({"alpha beta", "beta alpha", "alpha the beta", "alpha\n" + far + "\nbeta",
                                        "long line of many words here alpha\nbeta next"},
                                       AnalysisKind::kEnglish);
  const auto phrase = [](std::string_view text) {
    return Parsed(test::TextWire(QueryKind::kPhrase, text), AnalysisKind::kEnglish);
  };
  EXPECT_EQ(DocsOf(*snapshot, phrase("alpha beta")), (Docs{0, 4}));
  EXPECT_EQ(DocsOf(*snapshot, phrase("alpha of beta")), (Docs{2, 3}));
  EXPECT_EQ(DocsOf(*snapshot, phrase("the alpha")), (Docs{0, 1, 2, 3, 4}));
  EXPECT_EQ(DocsOf(*snapshot, phrase("beta alpha")), (Docs{1}));
}

TEST(Search, CountsOverlappingPhrases) {
  const SnapshotPtr snapshot = IndexOf({"a a a a", "a a", "a b a a"});
  const SearchOutcome outcome = SearchAll(*snapshot, Plain(), test::Phrase({"a", "a"}));
  EXPECT_EQ(outcome.total, 3);
  for (const Hit& hit : outcome.hits) {
    const std::string explanation = Explain(*snapshot, Plain(), test::Phrase({"a", "a"}), {hit}).front();
    EXPECT_EQ(NumbersOf(explanation, "tf").at(0), hit.doc == 0 ? 3 : 1);
  }
}

TEST(Search, OrdersEqualScoresByDocument) {
  const SnapshotPtr snapshot = IndexOf(std::vector<std::string>(50, "same text"));
  SearchRequest request;
  request.limit = 5;
  request.offset = 7;
  const SearchOutcome outcome = Search(*snapshot, Plain(), test::Word("same"), request);
  EXPECT_EQ(outcome.total, 50);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(outcome.hits.at(i).doc, 7 + i);
  request.limit = 0;
  request.offset = 0;
  EXPECT_EQ(Search(*snapshot, Plain(), test::Word("same"), request).hits.size(), 0);
  EXPECT_EQ(Search(*snapshot, Plain(), test::Word("same"), request).total, 50);
}

TEST(Search, SaysWhenExpansionsWereLeftOut) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < 1100; ++i) texts.push_back("p" + std::to_string(i) + " " + (i % 2 == 0 ? "p0000" : "other"));
  const SnapshotPtr snapshot = IndexOf(texts);
  NaiveSearch naive(*snapshot, Plain());
  const std::vector<Hit> expected = naive.Run(test::Prefix("p"));
  const SearchOutcome outcome = SearchAll(*snapshot, Plain(), test::Prefix("p"));
  EXPECT(outcome.is_truncated && naive.is_truncated());
  EXPECT_EQ(outcome.total, expected.size());
  ExpectHits(outcome.hits, expected);
  EXPECT(!SearchAll(*snapshot, Plain(), test::Prefix("p1")).is_truncated);
}

TEST(Search, ExplainsTheParts) {
  const SnapshotPtr snapshot = IndexOf({"one \"two\"", "two three"});
  const QueryNode query =
      test::Or({test::Word("one"), test::Prefix("t"), test::Fuzzy("twos", 1), test::Phrase({"two", "three"})});
  const SearchOutcome outcome = SearchAll(*snapshot, Plain(), query);
  EXPECT_EQ(outcome.hits.size(), 2);
  const std::vector<std::string> explanations = Explain(*snapshot, Plain(), query, outcome.hits);
  for (size_t i = 0; i < 2; ++i) {
    const bool is_first = outcome.hits[i].doc == 0;
    EXPECT_EQ(explanations[i].find("\"kind\":\"word\"") != std::string::npos, is_first);
    EXPECT_EQ(explanations[i].find("\"kind\":\"phrase\"") != std::string::npos, !is_first);
    EXPECT(explanations[i].find("\"kind\":\"prefix\",\"field\":0,\"term\":\"t\"") != std::string::npos);
    EXPECT(explanations[i].find("\"kind\":\"fuzzy\",\"field\":0,\"term\":\"twos\",\"tf\":0.75") != std::string::npos);
  }
  EXPECT(Explain(*snapshot, Plain(), query, {}).empty());
}

TEST(Search, KeepsScoresFiniteForHugeBoosts) {
  const SnapshotPtr snapshot = IndexOf({"one two", "two", "three", "four"});
  Scoring scoring = Plain();
  scoring.field_boosts = {1e300};
  const QueryNode query =
      test::Or({test::Word("one", test::kAllFields, 1e300), test::Word("two", test::kAllFields, 1e300)});
  const SearchOutcome outcome = SearchAll(*snapshot, scoring, query);
  EXPECT_EQ(outcome.hits.size(), 2);
  for (const Hit& hit : outcome.hits) EXPECT(std::isfinite(hit.score) && hit.score > 1e300);
  for (const std::string& explanation : Explain(*snapshot, scoring, query, outcome.hits)) {
    EXPECT_EQ(explanation.find("inf"), std::string::npos);
    EXPECT_EQ(explanation.find("nan"), std::string::npos);
  }
}

TEST(Search, LeavesAFieldWithoutBoostAtZeroWhateverTheQuerySays) {
  const SnapshotPtr snapshot = IndexOf({"one two", "two", "three", "four"});
  Scoring scoring = Plain();
  scoring.field_boosts = {0};
  const QueryNode query = test::Or({test::Word("two", test::kAllFields, 1e300)}, 1e300);
  for (const Hit& hit : SearchAll(*snapshot, scoring, query).hits) EXPECT_EQ(hit.score, 0);
}

}  // namespace
}  // namespace freshdex::score

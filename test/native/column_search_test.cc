// Searches that ask something of columns against a naive twin, over searches without columns, which are compared with
// the definition elsewhere.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "native/score/search.h"
#include "test/native/changing_collection.h"
#include "test/native/column_request_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/naive_columns.h"
#include "test/native/query_builder.h"
#include "test/native/random.h"

namespace freshdex::score {
namespace {

using index::DocId;
using index::Snapshot;
using test::ChangingCollection;
using test::NaiveColumns;
using test::Random;
using test::RandomRequests;

// Words, phrases, groups of them, and all the rest that looks at every match.
QueryNode AnyQuery(Random* random, size_t fields) {
  const uint64_t kind = random->Below(10);
  if (kind < 2) return test::All(random->Chance(0.5) ? 1 : random->Unit() * 3);
  if (kind == 2) return test::Prefix("w" + std::to_string(random->Below(4)));
  if (kind == 3) return test::And({test::SomeQuery(random, fields), test::Not(test::SomeWord(random, fields))});
  if (kind == 4) return test::Or({test::SomeQuery(random, fields), test::Fuzzy("w12", 1)});
  return test::SomeQuery(random, fields);
}

// One search and what it should answer.
class ColumnCase {
 public:
  ColumnCase(const Snapshot& snapshot, const Scoring& scoring, const NaiveColumns& naive, QueryNode query,
             ColumnRequest columns, std::vector<DocId> pinned)
      : snapshot_(snapshot),
        scoring_(scoring),
        naive_(naive),
        query_(std::move(query)),
        columns_(std::move(columns)),
        pinned_(std::move(pinned)) {
    ScoreAll();
    ranking_ = matches_;
    naive_.Sort(columns_.sort, &ranking_);
    PutPinnedFirst();
  }

  // All hits in order.
  const std::vector<Hit>& ranking() const { return ranking_; }
  const ColumnRequest& columns() const { return columns_; }

  SearchOutcome Run(uint32_t limit, uint32_t offset, uint64_t count_up_to, const std::optional<CursorPoint>& after,
                    SearchCache* cache) const {
    ColumnRequest columns = columns_;
    columns.after = after;
    SearchRequest request;
    request.limit = limit;
    request.offset = offset;
    request.count_up_to = count_up_to;
    request.pinned = pinned_;
    request.columns = &columns;
    return Search(snapshot_, scoring_, query_, request, cache);
  }

  void Check(Random* random, RandomRequests* requests, SearchCache* cache) const {
    const uint32_t limit = static_cast<uint32_t>(random->Chance(0.2) ? random->Below(400) : random->Below(20));
    const uint32_t offset = static_cast<uint32_t>(random->Chance(0.8) ? 0 : random->Below(30));
    const uint64_t count_up_to = random->Chance(0.3) ? UINT64_MAX : random->Below(50);
    std::optional<CursorPoint> after;
    if (pinned_.empty() && random->Chance(0.3)) after = requests->Point(columns_.sort);
    const SearchOutcome outcome = Run(limit, offset, count_up_to, after, cache);
    ExpectTotal(outcome, count_up_to);
    if (columns_.group) {
      ExpectGroups(outcome, limit, offset, after);
    } else {
      ExpectHits(outcome, limit, offset, after);
    }
    if (outcome.columns) {
      EXPECT_EQ(outcome.columns->facets.size(), columns_.facets.size());
      for (size_t i = 0; i < columns_.facets.size(); ++i) {
        const FacetCounts expected = naive_.Facet(columns_.facets[i], matches_);
        EXPECT(outcome.columns->facets[i].values == expected.values);
        EXPECT(outcome.columns->facets[i].counts == expected.counts);
      }
    } else {
      EXPECT(columns_.facets.empty() && !columns_.group && !after);
    }
  }

  // Goes through all hits by cursors.
  void Walk(Random* random, SearchCache* cache) const {
    std::vector<Hit> seen;
    std::optional<CursorPoint> after;
    const uint32_t page = static_cast<uint32_t>(1 + ranking_.size() / 7 + random->Below(10));
    for (size_t pages = 0; pages < 20; ++pages) {
      const SearchOutcome outcome = Run(page, 0, UINT64_MAX, after, cache);
      EXPECT_EQ(outcome.total, matches_.size());
      if (outcome.hits.empty()) break;
      seen.insert(seen.end(), outcome.hits.begin(), outcome.hits.end());
      if (outcome.columns) {
        after = outcome.columns->last;
      } else {
        // By score alone: the caller knows the point himself.
        after = CursorPoint{{outcome.hits.back().score}, outcome.hits.back().doc};
      }
      EXPECT(after.has_value());
      if (!after) return;
    }
    ExpectSame(seen, ranking_);
  }

 private:
  static void ExpectSame(const std::vector<Hit>& hits, const std::vector<Hit>& expected) {
    EXPECT_EQ(hits.size(), expected.size());
    for (size_t i = 0; i < std::min(hits.size(), expected.size()); ++i) {
      EXPECT_EQ(hits[i].doc, expected[i].doc);
      EXPECT_EQ(hits[i].score, expected[i].score);
    }
  }

  bool Passes(DocId doc) const { return columns_.filter_wire.empty() || naive_.Passes(columns_.filter, doc); }

  double Boosted(double text, DocId doc) const {
    for (const BoostFunction& boost : columns_.boosts) text = Capped(text * naive_.Factor(boost, doc));
    return Combine(snapshot_, scoring_, text, doc);
  }

  void ScoreAll() {
    // The score of the text alone, which boosts multiply.
    Scoring text_only = scoring_;
    text_only.alpha = 1;
    text_only.beta = 0;
    SearchRequest everything;
    everything.limit = UINT32_MAX;
    everything.looks_at_all_matches = true;
    const SearchOutcome all = Search(snapshot_, text_only, query_, everything);
    for (const Hit& hit : all.hits) {
      if (Passes(hit.doc)) matches_.push_back({hit.doc, Boosted(hit.score, hit.doc)});
    }
  }

  void PutPinnedFirst() {
    std::vector<Hit> first;
    for (const DocId doc : pinned_) {
      const bool is_there = naive_.documents().count(doc) > 0 && Passes(doc);
      const bool is_repeated = std::ranges::any_of(first, [&](const Hit& hit) { return hit.doc == doc; });
      if (!is_there || is_repeated) continue;
      const auto match = std::ranges::find_if(matches_, [&](const Hit& hit) { return hit.doc == doc; });
      if (match == matches_.end()) {
        matches_.push_back({doc, Boosted(0, doc)});
        first.push_back(matches_.back());
      } else {
        first.push_back(*match);
      }
      std::erase_if(ranking_, [&](const Hit& hit) { return hit.doc == doc; });
    }
    ranking_.insert(ranking_.begin(), first.begin(), first.end());
  }

  bool IsBehind(const Hit& hit, const std::optional<CursorPoint>& after) const {
    return !after || NaiveColumns::ComesBefore(columns_.sort, after->values, after->document,
                                               naive_.SortValues(columns_.sort, hit), hit.doc);
  }

  void ExpectTotal(const SearchOutcome& outcome, uint64_t count_up_to) const {
    EXPECT(!outcome.is_partial);
    if (outcome.is_total_exact) {
      EXPECT_EQ(outcome.total, matches_.size());
    } else {
      EXPECT(outcome.total < matches_.size() && outcome.total >= count_up_to);
      EXPECT(!columns_.needs_all_matches());
    }
  }

  void ExpectHits(const SearchOutcome& outcome, size_t limit, size_t offset,
                  const std::optional<CursorPoint>& after) const {
    std::vector<Hit> expected;
    for (const Hit& hit : ranking_) {
      if (IsBehind(hit, after)) expected.push_back(hit);
    }
    expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(std::min(offset, expected.size())));
    if (expected.size() > limit) expected.resize(limit);
    ExpectSame(outcome.hits, expected);
    if (!outcome.columns) return;
    EXPECT_EQ(outcome.columns->last.has_value(), !expected.empty());
    if (expected.empty()) return;
    EXPECT_EQ(outcome.columns->last->document, expected.back().doc);
    EXPECT(outcome.columns->last->values == naive_.SortValues(columns_.sort, expected.back()));
  }

  void ExpectGroups(const SearchOutcome& outcome, size_t limit, size_t offset,
                    const std::optional<CursorPoint>& after) const {
    std::vector<std::pair<ColumnValue, std::vector<Hit>>> groups;  // in order of their first hits
    for (const Hit& hit : ranking_) {
      const ColumnValue value = naive_.GroupOf(columns_.group->column, hit.doc);
      const auto known = std::ranges::find_if(groups, [&](const auto& group) { return group.first == value; });
      auto& hits = known == groups.end() ? groups.emplace_back(value, std::vector<Hit>()).second : known->second;
      if (hits.size() < columns_.group->size) hits.push_back(hit);
    }
    std::erase_if(groups, [&](const auto& group) { return !IsBehind(group.second.front(), after); });
    groups.erase(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(std::min(offset, groups.size())));
    if (groups.size() > limit) groups.resize(limit);
    std::vector<Hit> hits;
    std::vector<uint32_t> group_of;
    for (size_t i = 0; i < groups.size(); ++i) {
      hits.insert(hits.end(), groups[i].second.begin(), groups[i].second.end());
      group_of.resize(hits.size(), static_cast<uint32_t>(i));
    }
    ExpectSame(outcome.hits, hits);
    EXPECT(outcome.columns.has_value());
    if (!outcome.columns) return;
    EXPECT(outcome.columns->group_of == group_of);
    EXPECT_EQ(outcome.columns->groups.size(), groups.size());
    for (size_t i = 0; i < std::min(groups.size(), outcome.columns->groups.size()); ++i)
      EXPECT(outcome.columns->groups[i] == groups[i].first);
    EXPECT_EQ(outcome.columns->last.has_value(), !groups.empty());
    if (groups.empty()) return;
    EXPECT(outcome.columns->last->values == naive_.SortValues(columns_.sort, groups.back().second.front()));
  }

  const Snapshot& snapshot_;
  const Scoring& scoring_;
  const NaiveColumns& naive_;
  const QueryNode query_;
  const ColumnRequest columns_;
  const std::vector<DocId> pinned_;
  std::vector<Hit> matches_;
  std::vector<Hit> ranking_;
};

std::vector<DocId> SomePinned(Random* random, DocId doc_limit) {
  std::vector<DocId> pinned;
  if (random->Chance(0.8)) return pinned;
  for (size_t left = random->Below(5); left > 0; --left)
    pinned.push_back(static_cast<DocId>(random->Below(uint64_t{doc_limit} + 1)));
  return pinned;
}

// Several caches see the same snapshots, so that some of them miss changes in between.
TEST(ColumnSearch, AgreesWithItsNaiveTwin) {
  Random random;
  for (size_t round = 0; round < test::Rounds(6); ++round) {
    ChangingCollection collection(&random, random.Chance(0.5) ? random.Between(1, 200) : random.Between(500, 3000));
    SearchCache caches[2];
    const Scoring scoring = test::SomeScoring(&random, collection.fields());
    collection.Fill();
    for (size_t change = 0; change < 5; ++change) {
      const auto snapshot = collection.Current();
      const NaiveColumns naive(test::kRandomColumns, collection.Documents());
      RandomRequests requests(&random, test::kRandomColumns, naive);
      std::vector<ColumnRequest> earlier;
      for (size_t i = 0; i < 60; ++i) {
        // Filters come again, as they do in an application.
        ColumnRequest columns =
            !earlier.empty() && random.Chance(0.3) ? random.Pick(earlier) : earlier.emplace_back(requests.Request());
        const ColumnCase search(*snapshot, scoring, naive, AnyQuery(&random, collection.fields()), std::move(columns),
                                SomePinned(&random, snapshot->doc_limit));
        SearchCache* const cache = random.Chance(0.2) ? nullptr : &caches[random.Below(2)];
        search.Check(&random, &requests, cache);
        if (!search.columns().group && random.Chance(0.2)) search.Walk(&random, cache);
      }
      collection.Change();
      if (random.Chance(0.5)) collection.Fold();
      if (random.Chance(0.3)) collection.Reopen();
    }
  }
}

TEST(ColumnSearch, FiltersAgreeWithTheirTwinWhileDocumentsChange) {
  Random random;
  ChangingCollection collection(&random, 2500);
  collection.Fill();
  SearchCache cache;
  std::vector<FilterNode> filters;
  for (size_t change = 0; change < test::Rounds(12); ++change) {
    const auto snapshot = collection.Current();
    const NaiveColumns naive(test::kRandomColumns, collection.Documents());
    RandomRequests requests(&random, test::kRandomColumns, naive);
    while (filters.size() < 40) filters.push_back(requests.Filter(3));
    for (size_t i = 0; i < 25; ++i) {
      const FilterNode& filter = random.Pick(filters);
      SearchBudget budget({});
      const SharedDocuments passing = cache.filters.Passing(*snapshot, test::FilterWire(filter), filter, &budget);
      uint64_t count = 0;
      for (const auto& [doc, values] : naive.documents()) {
        EXPECT_EQ(passing->Has(doc), naive.Passes(filter, doc));
        count += naive.Passes(filter, doc);
      }
      EXPECT_EQ(passing->Count(), count);
    }
    filters.erase(filters.begin() + static_cast<std::ptrdiff_t>(random.Below(filters.size())));
    collection.Change();
    if (random.Chance(0.3)) collection.Reopen();
  }
}

TEST(ColumnSearch, EndsWhenItsTimeIsOver) {
  Random random;
  ChangingCollection collection(&random, 5000);
  collection.Fill();
  const auto snapshot = collection.Current();
  const Scoring scoring = test::SomeScoring(&random, collection.fields());
  const NaiveColumns naive(test::kRandomColumns, collection.Documents());
  RandomRequests requests(&random, test::kRandomColumns, naive);
  for (size_t round = 0; round < 200; ++round) {
    const ColumnRequest columns = requests.Request();
    SearchRequest request;
    request.columns = &columns;
    uint64_t looks_left = random.Below(6);
    std::function<bool()> is_out_of_time;
    if (random.Chance(0.7)) {
      is_out_of_time = [&] { return looks_left == 0 || --looks_left == 0; };
    } else {
      request.max_scored = random.Between(1, 100);
    }
    SearchBudget budget(is_out_of_time);
    request.budget = &budget;
    const SearchOutcome outcome = Search(*snapshot, scoring, test::All(), request);
    EXPECT_EQ(outcome.is_total_exact, !outcome.is_partial);
    if (request.max_scored != 0) EXPECT(outcome.total <= request.max_scored);
    for (const Hit& hit : outcome.hits) EXPECT(columns.filter_wire.empty() || naive.Passes(columns.filter, hit.doc));
    if (outcome.columns) EXPECT_EQ(outcome.columns->facets.size(), columns.facets.size());
  }
  const ColumnRequest no_columns = [] {
    ColumnRequest request;
    request.filter.kind = FilterKind::kNot;
    request.filter.children.emplace_back().kind = FilterKind::kOr;
    request.filter_wire = test::FilterWire(request.filter);
    request.sort.emplace_back();
    return request;
  }();
  SearchRequest request;
  request.columns = &no_columns;
  SearchBudget budget([] { return true; });
  request.budget = &budget;
  const SearchOutcome outcome = Search(*snapshot, scoring, test::All(), request);
  EXPECT(outcome.is_partial && outcome.hits.empty() && outcome.total == 0);
}

TEST(ColumnSearch, ExplainsFactors) {
  Random random;
  ChangingCollection collection(&random, 50);
  collection.Fill();
  const auto snapshot = collection.Current();
  Scoring scoring;
  scoring.field_boosts.assign(collection.fields(), 1);
  BoostFunction boost;
  boost.kind = BoostFunction::Kind::kLog;
  boost.column = 1;
  boost.factor = 0;
  SearchBudget budget({});
  const std::vector<std::string> plain = Explain(*snapshot, scoring, test::All(2), {{0, 2}}, &budget, {});
  EXPECT(plain[0].starts_with("{\"text\":2,\"weight\":"));
  EXPECT(
      plain[0].ends_with("\"score\":2,\"terms\":[{\"kind\":\"all\",\"field\":255,\"term\":\"*\",\"tf\":1,\"df\":50,"
                         "\"idf\":1,\"length\":0,\"averageLength\":0,\"boost\":2,\"score\":2}]}"));
  const std::vector<std::string> boosted = Explain(*snapshot, scoring, test::All(2), {{0, 2}}, &budget, {boost, boost});
  EXPECT(boosted[0].find("\"score\":2,\"factors\":[1,1],\"terms\"") != std::string::npos);
}

}  // namespace
}  // namespace freshdex::score

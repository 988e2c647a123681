// The naive twin of what a search asks of columns: docs/search-model.md word by word, over values as they were written
// and matches as a search without columns gives them. It knows nothing of ordinals, bits, pages or heaps.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "native/index/ids.h"
#include "native/score/column_request.h"
#include "native/score/facet_counter.h"
#include "native/score/top_k.h"
#include "test/native/batch_builder.h"

namespace freshdex::test {

class NaiveColumns {
 public:
  using Documents = std::map<index::DocId, ModelValues>;

  NaiveColumns(index::ColumnKinds kinds, Documents documents)
      : kinds_(std::move(kinds)), documents_(std::move(documents)) {}

  const Documents& documents() const { return documents_; }

  bool Passes(const score::FilterNode& filter, index::DocId doc) const {
    using Kind = score::FilterKind;
    const auto passes = [&](const score::FilterNode& child) { return Passes(child, doc); };
    if (filter.kind == Kind::kAnd) return std::ranges::all_of(filter.children, passes);
    if (filter.kind == Kind::kOr) return std::ranges::any_of(filter.children, passes);
    if (filter.kind == Kind::kNot) return !passes(filter.children.front());
    const ModelColumn& values = Values(doc, filter.column);
    const bool has_value = !values.words.empty() || !values.numbers.empty();
    const auto has_word = [&](const std::string& word) { return values.words.count(word) > 0; };
    const auto has_number = [&](double number) { return values.numbers.count(number) > 0; };
    switch (filter.kind) {
      case Kind::kAny:
        return std::ranges::any_of(filter.words, has_word) || std::ranges::any_of(filter.numbers, has_number);
      case Kind::kAll:
        return has_value && std::ranges::all_of(filter.words, has_word) &&
               std::ranges::all_of(filter.numbers, has_number);
      case Kind::kRange:
        return std::ranges::any_of(values.numbers, [&](double number) { return IsIn(filter.range, number); });
      default:
        return has_value;
    }
  }

  // The values of one hit by which it is sorted.
  std::vector<score::ColumnValue> SortValues(const std::vector<score::SortKey>& sort, const score::Hit& hit) const {
    std::vector<score::ColumnValue> values;
    for (const score::SortKey& key : sort) {
      score::ColumnValue& value = values.emplace_back();
      if (key.by == score::SortKey::By::kScore) {
        value = hit.score;
        continue;
      }
      const ModelColumn& column = Values(hit.doc, key.column);
      const bool is_last = key.by == score::SortKey::By::kDescending;
      if (!column.words.empty()) value = is_last ? *column.words.rbegin() : *column.words.begin();
      if (!column.numbers.empty()) value = is_last ? *column.numbers.rbegin() : *column.numbers.begin();
    }
    return values;
  }

  // Whether hit a comes before hit b, each with its sort values.
  static bool ComesBefore(const std::vector<score::SortKey>& sort, const std::vector<score::ColumnValue>& a,
                          index::DocId doc_a, const std::vector<score::ColumnValue>& b, index::DocId doc_b) {
    for (size_t i = 0; i < sort.size(); ++i) {
      if (a[i] == b[i]) continue;
      if (std::holds_alternative<std::monostate>(a[i])) return false;
      if (std::holds_alternative<std::monostate>(b[i])) return true;
      return sort[i].by == score::SortKey::By::kAscending ? a[i] < b[i] : b[i] < a[i];
    }
    return doc_a < doc_b;
  }

  // Puts hits in order.
  void Sort(const std::vector<score::SortKey>& sort, std::vector<score::Hit>* hits) const {
    std::sort(hits->begin(), hits->end(), [&](const score::Hit& a, const score::Hit& b) {
      return ComesBefore(sort, SortValues(sort, a), a.doc, SortValues(sort, b), b.doc);
    });
  }

  double Factor(const score::BoostFunction& boost, index::DocId doc) const {
    const std::set<double>& values = Values(doc, boost.column).numbers;
    if (values.empty()) return boost.kind == score::BoostFunction::Kind::kLog ? 1 : boost.floor;
    double most = 0;
    for (const double value : values) {
      const double factor =
          boost.kind == score::BoostFunction::Kind::kLog
              ? 1 + boost.factor * std::log1p(std::max(0.0, value))
              : boost.floor + (1 - boost.floor) * std::exp2(-std::abs(value - boost.origin) / boost.half_life);
      most = std::max(most, factor);
    }
    return most;
  }

  // The value of a document's group.
  score::ColumnValue GroupOf(size_t column, index::DocId doc) const {
    const ModelColumn& values = Values(doc, column);
    if (!values.words.empty()) return *values.words.begin();
    if (!values.numbers.empty()) return *values.numbers.begin();
    return {};
  }

  score::FacetCounts Facet(const score::FacetRequest& facet, const std::vector<score::Hit>& matches) const {
    if (facet.kind == score::FacetRequest::Kind::kRanges) return {{}, Ranges(facet, matches)};
    std::map<score::ColumnValue, uint64_t> counts;
    for (const score::Hit& match : matches) {
      const ModelColumn& values = Values(match.doc, facet.column);
      std::set<score::ColumnValue> own(values.words.begin(), values.words.end());
      for (const double number : values.numbers)
        own.insert(facet.kind == score::FacetRequest::Kind::kInterval ? Begin(facet.interval, number) : number);
      for (const score::ColumnValue& value : own) ++counts[value];
    }
    std::vector<std::pair<score::ColumnValue, uint64_t>> entries(counts.begin(), counts.end());
    if (facet.kind == score::FacetRequest::Kind::kValues) {
      std::ranges::stable_sort(entries, [](const auto& a, const auto& b) { return a.second > b.second; });
      entries.resize(std::min<size_t>(entries.size(), facet.limit));
    }
    score::FacetCounts out;
    for (const auto& [value, count] : entries) {
      out.values.push_back(value);
      out.counts.push_back(count);
    }
    return out;
  }

  // The beginning of an interval, by the calendar of the standard library, which has years up to 32,767. The calendar
  // repeats itself every 400 years, weeks included.
  static double Begin(score::DateInterval interval, double any_time_ms) {
    using namespace std::chrono;
    using Time = sys_time<milliseconds>;
    constexpr double kMsOf400Years = 146'097.0 * 86'400'000;
    const double shift = std::floor(any_time_ms / kMsOf400Years) * kMsOf400Years;
    const double time_ms = any_time_ms - shift;
    const Time time(milliseconds(static_cast<int64_t>(std::floor(time_ms))));
    const sys_days day = floor<days>(time);
    const year_month_day date(day);
    const unsigned month = static_cast<unsigned>(date.month());
    const auto ms = [shift](auto point) { return static_cast<double>(Time(point).time_since_epoch().count()) + shift; };
    switch (interval) {
      case score::DateInterval::kYear:
        return ms(sys_days(date.year() / January / 1));
      case score::DateInterval::kQuarter:
        return ms(sys_days(date.year() / std::chrono::month((month - 1) / 3 * 3 + 1) / 1));
      case score::DateInterval::kMonth:
        return ms(sys_days(date.year() / date.month() / 1));
      case score::DateInterval::kWeek:
        return ms(day - (weekday(day) - Monday));
      case score::DateInterval::kDay:
        return ms(day);
      default:
        return ms(floor<hours>(time));
    }
  }

 private:
  static bool IsIn(const score::ValueRange& range, double number) {
    const bool is_low = range.is_min_open ? number <= range.min : number < range.min;
    const bool is_high = range.is_max_open ? number >= range.max : number > range.max;
    return !is_low && !is_high;
  }

  std::vector<uint64_t> Ranges(const score::FacetRequest& facet, const std::vector<score::Hit>& matches) const {
    std::vector<uint64_t> counts;
    for (const score::ValueRange& range : facet.ranges) {
      counts.push_back(static_cast<uint64_t>(std::ranges::count_if(matches, [&](const score::Hit& match) {
        return std::ranges::any_of(Values(match.doc, facet.column).numbers,
                                   [&](double number) { return IsIn(range, number); });
      })));
    }
    return counts;
  }

  const ModelColumn& Values(index::DocId doc, size_t column) const {
    static const ModelColumn kNone;
    const ModelValues& values = documents_.at(doc);
    return column < values.size() ? values[column] : kNone;
  }

  const index::ColumnKinds kinds_;
  const Documents documents_;
};

}  // namespace freshdex::test

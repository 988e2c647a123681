#include "native/score/facet_counter.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

namespace freshdex::score {
namespace {

constexpr double kMsPerHour = 3'600'000, kMsPerDay = 24 * kMsPerHour;
// Of JavaScript: no date is farther from 1970.
constexpr double kMaxTimeMs = 8.64e15;

// A year and a month from 0 on, in the Gregorian calendar.
struct YearMonth {
  int64_t year;
  int64_t month;
};

// Years are counted from March here, so that a leap day is the last of its year. 400 years have 146,097 days, and
// 719,468 days lie between 1 March of year 0 and 1 January 1970.
constexpr int64_t kDaysOf400Years = 146'097, kDaysTo1970 = 719'468;

int64_t FloorDivided(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

YearMonth YearMonthOf(int64_t day_of_1970) {
  const int64_t day = day_of_1970 + kDaysTo1970;
  const int64_t era = FloorDivided(day, kDaysOf400Years);
  const int64_t of_era = day - era * kDaysOf400Years;
  const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
  const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * of_year + 2) / 153;
  const int64_t month = (month_from_march + 2) % 12;
  return {era * 400 + year_of_era + (month < 2 ? 1 : 0), month};
}

// The day on which a month begins, counted from 1 January 1970.
int64_t DayOf(YearMonth of) {
  const int64_t year = of.year - (of.month < 2 ? 1 : 0);
  const int64_t era = FloorDivided(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t month_from_march = (of.month + 10) % 12;
  const int64_t of_year = (153 * month_from_march + 2) / 5;
  return era * kDaysOf400Years + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - kDaysTo1970;
}

template <typename Value>
void SortByCount(std::vector<std::pair<Value, uint64_t>>* entries, size_t limit) {
  const size_t kept = std::min(limit, entries->size());
  std::partial_sort(
      entries->begin(), entries->begin() + static_cast<std::ptrdiff_t>(kept), entries->end(),
      [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
  entries->resize(kept);
}

template <typename Stored, typename Value>
FacetCounts CountsOf(const std::vector<std::pair<Value, uint64_t>>& entries) {
  FacetCounts facet;
  for (const auto& [value, count] : entries) {
    facet.values.emplace_back(Stored(value));
    facet.counts.push_back(count);
  }
  return facet;
}

}  // namespace

double IntervalBegin(DateInterval interval, double time_ms) {
  if (interval == DateInterval::kHour) return std::floor(time_ms / kMsPerHour) * kMsPerHour;
  const double bounded = std::clamp(time_ms, -kMaxTimeMs, kMaxTimeMs);
  const int64_t day = static_cast<int64_t>(std::floor(bounded / kMsPerDay));
  const auto to_ms = [](int64_t first_day) { return static_cast<double>(first_day) * kMsPerDay; };
  if (interval == DateInterval::kDay) return to_ms(day);
  // 1970 began on a Thursday.
  if (interval == DateInterval::kWeek) return to_ms(FloorDivided(day + 3, 7) * 7 - 3);
  YearMonth of = YearMonthOf(day);
  if (interval == DateInterval::kYear) of.month = 0;
  if (interval == DateInterval::kQuarter) of.month -= of.month % 3;
  return to_ms(DayOf(of));
}

FacetCounter::FacetCounter(const index::Snapshot& snapshot, const FacetRequest& request)
    : column_(snapshot.columns[request.column]),
      request_(request),
      is_keyword_(column_.kind() == index::ColumnKind::kKeyword) {
  if (request.kind == FacetRequest::Kind::kRanges) counts_.resize(request.ranges.size(), 0);
  if (request.kind == FacetRequest::Kind::kValues && is_keyword_) counts_.resize(column_.ordinal_count(), 0);
}

void FacetCounter::Count(index::DocId doc) {
  if (is_keyword_) {
    for (const uint32_t ordinal : column_.Ordinals(doc)) ++counts_[ordinal];
    return;
  }
  const std::span<const double> values = column_.Numbers(doc);
  switch (request_.kind) {
    case FacetRequest::Kind::kValues:
      for (const double value : values) ++by_number_[value];
      return;
    case FacetRequest::Kind::kRanges:
      for (size_t i = 0; i < request_.ranges.size(); ++i) {
        const ValueRange& range = request_.ranges[i];
        counts_[i] += std::ranges::any_of(values, [&](double value) { return range.Has(value); });
      }
      return;
    case FacetRequest::Kind::kInterval: {
      // Values ascend, and so do the intervals in which they lie.
      bool has_last = false;
      double last = 0;
      for (const double value : values) {
        const double begin = IntervalBegin(request_.interval, value);
        if (has_last && begin == last) continue;
        ++by_number_[begin];
        has_last = true;
        last = begin;
      }
      return;
    }
  }
}

FacetCounts FacetCounter::TakeWords() const {
  std::vector<std::pair<std::string_view, uint64_t>> entries;
  for (uint32_t ordinal = 0; ordinal < counts_.size(); ++ordinal) {
    if (counts_[ordinal] > 0) entries.emplace_back(column_.Word(ordinal), counts_[ordinal]);
  }
  SortByCount(&entries, request_.limit);
  return CountsOf<std::string>(entries);
}

FacetCounts FacetCounter::TakeNumbers() const {
  std::vector<std::pair<double, uint64_t>> entries(by_number_.begin(), by_number_.end());
  if (request_.kind == FacetRequest::Kind::kValues) {
    SortByCount(&entries, request_.limit);
  } else {
    std::sort(entries.begin(), entries.end());
  }
  return CountsOf<double>(entries);
}

FacetCounts FacetCounter::Take() const {
  if (request_.kind == FacetRequest::Kind::kRanges) return {{}, counts_};
  return is_keyword_ ? TakeWords() : TakeNumbers();
}

}  // namespace freshdex::score

#include "native/score/facet_counter.h"

#include <cstdint>

#include "test/native/harness.h"
#include "test/native/naive_columns.h"

namespace freshdex::score {
namespace {

using test::NaiveColumns;

// Every day of 800 years around 1970, and times near the ends of what JavaScript has.
TEST(FacetCounter, IntervalsAreThoseOfTheCalendar) {
  for (int64_t day = -146097; day < 146097; ++day) {
    const double time_ms = static_cast<double>(day) * 86'400'000 + static_cast<double>(day & 0xFFFF);
    for (const DateInterval interval : {DateInterval::kYear, DateInterval::kQuarter, DateInterval::kMonth,
                                        DateInterval::kWeek, DateInterval::kDay, DateInterval::kHour})
      EXPECT_EQ(IntervalBegin(interval, time_ms), NaiveColumns::Begin(interval, time_ms));
  }
  EXPECT_EQ(IntervalBegin(DateInterval::kYear, 8.64e15), 8639977881600000.0);
  EXPECT_EQ(IntervalBegin(DateInterval::kMonth, 8.64e15), 8639998963200000.0);
}

}  // namespace
}  // namespace freshdex::score

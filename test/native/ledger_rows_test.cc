// Rows of the ledger that nobody here has made: columns full of random bytes, as a damaged file may leave them. What
// visits make of them is for test/ledger; here nothing may be read or written outside of a row.
#include "native/ledger/ledger_rows.h"

#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "native/ledger/change_profile.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::ledger {
namespace {

using test::Random;

constexpr size_t kPlaces = 5;

// Columns in memory of exactly their size, so that the address sanitizer sees what lies outside.
class Memory {
 public:
  explicit Memory(Random* random) : random_(random) {}

  template <typename Element>
  Element* Column(LedgerColumns* columns, size_t width = 1) {
    const size_t bytes = kPlaces * width * sizeof(Element);
    blocks_.emplace_back(new uint8_t[bytes]);
    for (size_t at = 0; at < bytes; ++at) blocks_.back()[at] = static_cast<uint8_t>(random_->Below(256));
    columns->all.push_back({blocks_.back().get(), width * sizeof(Element)});
    return reinterpret_cast<Element*>(blocks_.back().get());
  }

  LedgerColumns Columns(bool has_versions) {
    LedgerColumns to;
    to.places = kPlaces;
    for (uint8_t** column :
         {&to.present, &to.last_outcome, &to.profile_state, &to.observations, &to.signals, &to.signal_kinds})
      *column = Column<uint8_t>(&to);
    to.errors = Column<uint16_t>(&to);
    for (uint32_t** column : {&to.refreshes, &to.changes, &to.rated, &to.unmeasured, &to.change_bits})
      *column = Column<uint32_t>(&to);
    for (double** column : {&to.created_ms, &to.refreshed_ms, &to.last_attempt_ms, &to.sum_delta_quality,
                            &to.sum_interval_ms, &to.sum_rate, &to.profile_base_ms, &to.signal_ms})
      *column = Column<double>(&to);
    for (float** column : {&to.decayed_rate, &to.decayed_weight, &to.stake}) *column = Column<float>(&to);
    to.recent_interval_seconds = Column<float>(&to, kRecentRefreshes);
    to.recent_delta_quality = Column<float>(&to, kRecentRefreshes);
    to.sketch = Column<uint32_t>(&to, kSketchMinima);
    to.observed_age_seconds = Column<float>(&to, kProfileObservations);
    to.observed_divergence = Column<uint8_t>(&to, kProfileObservations);
    to.skipped_refreshes = Column<uint8_t>(&to, kProfileObservations);
    if (!has_versions) return to;
    to.versions = Column<uint8_t>(&to);
    to.version_ms = Column<double>(&to, kMoreProfiles);
    to.version_sketch = Column<uint32_t>(&to, kMoreProfiles * kSketchMinima);
    return to;
  }

 private:
  Random* random_;
  std::vector<std::unique_ptr<uint8_t[]>> blocks_;
};

TEST(LedgerRows, StayWithinTheirColumns) {
  Random random(20260101);
  for (int round = 0; round < 400; ++round) {
    Memory memory(&random);
    std::vector<double> totals(kTotals, 0.0);
    const bool has_versions = random.Below(2) == 0;
    LedgerRows rows(memory.Columns(has_versions), std::span<double, kTotals>(totals.data(), kTotals));
    // Times near those of the profiles, so that many of them can be placed.
    const double base_ms = random.Below(2) == 0 ? 0 : 1e12;
    for (int visit = 0; visit < 40; ++visit) {
      uint32_t sketch[kSketchMinima];
      for (uint32_t& hash : sketch) hash = static_cast<uint32_t>(random.Below(64));
      const VisitRules rules{.at_ms = base_ms + 1000.0 * visit,
                             .latest_ms = std::numeric_limits<double>::infinity(),
                             .half_life_ms = 1e9,
                             .profiles = has_versions ? static_cast<uint32_t>(1 + random.Below(5)) : 1};
      const auto doc = static_cast<uint32_t>(random.Below(kPlaces));
      if (visit % 8 == 0) rows.columns().profile_state[doc] = static_cast<uint8_t>(ProfileState::kLive);
      const Entered entered = rows.Enter({.doc = doc,
                                          .outcome = static_cast<Outcome>(random.Below(kOutcomes)),
                                          .delta_quality = 1,
                                          .stake = 1,
                                          .sketch = random.Below(4) == 0 ? nullptr : sketch},
                                         rules);
      if (entered == Entered::kFull) rows.NewBase(doc, rules, sketch);
      if (entered == Entered::kRemoved) EXPECT(!rows.columns().HasRow(doc));
      if (entered == Entered::kCreated) {
        EXPECT(rows.columns().HasRow(doc));
        EXPECT_EQ(rows.columns().refreshes[doc], 0u);
      }
    }
  }
}

TEST(LedgerRows, ForgetARemovedPageInAllColumns) {
  Random random(20260102);
  Memory memory(&random);
  std::vector<double> totals(kTotals, 0.0);
  LedgerRows rows(memory.Columns(true), std::span<double, kTotals>(totals.data(), kTotals));
  rows.columns().last_outcome[2] = 1;
  rows.Enter({.doc = 2, .outcome = Outcome::kRemoved, .delta_quality = 0, .stake = 0, .sketch = nullptr}, {});
  for (const ColumnBytes& column : rows.columns().all) {
    const std::vector<uint8_t> nothing(column.row_bytes, 0);
    EXPECT_EQ(std::memcmp(column.values + 2 * column.row_bytes, nothing.data(), column.row_bytes), 0);
  }
}

}  // namespace
}  // namespace freshdex::ledger

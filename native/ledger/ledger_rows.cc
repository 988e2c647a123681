#include "native/ledger/ledger_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "native/ledger/change_profile.h"
#include "native/ledger/page_versions.h"

namespace freshdex::ledger {
namespace {

// A refresh less than a millisecond after the last one, or before it, is not rated: a gain divided by next to nothing
// would outweigh all other history for ever.
constexpr double kTickMs = 1;
// The least decayed_weight after a measured refresh: its rate is to stay in the range of a 32-bit float as well.
constexpr double kLeastWeight = 1e-6;

// The largest gain or stake: MAX_GAIN in src/ledger/ledger.ts. The largest weights, boosts and counts together give
// more.
constexpr double kMostGain = 1e30;

// Values of the column last_outcome, from 1: OUTCOMES in src/ledger/rows.ts.
constexpr uint8_t kNew = 1;
constexpr uint8_t kFoundChanged = 2;
constexpr uint8_t kFoundSame = 3;

bool IsSame(Outcome outcome) { return outcome == Outcome::kSame || outcome == Outcome::kReweighted; }

}  // namespace

Entered LedgerRows::Enter(const Visit& visit, const VisitRules& rules) {
  const size_t doc = visit.doc;
  const bool has_row = columns_.HasRow(doc);
  if (visit.outcome == Outcome::kMissing) return Entered::kNothing;
  if (visit.outcome == Outcome::kRemoved) {
    if (has_row) {
      Count(doc, -1);
      Clear(doc);
    }
    return Entered::kRemoved;
  }
  Entered entered = Entered::kRefreshed;
  if (visit.outcome == Outcome::kStaked) {
    if (!has_row || std::isnan(visit.stake)) return Entered::kNothing;
    entered = Entered::kStaked;
  } else if (visit.outcome == Outcome::kAdded || !has_row) {
    Create(visit, rules);
    entered = Entered::kCreated;
  } else if (columns_.refreshed_ms[doc] > rules.latest_ms) {
    const float stake = columns_.stake[doc];
    Create(visit, rules);
    SetStake(doc, stake);
    entered = Entered::kCreated;
  } else if (!Refresh(visit, rules)) {
    entered = Entered::kFull;
  }
  if (!std::isnan(visit.stake)) SetStake(doc, visit.stake);
  return entered;
}

void LedgerRows::Create(const Visit& visit, const VisitRules& rules) {
  const size_t doc = visit.doc;
  Count(doc, -1);
  Clear(doc);
  columns_.present[doc] = 1;
  columns_.last_outcome[doc] = kNew;
  columns_.created_ms[doc] = rules.at_ms;
  columns_.refreshed_ms[doc] = rules.at_ms;
  columns_.last_attempt_ms[doc] = rules.at_ms;
  NewBase(doc, rules, visit.sketch);
  Count(doc, 1);
}

void LedgerRows::NewBase(size_t doc, const VisitRules& rules, const uint32_t* sketch) {
  BeginProfile(columns_, doc, rules.at_ms, sketch);
  VersionSeen(columns_, doc, rules.at_ms, rules.profiles, sketch);
}

bool LedgerRows::Refresh(const Visit& visit, const VisitRules& rules) {
  const size_t doc = visit.doc;
  const double at_ms = rules.at_ms;
  const bool is_same = IsSame(visit.outcome);
  if (columns_.present[doc] == 0) {
    columns_.present[doc] = 1;
    Count(doc, 1);
  }
  ++columns_.refreshes[doc];
  columns_.change_bits[doc] = columns_.change_bits[doc] << 1 | (is_same ? 0u : 1u);
  AnswerSignals(doc, at_ms);
  bool has_room = true;
  if (is_same) {
    ProfileSame(columns_, doc, at_ms);
    VersionSeenAgain(columns_, doc, at_ms, rules.profiles);
  } else {
    ++columns_.changes[doc];
    totals_[kChanges] += 1;
    has_room = ProfileChanged(columns_, doc, at_ms, visit.sketch);
    // NewBase() notes the version, once the curve of the full profile has been kept, which the version has no part in.
    if (has_room) VersionSeen(columns_, doc, at_ms, rules.profiles, visit.sketch);
  }
  columns_.last_outcome[doc] = is_same ? kFoundSame : kFoundChanged;
  columns_.errors[doc] = 0;
  columns_.last_attempt_ms[doc] = at_ms;
  const double interval_ms = at_ms - columns_.refreshed_ms[doc];
  if (interval_ms >= kTickMs) {
    // A refresh that found the page the same needs no measuring.
    const double gain = is_same && std::isnan(visit.delta_quality) ? 0 : visit.delta_quality;
    Rate(doc, interval_ms, gain > kMostGain ? kMostGain : gain, rules.half_life_ms);
  }
  columns_.refreshed_ms[doc] = std::max(at_ms, columns_.refreshed_ms[doc]);
  return has_room;
}

// A refresh has found out what the signals, or their absence, were worth. One from before the first signal has not: the
// signal waits for the next refresh.
void LedgerRows::AnswerSignals(size_t doc, double at_ms) {
  if (columns_.signals[doc] > 0 && at_ms < columns_.signal_ms[doc]) return;
  columns_.signals[doc] = 0;
  columns_.signal_kinds[doc] = 0;
  columns_.signal_ms[doc] = 0;
}

void LedgerRows::Rate(size_t doc, double interval_ms, double delta_quality, double half_life_ms) {
  const size_t recent = doc * kRecentRefreshes + columns_.rated[doc] % kRecentRefreshes;
  columns_.recent_interval_seconds[recent] = static_cast<float>(interval_ms / 1000);
  columns_.recent_delta_quality[recent] = static_cast<float>(delta_quality);
  ++columns_.rated[doc];
  columns_.sum_interval_ms[doc] += interval_ms;
  totals_[kRated] += 1;
  totals_[kSumIntervalMs] += interval_ms;
  const double left = std::exp2(-interval_ms / half_life_ms);
  float& rate = columns_.decayed_rate[doc];
  float& weight = columns_.decayed_weight[doc];
  if (std::isnan(delta_quality)) {
    ++columns_.unmeasured[doc];
    totals_[kUnmeasured] += 1;
    // Their ratio is a mean as long as neither of them becomes 0.
    if (weight * left < kLeastWeight) return;
    rate = static_cast<float>(rate * left);
    weight = static_cast<float>(weight * left);
    return;
  }
  const double gained = delta_quality / interval_ms;
  columns_.sum_delta_quality[doc] += delta_quality;
  columns_.sum_rate[doc] += gained;
  rate = static_cast<float>(rate * left + gained);
  weight = static_cast<float>(weight * left + 1);
  totals_[kSumDeltaQuality] += delta_quality;
  totals_[kSumRate] += gained;
}

void LedgerRows::SetStake(size_t doc, double stake) {
  const double before = columns_.stake[doc];
  columns_.stake[doc] = static_cast<float>(std::min(stake, kMostGain));
  if (columns_.present[doc] != 1) return;
  totals_[kSumStake] = std::max(0.0, totals_[kSumStake] + static_cast<double>(columns_.stake[doc]) - before);
}

void LedgerRows::Count(size_t doc, int sign) {
  if (columns_.present[doc] == 0) return;
  totals_[kPages] += sign;
  if (totals_[kPages] == 0) {
    std::fill(totals_.begin(), totals_.end(), 0.0);
    return;
  }
  totals_[kRated] += sign * static_cast<double>(columns_.rated[doc]);
  totals_[kChanges] += sign * static_cast<double>(columns_.changes[doc]);
  totals_[kUnmeasured] += sign * static_cast<double>(columns_.unmeasured[doc]);
  // Rounding must not leave a sum of gains below nothing.
  const auto add = [&](Total total, double amount) { totals_[total] = std::max(0.0, totals_[total] + sign * amount); };
  add(kSumDeltaQuality, columns_.sum_delta_quality[doc]);
  add(kSumIntervalMs, columns_.sum_interval_ms[doc]);
  add(kSumRate, columns_.sum_rate[doc]);
  add(kSumStake, columns_.stake[doc]);
}

void LedgerRows::Clear(size_t doc) {
  for (const ColumnBytes& column : columns_.all)
    std::memset(column.values + doc * column.row_bytes, 0, column.row_bytes);
}

}  // namespace freshdex::ledger

// What a write does to the rows of the ledger, in one pass over the documents of its batch. src/ledger/ledger.ts says
// what the columns and the sums over them mean, and changes rows by this code too, so that there is no other.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "native/ledger/ledger_columns.h"

namespace freshdex::ledger {

// Sums over the pages that are present, in the order of LedgerTotals in src/ledger/totals.ts.
enum Total : size_t {
  kPages,
  kRated,
  kChanges,
  kUnmeasured,
  kSumDeltaQuality,
  kSumIntervalMs,
  kSumRate,
  kSumStake,
  kTotals
};

// What became of a document in its batch: the numbers of BatchOutcome in src/engine.ts.
enum class Outcome : uint8_t {
  kAdded = 0,
  kChanged = 1,
  kSame = 2,
  kRemoved = 3,
  kMissing = 4,
  kReweighted = 5,
  // Nobody has looked at the document, but its stake has moved.
  kStaked = 6,
};
constexpr uint8_t kOutcomes = 7;

struct Visit {
  uint32_t doc;
  Outcome outcome;
  double delta_quality;    // what the refresh gained; NaN where nobody could measure it
  double stake;            // NaN: it stays as it is
  const uint32_t* sketch;  // of the new version; null without one
};

// The same for all visits of a batch.
struct VisitRules {
  double at_ms;
  // A row that was refreshed later than this was dated by a wrong clock, and begins anew.
  double latest_ms;
  // In decayedRate a refresh counts half after this time.
  double half_life_ms;
  // h: change profiles that are kept of a page at once.
  uint32_t profiles;
};

// What a visit did to the row.
enum class Entered : uint8_t {
  kNothing = 0,
  kCreated = 1,
  kRefreshed = 2,
  kRemoved = 3,
  kStaked = 4,
  // Refreshed, and its profile is full: the curve of that is to be kept, and NewBase() is to follow.
  kFull = 5,
};

class LedgerRows {
 public:
  LedgerRows(LedgerColumns columns, std::span<double, kTotals> totals)
      : columns_(std::move(columns)), totals_(totals) {}

  const LedgerColumns& columns() const { return columns_; }

  // REQUIRES: the document has a place, and versions have one where the rules want more than one profile.
  Entered Enter(const Visit& visit, const VisitRules& rules);
  // The version is the base of the page's next profile.
  void NewBase(size_t doc, const VisitRules& rules, const uint32_t* sketch);
  // Adds the row of a page that is present to the totals, or takes it away.
  void Count(size_t doc, int sign);

 private:
  void Create(const Visit& visit, const VisitRules& rules);
  // False when the profile is full.
  bool Refresh(const Visit& visit, const VisitRules& rules);
  void AnswerSignals(size_t doc, double at_ms);
  void Rate(size_t doc, double interval_ms, double delta_quality, double half_life_ms);
  void SetStake(size_t doc, double stake);
  void Clear(size_t doc);

  LedgerColumns columns_;
  std::span<double, kTotals> totals_;
};

}  // namespace freshdex::ledger

// The ledger: what is known of each page, in columns that JavaScript owns and declares (src/ledger/columns.ts). Row n
// is that of document n. Here are the columns that refreshes change, as they lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace freshdex::ledger {

// Elements a row of the columns that have more than one.
constexpr size_t kRecentRefreshes = 6;
constexpr size_t kProfileObservations = 12;
constexpr size_t kSketchMinima = 8;
constexpr size_t kMoreProfiles = 4;

// Fills the places of a sketch for which a version has no hashes.
constexpr uint32_t kNoMinimum = 0xFFFFFFFF;

// A column as bytes.
struct ColumnBytes {
  uint8_t* values = nullptr;
  size_t row_bytes = 0;
};

struct LedgerColumns {
  // All columns have a place for so many documents, but for those of versions where no version is kept.
  size_t places = 0;
  // Every column, those below included: forgetting a row clears it in all of them.
  std::vector<ColumnBytes> all;

  uint8_t* present = nullptr;
  uint8_t* last_outcome = nullptr;  // 0: there is no row
  uint16_t* errors = nullptr;
  uint32_t* refreshes = nullptr;
  uint32_t* changes = nullptr;
  uint32_t* rated = nullptr;
  double* created_ms = nullptr;
  double* refreshed_ms = nullptr;
  double* last_attempt_ms = nullptr;
  double* sum_delta_quality = nullptr;
  double* sum_interval_ms = nullptr;
  double* sum_rate = nullptr;
  uint32_t* unmeasured = nullptr;
  float* decayed_rate = nullptr;
  float* decayed_weight = nullptr;
  float* stake = nullptr;
  float* recent_interval_seconds = nullptr;
  float* recent_delta_quality = nullptr;
  double* profile_base_ms = nullptr;
  uint32_t* sketch = nullptr;
  float* observed_age_seconds = nullptr;
  uint8_t* observed_divergence = nullptr;
  uint8_t* skipped_refreshes = nullptr;
  uint8_t* profile_state = nullptr;
  uint8_t* observations = nullptr;
  uint8_t* signals = nullptr;
  uint8_t* signal_kinds = nullptr;
  double* signal_ms = nullptr;
  uint32_t* change_bits = nullptr;
  // Null where no version is kept.
  uint8_t* versions = nullptr;
  double* version_ms = nullptr;
  uint32_t* version_sketch = nullptr;

  bool HasRow(size_t doc) const { return doc < places && last_outcome[doc] != 0; }
};

}  // namespace freshdex::ledger

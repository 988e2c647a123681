#include "native/ledger/page_versions.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace freshdex::ledger {

void VersionSeen(const LedgerColumns& columns, size_t doc, double at_ms, uint32_t profiles, const uint32_t* sketch) {
  if (columns.versions == nullptr) return;
  if (sketch == nullptr || profiles <= 1) {
    columns.versions[doc] = 0;
    return;
  }
  double* const times = columns.version_ms + doc * kMoreProfiles;
  uint32_t* const sketches = columns.version_sketch + doc * kMoreProfiles * kSketchMinima;
  // A row that was not made here may count more.
  size_t count = std::min<size_t>(columns.versions[doc], kMoreProfiles);
  if (count > 0 && !(times[count - 1] < at_ms)) return;
  // It may be one of those that make room.
  std::array<uint32_t, kSketchMinima> seen;
  std::memcpy(seen.data(), sketch, sizeof(seen));
  // Another opening may have kept more.
  const size_t most = std::min<size_t>(profiles - 1, kMoreProfiles) - 1;
  if (count > most) {
    const size_t gone = count - most;
    std::memmove(times, times + gone, most * sizeof(double));
    std::memmove(sketches, sketches + gone * kSketchMinima, most * kSketchMinima * sizeof(uint32_t));
    count = most;
  }
  times[count] = at_ms;
  std::memcpy(sketches + count * kSketchMinima, seen.data(), sizeof(seen));
  columns.versions[doc] = static_cast<uint8_t>(count + 1);
}

void VersionSeenAgain(const LedgerColumns& columns, size_t doc, double at_ms, uint32_t profiles) {
  if (columns.versions == nullptr) return;
  const size_t count = std::min<size_t>(columns.versions[doc], kMoreProfiles);
  const uint32_t* newest =
      count == 0 ? nullptr : columns.version_sketch + (doc * kMoreProfiles + count - 1) * kSketchMinima;
  VersionSeen(columns, doc, at_ms, profiles, newest);
}

}  // namespace freshdex::ledger

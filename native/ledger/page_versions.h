// The versions of a page that its last refreshes saw, each by its sketch: the bases of further change profiles.
// src/ledger/versions.ts says what they are for.
#pragma once

#include <cstdint>

#include "native/ledger/ledger_columns.h"

namespace freshdex::ledger {

// A refresh saw this version; without a sketch it is one that nobody has sketched, and ends all that are known.
// `profiles`: h, of which all but one have a version here. A refresh that is not later than the last one cannot be
// placed. REQUIRES: with a sketch and more than one profile, versions have a place.
void VersionSeen(const LedgerColumns& columns, size_t doc, double at_ms, uint32_t profiles, const uint32_t* sketch);

// A refresh saw the version that the one before saw.
void VersionSeenAgain(const LedgerColumns& columns, size_t doc, double at_ms, uint32_t profiles);

}  // namespace freshdex::ledger

// Change profiles (Olston and Pandey, Recrawl scheduling based on information longevity, sections 4.1 and 5.2), as
// refreshes make them: how far a page has moved away from a version of it, the base, by the time of each refresh since.
// src/ledger/profile.ts says what a profile means, and fits curves to it.
#pragma once

#include <cstdint>

#include "native/ledger/ledger_columns.h"

namespace freshdex::ledger {

// Values of the column profile_state.
enum class ProfileState : uint8_t { kNone = 0, kLive = 1, kUnseen = 2 };

// Sketches are kSketchMinima hashes, ascending; null where nobody has sketched the version.

// The first version of a page, or the new base of its profile. Without a sketch nothing happens.
void BeginProfile(const LedgerColumns& columns, size_t doc, double at_ms, const uint32_t* sketch);

// A refresh found the page as it was at the refresh before.
void ProfileSame(const LedgerColumns& columns, size_t doc, double at_ms);

// A refresh brought a new version. Without a sketch of it, nothing is known until the next version that has one. False:
// the profile is full, and the version is to be the base of the next one (BeginProfile), once the curve of this one has
// been kept.
bool ProfileChanged(const LedgerColumns& columns, size_t doc, double at_ms, const uint32_t* sketch);

// Estimates from two sketches which share of the shingles of two versions only one of them has: 0 to 1.
double SketchDifference(const uint32_t* a, const uint32_t* b);

}  // namespace freshdex::ledger

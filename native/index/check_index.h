// Walks a whole snapshot and verifies every invariant of the index, ending with the strongest: all postings, rebuilt
// from the forward records, equal the posting lists as searches read them. Faults cite the invariant by its name in the
// header that states it.
//
// Invariants
//   C1  every block of every segment that the snapshot maps has its checksum, and no reader has met damage
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "native/index/snapshot.h"

namespace freshdex::index {

struct Fault {
  std::string invariant;
  std::string message;
};

struct CheckReport {
  uint64_t documents = 0;
  uint64_t terms = 0;
  uint64_t postings = 0;
  std::vector<Fault> faults;  // the first kMaxFaults
};

inline constexpr size_t kMaxFaults = 100;

// Each level does what those below it do.
enum class CheckLevel {
  kChecksums = 1,  // C1: reads what has not been read yet
  kStructure = 2,  // each structure by itself, and deltas against what they change
  kCross = 3,      // all postings against the forward records
};

// kCross takes memory for one copy of all postings, and time in proportion to the tokens of the index. Damage becomes a
// fault, whatever it hits; behind it, only what can still be walked is checked. Any thread.
CheckReport CheckIndex(const Snapshot& snapshot, CheckLevel level);

}  // namespace freshdex::index

// Walks a whole snapshot and verifies every invariant of the index, ending with the strongest: all postings, rebuilt from the forward records,
// equal the posting lists as searches read them. Faults cite the invariant by its name in the header that states it.
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

// Takes memory for one copy of all postings, and time in proportion to the tokens of the index. Any thread.
CheckReport CheckIndex(const Snapshot& snapshot);

}  // namespace freshdex::index

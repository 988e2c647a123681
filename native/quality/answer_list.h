// The pages that match a query of the workload, scored under the statistics of an epoch.
#pragma once

#include <vector>

#include "native/index/snapshot.h"
#include "native/quality/epoch.h"

namespace freshdex::quality {

struct Answer {
  index::DocId doc;
  float score;  // above 0
};

// The matching pages, documents ascending. `snapshot` may be newer than the epoch.
void FindAnswers(const index::Snapshot& snapshot, const Epoch& epoch, QueryNumber query, std::vector<Answer>* answers);

}  // namespace freshdex::quality

// What has to be added to the stakes of documents, collected amount by amount. A fit of few curves touches few
// documents and costs no more than these; one of many falls back on a number for each document.
#pragma once

#include <cstddef>
#include <vector>

#include "native/index/ids.h"

namespace freshdex::quality {

struct StakeMove {
  index::DocId doc;
  double amount;  // not 0
};

class StakeMoves {
 public:
  // For documents below `doc_limit`.
  explicit StakeMoves(size_t doc_limit);

  // Amounts of a document are added up in the order in which they come, beginning with 0.
  void Add(index::DocId doc, double amount) {
    listed_.push_back({doc, amount});
    if (listed_.size() >= most_listed_) Sum();
  }

  // By document, ascending, each once. Empties it.
  std::vector<StakeMove> Take();

 private:
  void Sum();

  const size_t doc_limit_;
  const size_t most_listed_;
  std::vector<StakeMove> listed_;
  std::vector<double> sums_;  // by document; empty until there are many amounts
};

}  // namespace freshdex::quality

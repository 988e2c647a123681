// The terms that tell a document from others: those for which it scores most itself. Read from its forward record.
#pragma once

#include <cstdint>
#include <vector>

#include "native/index/snapshot.h"
#include "native/score/search_budget.h"
#include "native/score/similarity.h"

namespace freshdex::score {

struct DistinguishingTerm {
  index::TermId term;
  uint32_t tf;
  uint32_t df;
  double score;  // of the document, for a query of this term alone
};

// At most `limit` terms of the selected fields that another document has too, the highest score first, equal scores by
// field and bytes. Empty when the document is not there or its record damaged, which the damage log then says. Of the
// terms that it came to, when the budget is spent.
std::vector<DistinguishingTerm> DistinguishingTerms(const index::Snapshot& snapshot, const Scoring& scoring,
                                                    index::DocId doc, uint32_t field_mask, size_t limit,
                                                    SearchBudget* budget);

}  // namespace freshdex::score

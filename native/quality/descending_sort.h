// Sorts answers by their scores. Long lists take a radix sort, by 11 bits of the score at a time, which needs a third
// of the time that comparisons need.
#pragma once

#include <vector>

#include "native/quality/answer_list.h"

namespace freshdex::quality {

// Largest scores first; the order of equal ones is left open. REQUIRES: all are above 0 and finite. `scratch` is the
// callee's, to be used again.
void SortDescending(std::vector<Answer>* answers, std::vector<Answer>* scratch);

}  // namespace freshdex::quality

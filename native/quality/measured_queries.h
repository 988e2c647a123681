// Which queries of a workload are measured when not all of them can be: those that promise the most per shift.
//
// A query has as many shifts as pages of its list change, so that its cost is about the length of its list. What these
// shifts gain all together is about its weight, however long the list is: a page that moves deep in a long list moves
// what nobody looks at. So queries are taken in the order of weight / length, as far as a share of the cost goes.
#pragma once

#include <cstdint>
#include <vector>

#include "native/quality/curve_set.h"
#include "native/quality/workload.h"

namespace freshdex::quality {

// By query, 1 where it is left out; empty when none is. `share`, from 0 to 1, is that of the cost. The first query in
// the order is always measured. Of equal ones, the smaller number comes first.
std::vector<uint8_t> LeftOut(const Workload& workload, const CurveSet& curves, double share);

// The share of the cost that is on the queries that are not left out; 1 without queries.
double MeasuredShare(const CurveSet& curves, const std::vector<uint8_t>& is_left_out);

}  // namespace freshdex::quality

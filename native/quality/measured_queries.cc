#include "native/quality/measured_queries.h"

#include <algorithm>
#include <numeric>

namespace freshdex::quality {
namespace {

// A query without answers is looked at, too.
double CostOf(const CurveSet& curves, QueryNumber query) { return 1.0 + curves[query].n; }

}  // namespace

std::vector<uint8_t> LeftOut(const Workload& workload, const CurveSet& curves, double share) {
  if (share >= 1 || curves.size() == 0) return {};
  std::vector<double> promises(curves.size());
  std::vector<QueryNumber> order(curves.size());
  std::iota(order.begin(), order.end(), 0u);
  double total = 0;
  for (QueryNumber query : order) {
    promises[query] = workload.weight(query) / CostOf(curves, query);
    total += CostOf(curves, query);
  }
  std::stable_sort(order.begin(), order.end(), [&](QueryNumber a, QueryNumber b) { return promises[a] > promises[b]; });
  std::vector<uint8_t> is_left_out(curves.size(), 1);
  double cost = 0;
  for (QueryNumber query : order) {
    cost += CostOf(curves, query);
    if (cost > share * total && query != order.front()) break;
    is_left_out[query] = 0;
  }
  return is_left_out;
}

double MeasuredShare(const CurveSet& curves, const std::vector<uint8_t>& is_left_out) {
  double total = 0, measured = 0;
  for (QueryNumber query = 0; query < curves.size(); ++query) {
    total += CostOf(curves, query);
    if (is_left_out.empty() || is_left_out[query] == 0) measured += CostOf(curves, query);
  }
  return total > 0 ? measured / total : 1;
}

}  // namespace freshdex::quality

#include "native/score/hit_score.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "native/score/search.h"

namespace freshdex::score {

double BoostFactor(const index::Snapshot& snapshot, const BoostFunction& boost, index::DocId doc) {
  const std::span<const double> values = snapshot.columns[boost.column].Numbers(doc);
  if (boost.kind == BoostFunction::Kind::kLog) {
    if (values.empty()) return 1;
    return Capped(1 + boost.factor * std::log1p(std::max(0.0, values.back())));
  }
  double distance = std::numeric_limits<double>::infinity();
  for (const double value : values) distance = std::min(distance, std::abs(value - boost.origin));
  if (values.empty()) return boost.floor;
  return boost.floor + (1 - boost.floor) * std::exp2(-distance / boost.half_life);
}

double ScoreOfHit(const index::Snapshot& snapshot, const Scoring& scoring, const std::vector<BoostFunction>& boosts,
                  double text, index::DocId doc) {
  double boosted = Capped(text);
  for (const BoostFunction& boost : boosts) boosted = Capped(boosted * BoostFactor(snapshot, boost, doc));
  return Combine(snapshot, scoring, boosted, doc);
}

}  // namespace freshdex::score

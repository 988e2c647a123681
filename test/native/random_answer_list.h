// Answer lists as awkward as they come: ties, flat stretches, cliffs, the smallest and the largest floats.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "test/native/random.h"

namespace freshdex::test {

inline float RandomScore(Random* random, double spread) {
  const double natural = std::exp(spread * (random->Unit() - 0.5));
  return static_cast<float>(std::max<double>(natural, std::numeric_limits<float>::denorm_min()));
}

// `n` scores, descending, all > 0 and finite.
inline std::vector<float> RandomAnswerList(Random* random, size_t n, double chance_of_natural = 0.3) {
  std::vector<float> scores(n);
  if (random->Chance(chance_of_natural)) {
    const double slope = 0.1 + 1.5 * random->Unit();
    for (size_t i = 0; i < n; ++i)
      scores[i] = static_cast<float>(std::pow(static_cast<double>(i + 1), -slope) * (1 + 0.3 * random->Unit()));
  } else {
    // Few different scores make many ties; the widest spread reaches from 1e-38 to 1e38.
    const size_t different = random->Chance(0.5) ? random->Between(1, 4) : n;
    const double spread = random->Pick(std::vector<double>{1e-6, 1, 10, 138, 175});
    std::vector<float> choices(different);
    for (float& choice : choices) choice = RandomScore(random, spread);
    if (random->Chance(0.2))
      choices[0] = std::numeric_limits<float>::denorm_min() * static_cast<float>(random->Between(1, 3));
    if (random->Chance(0.1)) choices.back() = std::numeric_limits<float>::max();
    for (float& score : scores) score = random->Pick(choices);
  }
  std::sort(scores.begin(), scores.end(), std::greater<>());
  return scores;
}

}  // namespace freshdex::test

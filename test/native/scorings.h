// Scorings for tests.
#pragma once

#include <utility>
#include <vector>

#include "native/score/similarity.h"

namespace freshdex::test {

inline score::Scoring ScoringOf(score::Model model, std::vector<double> boosts, double beta = 0) {
  score::Scoring scoring;
  scoring.model = model;
  scoring.field_boosts = std::move(boosts);
  scoring.beta = beta;
  return scoring;
}

}  // namespace freshdex::test

// What searches of one index, one after another on one thread, keep for the next.
#pragma once

#include "native/score/filter_cache.h"
#include "native/score/similarity.h"
#include "native/score/word_order.h"

namespace freshdex::score {

struct SearchCache {
  ScorerCache scorers;
  FilterCache filters;
  WordOrders word_orders;
};

}  // namespace freshdex::score

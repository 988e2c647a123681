// How far an answer list has moved on since its curve was fitted.
#pragma once

#include <cstdint>

namespace freshdex::quality {

struct ListChange {
  // View likelihood that has changed hands: of each page that came, went or moved, half of that of its rank before and
  // half of that of its rank after, in part where only a part of its score moved. Pages that nobody looks at do not
  // count, however many they are.
  float churn = 0;
  // Pages that came, less those that went.
  int32_t grown = 0;

  // The list is not looked at any more (measured_queries.h): how far it moves on is not known.
  static constexpr float kUnknownChurn = 1e30f;
  bool is_known() const { return churn < kUnknownChurn; }

  bool operator==(const ListChange&) const = default;
};

}  // namespace freshdex::quality

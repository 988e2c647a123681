#include "native/quality/descending_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace freshdex::quality {
namespace {

constexpr size_t kRadixFrom = 400;  // measured: below, comparing is faster
constexpr uint32_t kDigits = 1u << 11;

}  // namespace

void SortDescending(std::vector<Answer>* answers, std::vector<Answer>* scratch) {
  if (answers->size() < kRadixFrom) {
    std::sort(answers->begin(), answers->end(), [](const Answer& a, const Answer& b) { return a.score > b.score; });
    return;
  }
  // The bits of positive floats are in their order.
  const auto digit = [](const Answer& answer, uint32_t pass) {
    return ~(std::bit_cast<uint32_t>(answer.score) >> (11 * pass)) & (kDigits - 1);
  };
  std::array<std::array<uint32_t, kDigits>, 3> begins{};
  for (const Answer& answer : *answers) {
    for (uint32_t pass = 0; pass < 3; ++pass) ++begins[pass][digit(answer, pass)];
  }
  scratch->resize(answers->size());
  for (uint32_t pass = 0; pass < 3; ++pass) {
    // Where all have the same digit the pass would change nothing.
    if (begins[pass][digit(answers->front(), pass)] == answers->size()) continue;
    uint32_t sum = 0;
    for (uint32_t& begin : begins[pass]) begin = std::exchange(sum, sum + begin);
    for (const Answer& answer : *answers) (*scratch)[begins[pass][digit(answer, pass)]++] = answer;
    answers->swap(*scratch);
  }
}

}  // namespace freshdex::quality

#include "native/quality/descending_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace freshdex::quality {
namespace {

// Measured: below the first, comparing is fastest; from the second on, fewer passes with longer tables are.
constexpr size_t kShortDigitsFrom = 64;
constexpr size_t kLongDigitsFrom = 400;

// The bits of positive floats are in their order. Ties keep theirs.
template <uint32_t kBits>
void SortByDigits(std::vector<Answer>* answers, std::vector<Answer>* scratch) {
  constexpr uint32_t kDigits = 1u << kBits, kPasses = (32 + kBits - 1) / kBits;
  const auto digit = [](const Answer& answer, uint32_t pass) {
    return ~(std::bit_cast<uint32_t>(answer.score) >> (kBits * pass)) & (kDigits - 1);
  };
  std::array<std::array<uint32_t, kDigits>, kPasses> begins{};
  for (const Answer& answer : *answers) {
    for (uint32_t pass = 0; pass < kPasses; ++pass) ++begins[pass][digit(answer, pass)];
  }
  scratch->resize(answers->size());
  for (uint32_t pass = 0; pass < kPasses; ++pass) {
    // Where all have the same digit the pass would change nothing.
    if (begins[pass][digit(answers->front(), pass)] == answers->size()) continue;
    uint32_t sum = 0;
    for (uint32_t& begin : begins[pass]) begin = std::exchange(sum, sum + begin);
    for (const Answer& answer : *answers) (*scratch)[begins[pass][digit(answer, pass)]++] = answer;
    answers->swap(*scratch);
  }
}

}  // namespace

void SortDescending(std::vector<Answer>* answers, std::vector<Answer>* scratch) {
  if (answers->size() >= kLongDigitsFrom) return SortByDigits<11>(answers, scratch);
  if (answers->size() >= kShortDigitsFrom) return SortByDigits<8>(answers, scratch);
  std::sort(answers->begin(), answers->end(), [](const Answer& a, const Answer& b) { return a.score > b.score; });
}

}  // namespace freshdex::quality

// The edit distance by its definition, the whole table: insert, delete, replace, and swap neighbours (optimal string
// alignment).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace freshdex::test {

// Element j: the distance between `other` and the first j code points of `word`.
inline std::vector<int> DistancesToPrefixes(const std::vector<char32_t>& word, const std::vector<char32_t>& other) {
  std::vector<int> row(word.size() + 1);
  for (size_t j = 0; j <= word.size(); ++j) row[j] = static_cast<int>(j);
  std::vector<int> before;
  for (size_t i = 1; i <= other.size(); ++i) {
    std::vector<int> next(word.size() + 1);
    next[0] = static_cast<int>(i);
    for (size_t j = 1; j <= word.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (word[j - 1] == other[i - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && word[j - 1] == other[i - 2] && word[j - 2] == other[i - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = row;
    row = next;
  }
  return row;
}

inline int EditDistance(const std::vector<char32_t>& a, const std::vector<char32_t>& b) {
  return DistancesToPrefixes(a, b).back();
}

// Whether a fuzzy match may begin so: with the word's first code point, or with its first two swapped.
inline bool BeginsLike(const std::vector<char32_t>& word, const std::vector<char32_t>& other) {
  if (other.front() == word.front()) return true;
  return word.size() > 1 && other.size() > 1 && other[0] == word[1] && other[1] == word[0];
}

}  // namespace freshdex::test

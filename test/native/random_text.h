// Texts for the tests of chunking, comparing and indexing: words from a vocabulary, lines, pages, and edits of pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test/native/random.h"

namespace freshdex::test {

using Lines = std::vector<std::string>;

inline std::string RandomWord(Random* random, std::string_view alphabet, size_t longest) {
  std::string word;
  for (size_t left = random->Between(1, longest); left > 0; --left) {
    word += alphabet[static_cast<size_t>(random->Below(alphabet.size()))];
  }
  return word;
}

inline std::vector<std::string> RandomVocabulary(Random* random, size_t size, std::string_view alphabet = "abcdefgh") {
  std::vector<std::string> words;
  for (size_t i = 0; i < size; ++i) words.push_back(RandomWord(random, alphabet, 7));
  return words;
}

// Small indices are frequent: the square of a uniform number.
inline const std::string& FrequentWord(Random* random, const std::vector<std::string>& vocabulary) {
  const double u = random->Unit();
  return vocabulary[static_cast<size_t>(u * u * static_cast<double>(vocabulary.size()))];
}

inline std::string RandomLine(Random* random, const std::vector<std::string>& vocabulary, size_t longest) {
  std::string line;
  for (size_t words = random->Below(longest + 1); words > 0; --words) {
    if (!line.empty()) line += ' ';
    line += FrequentWord(random, vocabulary);
  }
  return line;
}

inline Lines RandomLines(Random* random, const std::vector<std::string>& vocabulary, size_t count, size_t longest) {
  Lines lines;
  for (size_t i = 0; i < count; ++i) lines.push_back(RandomLine(random, vocabulary, longest));
  return lines;
}

inline std::string JoinLines(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) (text += line) += '\n';
  return text;
}

// One insertion, removal, move, doubling or replacement of a line.
inline void EditLines(Random* random, const std::vector<std::string>& vocabulary, size_t longest, Lines* lines) {
  const auto place = [&] { return lines->begin() + static_cast<std::ptrdiff_t>(random->Below(lines->size())); };
  const uint64_t kind = lines->empty() ? 0 : random->Below(5);
  if (kind == 0) {
    lines->insert(lines->empty() ? lines->end() : place(), RandomLine(random, vocabulary, longest));
  } else if (kind == 1) {
    lines->erase(place());
  } else if (kind == 2) {
    const auto from = place();
    std::string moved = std::move(*from);
    lines->erase(from);
    lines->insert(lines->empty() ? lines->end() : place(), std::move(moved));
  } else if (kind == 3) {
    std::string copy = *place();
    lines->insert(place(), std::move(copy));
  } else {
    *place() = RandomLine(random, vocabulary, longest);
  }
}

}  // namespace freshdex::test

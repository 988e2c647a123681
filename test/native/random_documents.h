// Random documents for whole lives of an index, and their next versions.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "test/native/index_model.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::test {

inline constexpr size_t kRandomFields = 2;

// Of every kind, and one more that many documents have no value of.
inline const index::ColumnKinds kRandomColumns = {index::ColumnKind::kKeyword, index::ColumnKind::kNumber,
                                                  index::ColumnKind::kDate, index::ColumnKind::kBoolean,
                                                  index::ColumnKind::kKeyword};

inline ModelValues RandomValues(Random* random) {
  ModelValues values(kRandomColumns.size());
  for (size_t c = 0; c < values.size(); ++c) {
    if (random->Chance(c == 4 ? 0.8 : 0.2)) continue;
    for (size_t left = random->Chance(0.7) ? 1 : random->Below(6); left > 0; --left) {
      switch (kRandomColumns[c]) {
        case index::ColumnKind::kKeyword:
          values[c].words.insert(random->Chance(0.05) ? std::string(random->Below(6000), 'k')
                                                      : RandomWord(random, "abc", c == 4 ? 6 : 2));
          break;
        case index::ColumnKind::kNumber:
          values[c].numbers.insert(random->Chance(0.1) ? -1e300 * random->Unit()
                                                       : 0.5 * static_cast<double>(random->Below(9)));
          break;
        case index::ColumnKind::kDate:
          values[c].numbers.insert(std::floor(8.64e15 * (random->Unit() - 0.5)));
          break;
        case index::ColumnKind::kBoolean:
          values[c].numbers.insert(static_cast<double>(random->Below(2)));
          break;
      }
    }
  }
  return values;
}

inline ModelDocument RandomDocument(Random* random, const std::vector<std::string>& vocabulary,
                                    size_t fields = kRandomFields) {
  ModelDocument document;
  for (size_t f = 0; f < fields; ++f) {
    document.texts.push_back(
        JoinLines(RandomLines(random, vocabulary, random->Below(f == 0 && fields > 1 ? 3 : 12), 10)));
  }
  document.weight = static_cast<double>(random->Below(3));
  document.stored = RandomWord(random, "xyz", 5);
  document.values = RandomValues(random);
  return document;
}

// A next version: often a small edit, now and then only another weight, other values or another stored document, or
// nothing at all.
inline ModelDocument NextVersion(Random* random, const std::vector<std::string>& vocabulary, ModelDocument document) {
  const uint64_t kind = random->Below(10);
  if (kind == 0) return RandomDocument(random, vocabulary, document.texts.size());
  if (kind == 1) document.weight += 1;
  if (kind == 2) document.stored += '!';
  if (kind == 3 || random->Chance(0.1)) document.values = RandomValues(random);
  if (kind <= 4) return document;
  std::string& text = document.texts[random->Below(document.texts.size())];
  const size_t line = text.find('\n', random->Below(text.size() + 1));
  const size_t place = line == std::string::npos ? 0 : line + 1;
  if (random->Chance(0.5)) {
    text.insert(place, RandomLine(random, vocabulary, 10) + "\n");
  } else {
    text.erase(place, text.find('\n', place) - place + 1);
  }
  return document;
}

}  // namespace freshdex::test

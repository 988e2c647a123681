#include "native/index/word_cache.h"

#include <map>
#include <string>
#include <tuple>

#include "native/index/ids.h"
#include "native/index/term_dict.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::index {
namespace {

using test::Random;
using test::RandomWord;

TEST(WordCache, SaysWhatItWasToldOrNothing) {
  Random random(20261120);
  const TermDict dict(20261120);
  WordCache cache;
  std::map<std::tuple<FieldId, bool, std::string>, TermId> told;
  size_t found = 0, hidden = 0;
  for (size_t step = 0; step < 200000; ++step) {
    const auto field = static_cast<FieldId>(random.Below(3));
    const bool is_stemmed = random.Chance(0.5);
    // Short alphabets make words that come again, and some that are too long to be kept.
    const std::string word = RandomWord(&random, "abcdef", random.Chance(0.1) ? 40 : 5);
    const auto known = told.find({field, is_stemmed, word});
    const TermId term = cache.Find(field, is_stemmed, word, dict.Hash(field, word));
    if (term != kNoTerm) {
      EXPECT(known != told.end() && known->second == term);
      EXPECT(word.size() <= WordCache::kMaxBytes);
      ++found;
      continue;
    }
    hidden += known != told.end();
    const TermId given = known != told.end() ? known->second : static_cast<TermId>(told.size());
    told.emplace(std::make_tuple(field, is_stemmed, word), given);
    cache.Put(field, is_stemmed, word, dict.Hash(field, word), given);
    const bool is_kept = word.size() <= WordCache::kMaxBytes;
    EXPECT_EQ(cache.Find(field, is_stemmed, word, dict.Hash(field, word)), is_kept ? given : kNoTerm);
  }
  EXPECT(found > 50000);
  EXPECT(hidden > 0);  // what was driven out is told anew
  cache.Clear();
  EXPECT_EQ(cache.MemoryBytes(), 0);
  for (const auto& [key, term] : told) {
    const auto& [field, is_stemmed, word] = key;
    EXPECT_EQ(cache.Find(field, is_stemmed, word, dict.Hash(field, word)), kNoTerm);
  }
}

TEST(WordCache, KeepsAWordThatIsMetOften) {
  const TermDict dict(7);
  WordCache cache;
  cache.Put(0, true, "often", dict.Hash(0, "often"), 5);
  size_t missed = 0;
  for (uint32_t other = 0; other < 200000; ++other) {
    const std::string word = "w" + std::to_string(other);
    cache.Put(0, true, word, dict.Hash(0, word), other);
    if (other % 100 == 0) missed += cache.Find(0, true, "often", dict.Hash(0, "often")) != 5;
  }
  EXPECT_EQ(missed, 0);
}

}  // namespace
}  // namespace freshdex::index

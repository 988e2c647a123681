#include "native/score/phrase_scan.h"

#include <map>
#include <string>
#include <vector>

#include "native/index/code_search.h"
#include "native/index/term_codes.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::score {
namespace {

using index::CodePattern;
using index::TermId;
using test::ExactBlock;
using test::Random;

// A field of few kinds of terms, so that most pieces of it come again, as codes of all lengths, with holes.
struct Field {
  std::vector<TermId> vocabulary;
  std::map<uint64_t, TermId> at;  // by position
  std::string codes;
};

Field RandomField(Random* random) {
  Field field;
  const uint64_t limits[] = {3, 190, 400, 20000, 1000000, index::kMaxTerms};
  for (size_t i = random->Between(1, 5); i > 0; --i)
    field.vocabulary.push_back(static_cast<TermId>(random->Below(limits[random->Below(6)])));
  uint64_t position = 0;
  const double hole_share = random->Chance(0.5) ? 0.2 : 0;
  for (size_t i = random->Below(random->Chance(0.3) ? 300 : 40); i > 0; --i) {
    if (random->Chance(hole_share)) {
      const uint64_t holes = random->Between(1, 6);
      index::AppendHoles(&field.codes, holes);
      position += holes;
    }
    const TermId term = field.vocabulary[random->Below(field.vocabulary.size())];
    index::AppendTerm(&field.codes, term);
    field.at[position++] = term;
  }
  if (random->Chance(hole_share)) index::AppendHoles(&field.codes, 2);
  return field;
}

uint32_t NaiveCount(const Field& field, const std::vector<TermId>& terms, const std::vector<uint32_t>& offsets) {
  uint32_t count = 0;
  for (const auto& [start, term] : field.at) {
    bool is_there = true;
    for (size_t i = 0; i < terms.size(); ++i) {
      const auto found = field.at.find(start + offsets[i]);
      is_there = is_there && found != field.at.end() && found->second == terms[i];
    }
    count += is_there;
  }
  return count;
}

TEST(PhraseScan, CountsAsPositionsDo) {
  Random random;
  size_t found = 0, with_holes = 0;
  for (size_t round = 0; round < test::Rounds(5000); ++round) {
    const Field field = RandomField(&random);
    const ExactBlock codes(field.codes);
    std::vector<TermId> terms;
    std::vector<uint32_t> offsets;
    for (size_t i = random.Between(1, 5); i > 0; --i) {
      offsets.push_back(
          offsets.empty() ? 0 : offsets.back() + 1 + static_cast<uint32_t>(random.Chance(0.3) ? random.Below(6) : 0));
      terms.push_back(random.Chance(0.95) ? field.vocabulary[random.Below(field.vocabulary.size())] : 77);
    }
    const PhraseScan scan(terms, offsets);
    const uint32_t expected = NaiveCount(field, terms, offsets);
    EXPECT_EQ(scan.Count(codes.view()), expected);
    found += expected > 0;
    with_holes += expected > 0 && !scan.is_one_stretch();
  }
  EXPECT(found > 0 && with_holes > 0);
}

TEST(PhraseScan, SearchesAlikeByAnyInstructions) {
  Random random;
  for (size_t round = 0; round < test::Rounds(5000); ++round) {
    const Field field = RandomField(&random);
    const ExactBlock codes(field.codes);
    std::string wanted;
    for (size_t i = random.Between(1, 4); i > 0; --i)
      index::AppendTerm(&wanted, field.vocabulary[random.Below(field.vocabulary.size())]);
    const CodePattern pattern(wanted);
    uint32_t expected = 0;
    size_t first = CodePattern::kNowhere;
    for (size_t at = 0; at + wanted.size() <= field.codes.size(); ++at) {
      const bool begins = at == 0 || static_cast<uint8_t>(field.codes[at - 1]) >= 64;
      if (!begins || field.codes.compare(at, wanted.size(), wanted) != 0) continue;
      if (expected++ == 0) first = at;
    }
    for (int level = 0; level <= static_cast<int>(SupportedSimd()); ++level) {
      EXPECT_EQ(pattern.Count(codes.view(), static_cast<Simd>(level)), expected);
      EXPECT_EQ(pattern.Find(codes.view(), 0, static_cast<Simd>(level)), first);
    }
  }
}

// A frequency is at most kMaxTf, however often the phrase is there.
TEST(PhraseScan, CountsUpToTheLargestFrequency) {
  std::string codes;
  for (size_t i = 0; i < 70000; ++i) index::AppendTerm(&codes, 1);
  EXPECT_EQ(PhraseScan(std::vector<TermId>{1, 1}, std::vector<uint32_t>{0, 1}).Count(codes), index::kMaxTf);
  EXPECT_EQ(PhraseScan(std::vector<TermId>{1, 1}, std::vector<uint32_t>{0, 2}).Count(codes), index::kMaxTf);
}

}  // namespace
}  // namespace freshdex::score

#include "native/index/term_dict.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "native/index/segmented_vector.h"
#include "native/index/sorted_terms.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::index {
namespace {

using test::Random;
using test::RandomWord;
using Term = std::pair<FieldId, std::string>;

TermId Add(TermDict* dict, const Term& term) {
  return dict->Add(term.first, term.second, dict->Hash(term.first, term.second));
}

Term RandomTerm(Random* random, std::string_view alphabet, size_t longest) {
  return {static_cast<FieldId>(random->Below(3)), RandomWord(random, alphabet, longest)};
}

TEST(SegmentedVector, KeepsAddressesAndValues) {
  SegmentedVector<uint32_t> vector;
  std::vector<const uint32_t*> addresses;
  EXPECT_EQ(vector.MemoryBytes(), 0);
  constexpr uint32_t kCount = 70000;
  for (uint32_t i = 0; i < kCount; ++i) {
    vector.Append(i * 3);
    addresses.push_back(&vector[i]);
  }
  EXPECT_EQ(vector.size(), kCount);
  size_t moved = 0, wrong = 0;
  for (uint32_t i = 0; i < kCount; ++i) {
    moved += addresses[i] != &vector[i];
    wrong += vector[i] != i * 3;
  }
  EXPECT_EQ(moved, 0);
  EXPECT_EQ(wrong, 0);
  EXPECT(vector.MemoryBytes() >= kCount * sizeof(uint32_t));
}

TEST(SegmentedVector, FillsTheFirstAndLastElementOfEachSegment) {
  SegmentedVector<uint64_t> vector;
  size_t edge = 0;
  for (size_t segment = 256; segment <= 4096; segment *= 2) {
    while (vector.size() < edge + segment) vector.Append(vector.size());
    EXPECT_EQ(vector[edge], edge);
    EXPECT_EQ(vector[edge + segment - 1], edge + segment - 1);
    edge += segment;
  }
}

TEST(TermDict, AgreesWithAMap) {
  Random random;
  TermDict dict(random.Next());
  std::map<Term, TermId> model;
  std::vector<const char*> addresses;
  for (size_t i = 0; i < test::Rounds(20000); ++i) {
    const Term term = RandomTerm(&random, "abc", 8);
    const auto known = model.find(term);
    EXPECT_EQ(dict.Find(term.first, term.second), known == model.end() ? kNoTerm : known->second);
    if (known != model.end()) continue;
    EXPECT_EQ(Add(&dict, term), model.size());
    model.emplace(term, static_cast<TermId>(model.size()));
    addresses.push_back(dict.Text(static_cast<TermId>(model.size() - 1)).data());
  }
  EXPECT_EQ(dict.size(), model.size());
  for (const auto& [term, number] : model) {
    EXPECT_EQ(dict.Find(term.first, term.second), number);
    EXPECT_EQ(dict.FindAsWriter(term.first, term.second, dict.Hash(term.first, term.second)), number);
    EXPECT_EQ(dict.FieldOf(number), term.first);
    EXPECT_EQ(dict.Text(number), term.second);
    EXPECT(dict.Text(number).data() == addresses[number]);
  }
}

TEST(TermDict, TellsFieldsApart) {
  TermDict dict(1);
  EXPECT_EQ(dict.Find(0, "word"), kNoTerm);
  for (uint32_t field = 0; field < kMaxFields; ++field) {
    EXPECT_EQ(Add(&dict, {static_cast<FieldId>(field), "word"}), field);
  }
  for (uint32_t field = 0; field < kMaxFields; ++field)
    EXPECT_EQ(dict.Find(static_cast<FieldId>(field), "word"), field);
}

TEST(TermDict, HoldsTermsOf0To255Bytes) {
  TermDict dict(2);
  for (size_t length = 0; length <= 255; ++length) Add(&dict, {5, std::string(length, '\xC3')});
  for (size_t length = 0; length <= 255; ++length) {
    EXPECT_EQ(dict.Find(5, std::string(length, '\xC3')), length);
    EXPECT_EQ(dict.Text(static_cast<TermId>(length)).size(), length);
  }
  EXPECT_EQ(dict.Find(5, std::string(256, '\xC3')), kNoTerm);
}

std::vector<Term> TermsOf(const TermDict& dict, const SortedTier& tier) {
  std::vector<Term> terms;
  for (const TermId term : tier) terms.emplace_back(dict.FieldOf(term), dict.Text(term));
  return terms;
}

TEST(SortedTerms, AgreeWithASet) {
  Random random;
  for (size_t round = 0; round < test::Rounds(20); ++round) {
    TermDict dict(round);
    SortedTerms sorted;
    std::set<Term> model;
    for (size_t batch = 0; batch < 40; ++batch) {
      std::vector<TermId> fresh;
      for (size_t i = random.Below(30); i > 0; --i) {
        const Term term = RandomTerm(&random, "ab\xC3\x7F", 6);
        if (model.insert(term).second) fresh.push_back(Add(&dict, term));
      }
      sorted.Add(dict, std::move(fresh));
      EXPECT_EQ(sorted.size(), model.size());
    }
    std::set<Term> seen;
    for (const auto& tier : sorted.tiers()) {
      const std::vector<Term> terms = TermsOf(dict, *tier);
      EXPECT(std::is_sorted(terms.begin(), terms.end()));
      seen.insert(terms.begin(), terms.end());
    }
    EXPECT(seen == model);
  }
}

TEST(SortedTerms, FindTheFirstTermNotSmaller) {
  Random random;
  TermDict dict(9);
  SortedTerms sorted;
  std::set<Term> model;
  std::vector<TermId> all;
  while (model.size() < 300) {
    const Term term = RandomTerm(&random, "abcd", 5);
    if (model.insert(term).second) all.push_back(Add(&dict, term));
  }
  sorted.Add(dict, all);
  EXPECT_EQ(sorted.tiers().size(), 1);
  const SortedTier& tier = *sorted.tiers().front();
  for (size_t i = 0; i < test::Rounds(2000); ++i) {
    const Term wanted = RandomTerm(&random, "abcde", 6);
    const auto expected = static_cast<size_t>(std::distance(model.begin(), model.lower_bound(wanted)));
    EXPECT_EQ(SortedTerms::LowerBound(dict, tier, wanted.first, wanted.second), expected);
    const size_t from = random.Below(expected + 1);
    EXPECT_EQ(SortedTerms::LowerBound(dict, tier, wanted.first, wanted.second, from), expected);
  }
  EXPECT_EQ(SortedTerms::LowerBound(dict, tier, 0, ""), 0);
  EXPECT_EQ(SortedTerms::LowerBound(dict, tier, 31, ""), tier.size());
}

TEST(SortedTerms, KeepFewTiersAndLeaveOldCopiesAlone) {
  TermDict dict(3);
  SortedTerms sorted;
  std::vector<std::pair<SortedTerms, size_t>> copies;
  for (size_t i = 0; i < 3000; ++i) {
    sorted.Add(dict, {Add(&dict, {0, std::to_string(i)})});
    if (i % 100 == 0) copies.emplace_back(sorted, i + 1);
    // Sizes grow by a factor of more than three from tier to tier: 3^8 > 3,000.
    EXPECT(sorted.tiers().size() <= 8);
  }
  sorted.Add(dict, {});
  EXPECT_EQ(sorted.size(), 3000);
  for (const auto& [copy, size] : copies) EXPECT_EQ(copy.size(), size);
}

}  // namespace
}  // namespace freshdex::index

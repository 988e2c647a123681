// Every level of vector instructions against the definitions.
#include "native/score/block_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "native/index/base_partition.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::score {
namespace {

using index::DocId;
using test::Random;

std::vector<Simd> Levels() {
  std::vector<Simd> levels;
  for (int level = 0; level <= static_cast<int>(SupportedSimd()); ++level) levels.push_back(static_cast<Simd>(level));
  return levels;
}

// Exactly as many elements as said, so that a sanitizer sees a step beyond them.
template <typename T>
std::unique_ptr<T[]> Exactly(const std::vector<T>& values) {
  auto copy = std::make_unique<T[]>(values.size());
  std::copy(values.begin(), values.end(), copy.get());
  return copy;
}

std::vector<DocId> Ascending(Random* random, size_t count, uint64_t space) {
  std::set<DocId> docs;
  while (docs.size() < count) docs.insert(static_cast<DocId>(random->Below(space)));
  return {docs.begin(), docs.end()};
}

struct Parts {
  explicit Parts(Random* random) {
    for (float& part : values) part = static_cast<float>(random->Unit() * 4 + 0.01);
  }
  float values[256];
};

float Defined(Model model, float part, float weight, float tf) {
  return model == Model::kBm25 ? weight * (tf / (tf + part)) : weight * std::sqrt(tf) * part;
}

TEST(BlockKernels, ScoreAndBound) {
  Random random;
  const Parts parts(&random);
  for (size_t round = 0; round < test::Rounds(40); ++round) {
    const size_t count = random.Below(200);
    const Model model = random.Chance(0.5) ? Model::kBm25 : Model::kTfIdf;
    const float weight = static_cast<float>(random.Unit() * 9);
    std::vector<uint32_t> tfs(count);
    std::vector<uint8_t> norms(count), impacts(count * index::kImpactBytes);
    for (uint32_t& tf : tfs) tf = static_cast<uint32_t>(random.Below(random.Chance(0.9) ? 9 : index::kMaxTf + 1));
    for (uint8_t& norm : norms) norm = static_cast<uint8_t>(random.Below(256));
    for (uint8_t& byte : impacts) byte = random.Chance(0.1) ? 255 : static_cast<uint8_t>(random.Below(255) + 1);
    const auto own_tfs = Exactly(tfs);
    const auto own_norms = Exactly(norms), own_impacts = Exactly(impacts);
    for (const Simd simd : Levels()) {
      std::vector<float> scores(count), bounds(count);
      ScorePostings(model, parts.values, weight, own_tfs.get(), own_norms.get(), count, scores.data(), simd);
      BoundBlocks(model, parts.values, weight, own_impacts.get(), count, bounds.data(), simd);
      for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ(scores[i], Defined(model, parts.values[norms[i]], weight, static_cast<float>(tfs[i])));
        float best = 0;
        for (size_t p = i * index::kImpactBytes; p < (i + 1) * index::kImpactBytes; p += 2) {
          const float tf = impacts[p] == 255 ? 65535.0f : impacts[p];
          best = std::max(best, Defined(model, parts.values[impacts[p + 1]], weight, tf));
        }
        EXPECT_EQ(bounds[i], best);
      }
    }
  }
}

TEST(BlockKernels, FilterCountAndSearch) {
  Random random;
  for (size_t round = 0; round < test::Rounds(60); ++round) {
    const size_t count = random.Below(300);
    std::vector<float> scores(count);
    for (float& score : scores) score = random.Chance(0.3) ? 0 : static_cast<float>(random.Below(10));
    const float limit = static_cast<float>(random.Below(11));
    const auto own_scores = Exactly(scores);
    const uint64_t space = random.Chance(0.5) ? count * 2 + 1 : 0xFFFFFFF0;
    const std::vector<DocId> docs = Ascending(&random, count, space);
    std::vector<DocId> wanted = Ascending(&random, random.Below(count + 1), space);
    for (DocId& doc : wanted) {
      if (random.Chance(0.5)) doc = random.Pick(docs);
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const auto own_docs = Exactly(docs), own_wanted = Exactly(wanted);
    for (const Simd simd : Levels()) {
      std::vector<uint16_t> places(count + kPlaceSlack);
      const size_t kept = AtLeast(own_scores.get(), count, limit, places.data(), simd);
      size_t expected = 0;
      for (size_t i = 0; i < count; ++i) {
        if (scores[i] < limit) continue;
        EXPECT(expected < kept && places[expected] == i);
        ++expected;
      }
      EXPECT_EQ(kept, expected);
      const auto is_positive = [](float score) { return score > 0; };
      EXPECT_EQ(CountPositive(own_scores.get(), count, simd),
                static_cast<size_t>(std::count_if(scores.begin(), scores.end(), is_positive)));

      std::vector<uint16_t> wanted_places(wanted.size() + kPlaceSlack);
      const size_t found =
          Intersect(own_wanted.get(), wanted.size(), own_docs.get(), count, wanted_places.data(), places.data(), simd);
      size_t both = 0;
      for (size_t i = 0; i < wanted.size(); ++i) {
        const auto at = std::lower_bound(docs.begin(), docs.end(), wanted[i]);
        const size_t place = static_cast<size_t>(at - docs.begin());
        const size_t from = place == 0 ? 0 : static_cast<size_t>(random.Below(place));
        EXPECT_EQ(SkipTo(own_docs.get(), from, count, wanted[i], simd), place);
        if (at == docs.end() || *at != wanted[i]) continue;
        EXPECT(both < found && wanted_places[both] == i && places[both] == place);
        ++both;
      }
      EXPECT_EQ(found, both);
    }
  }
}

}  // namespace
}  // namespace freshdex::score

// Every level of vector instructions against the definitions.
#include "native/score/block_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "native/index/base_partition.h"
#include "native/score/place_map.h"
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

TEST(BlockKernels, KeepWhatMayBeAHit) {
  Random random;
  const Parts parts(&random);
  for (size_t round = 0; round < test::Rounds(60); ++round) {
    const size_t count = random.Below(200);
    const Model model = random.Chance(0.5) ? Model::kBm25 : Model::kTfIdf;
    const float weight = static_cast<float>(random.Unit() * 9);
    const std::vector<DocId> docs = Ascending(&random, count, 1000);
    std::vector<uint32_t> tfs(count);
    std::vector<uint8_t> norms(count), pairs(index::kImpactBytes);
    std::vector<float> sums(count);
    for (uint32_t& tf : tfs) tf = static_cast<uint32_t>(random.Between(1, 9));
    for (uint8_t& norm : norms) norm = static_cast<uint8_t>(random.Below(256));
    for (uint8_t& byte : pairs) byte = random.Chance(0.1) ? 255 : static_cast<uint8_t>(random.Below(256));
    for (float& sum : sums) sum = static_cast<float>(random.Unit() * 9);
    const uint32_t least_tf = static_cast<uint32_t>(random.Between(1, 10));
    const float limit = static_cast<float>(random.Unit() * 12);
    const auto own_docs = Exactly(docs);
    const auto own_tfs = Exactly(tfs);
    const auto own_norms = Exactly(norms);
    const auto own_sums = Exactly(sums);
    for (const Simd simd : Levels()) {
      const size_t room = count + kKeepSlack;
      std::vector<DocId> kept_docs(room);
      std::vector<uint32_t> kept_tfs(room);
      const size_t frequent =
          KeepFrequent(own_docs.get(), own_tfs.get(), count, least_tf, kept_docs.data(), kept_tfs.data(), simd);
      size_t at = 0;
      for (size_t i = 0; i < count; ++i) {
        if (tfs[i] < least_tf) continue;
        EXPECT(at < frequent && kept_docs[at] == docs[i] && kept_tfs[at] == tfs[i]);
        ++at;
      }
      EXPECT_EQ(at, frequent);

      std::copy(docs.begin(), docs.end(), kept_docs.begin());
      std::copy(tfs.begin(), tfs.end(), kept_tfs.begin());
      std::vector<uint8_t> kept_norms(room);
      std::copy(norms.begin(), norms.end(), kept_norms.begin());
      std::vector<float> scores(room);
      const size_t kept = KeepScores(model, parts.values, weight, limit, count, kept_docs.data(), kept_tfs.data(),
                                     kept_norms.data(), scores.data(), simd);
      at = 0;
      for (size_t i = 0; i < count; ++i) {
        const float score = Defined(model, parts.values[norms[i]], weight, static_cast<float>(tfs[i]));
        if (score < limit) continue;
        EXPECT(at < kept && kept_docs[at] == docs[i] && kept_tfs[at] == tfs[i]);
        EXPECT(kept_norms[at] == norms[i] && scores[at] == score);
        ++at;
      }
      EXPECT_EQ(at, kept);

      std::vector<uint16_t> places(count + kPlaceSlack);
      const size_t bounded = KeepBounded(model, parts.values, weight, pairs.data(), own_norms.get(), own_sums.get(),
                                         count, limit, places.data(), simd);
      at = 0;
      for (size_t i = 0; i < count; ++i) {
        float bound = 0;
        for (size_t p = 0; p < index::kImpactBytes; p += 2) {
          if (pairs[p + 1] > norms[i]) continue;
          const float tf = pairs[p] == 255 ? 65535.0f : pairs[p];
          bound = std::max(bound, Defined(model, parts.values[norms[i]], weight, tf));
        }
        if (sums[i] + bound < limit) continue;
        EXPECT(at < bounded && places[at] == i);
        ++at;
      }
      EXPECT_EQ(at, bounded);
      if (count > 0)
        EXPECT_EQ(sums[LargestPlace(own_sums.get(), count, simd)], *std::max_element(sums.begin(), sums.end()));
    }
  }
}

// One map for one block after the other, as in a search: what is left of those before must do no harm.
TEST(BlockKernels, PlaceMapAgreesWithIntersect) {
  Random random;
  PlaceMap map;
  for (size_t round = 0; round < test::Rounds(200); ++round) {
    const size_t count = random.Between(1, random.Chance(0.5) ? 128 : PlaceMap::kMaxPostings);
    const uint64_t space = random.Chance(0.5) ? PlaceMap::kSpan : random.Between(count, 2 * count);
    std::vector<DocId> docs = Ascending(&random, count, space);
    std::vector<DocId> wanted = Ascending(&random, random.Below(count + 1), space);
    const DocId first = static_cast<DocId>(random.Below(1000000));
    for (DocId& doc : docs) doc += first;
    for (DocId& doc : wanted) doc += first;
    const auto own_docs = Exactly(docs), own_wanted = Exactly(wanted);
    map.Fill(first, own_docs.get(), count);
    std::vector<uint16_t> wanted_places(wanted.size() + kPlaceSlack), places(wanted.size() + kPlaceSlack);
    auto other_wanted_places = wanted_places, other_places = places;
    const size_t found = map.Find(own_wanted.get(), wanted.size(), wanted_places.data(), places.data());
    const size_t expected = Intersect(own_wanted.get(), wanted.size(), own_docs.get(), count,
                                      other_wanted_places.data(), other_places.data(), Simd::kScalar);
    EXPECT_EQ(found, expected);
    for (size_t i = 0; i < std::min(found, expected); ++i)
      EXPECT(wanted_places[i] == other_wanted_places[i] && places[i] == other_places[i]);
  }
}

}  // namespace
}  // namespace freshdex::score

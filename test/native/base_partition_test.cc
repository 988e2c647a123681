#include "native/index/base_partition.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::Random;

struct ListModel {
  std::vector<DocId> docs;
  std::vector<uint16_t> tfs;
  std::vector<uint8_t> norms;
};

ListModel RandomList(Random* random, size_t size, uint64_t doc_space, uint16_t max_tf) {
  std::set<DocId> docs;
  while (docs.size() < size) docs.insert(static_cast<DocId>(random->Below(doc_space)));
  ListModel list;
  list.docs.assign(docs.begin(), docs.end());
  for (size_t i = 0; i < size; ++i) {
    list.tfs.push_back(
        static_cast<uint16_t>(random->Between(1, random->Chance(0.9) ? std::min<uint16_t>(max_tf, 4) : max_tf)));
    list.norms.push_back(static_cast<uint8_t>(random->Below(256)));
  }
  return list;
}

void ExpectBlock(const ListModel& list, size_t begin, size_t count, const BlockEntry& block) {
  EXPECT_EQ(block.last_doc, list.docs[begin + count - 1]);
  uint32_t max_tf = 0, min_norm = 255;
  for (size_t i = begin; i < begin + count; ++i) {
    max_tf = std::max<uint32_t>(max_tf, list.tfs[i]);
    min_norm = std::min<uint32_t>(min_norm, list.norms[i]);
  }
  EXPECT_EQ(block.max_tf, std::min<uint32_t>(max_tf, 255));
  EXPECT_EQ(block.min_norm, min_norm);
}

void ExpectList(const BasePartition& partition, TermId term, const ListModel& expected) {
  PostingList list;
  partition.Find(term, &list);
  EXPECT_EQ(list.df, expected.docs.size());
  EXPECT_EQ(partition.DocumentFrequency(term), expected.docs.size());
  EXPECT_EQ(list.is_single, expected.docs.size() == 1 && expected.tfs[0] <= 8);
  EXPECT_EQ(list.impacts != nullptr, expected.docs.size() > kBlockPostings);
  if (!list.is_single) EXPECT_EQ(list.block_count, (expected.docs.size() + kBlockPostings - 1) / kBlockPostings);
  size_t wrong = 0;
  // Backwards: a block must not depend on its neighbours having been decoded.
  for (size_t b = list.is_single ? 1 : list.block_count; b-- > 0;) {
    DocId docs[kBlockPostings];
    uint32_t tfs[kBlockPostings];
    const size_t count = partition.Decode(list, b, docs, tfs);
    const size_t begin = b * kBlockPostings;
    EXPECT_EQ(count, std::min(kBlockPostings, expected.docs.size() - begin));
    for (size_t i = 0; i < count; ++i)
      wrong += docs[i] != expected.docs[begin + i] || tfs[i] != expected.tfs[begin + i];
    if (!list.is_single) ExpectBlock(expected, begin, count, list.blocks[b]);
  }
  EXPECT_EQ(wrong, 0);
}

TEST(BasePartition, HoldsListsOfEverySize) {
  Random random;
  for (size_t round = 0; round < test::Rounds(6); ++round) {
    const TermId begin = static_cast<TermId>(random.Below(1000));
    PartitionBuilder builder(begin, 17);
    std::map<TermId, ListModel> model;
    TermId term = begin;
    uint64_t postings = 0;
    for (const size_t size : {1, 2, 127, 128, 129, 1, 255, 256, 257, 3, 10000, 1}) {
      term += static_cast<TermId>(random.Below(3));
      const uint64_t doc_space = size + random.Below(random.Chance(0.5) ? 1000 : (1ull << 32) - 20 - size);
      ListModel list = RandomList(&random, size, doc_space, 65535);
      builder.Add(term, list.docs, list.tfs, list.norms);
      postings += size;
      model[term++] = std::move(list);
    }
    const auto partition = builder.Finish(term + 5, term + 9);
    EXPECT(partition->IsWellFormed());
    EXPECT_EQ(partition->term_begin(), begin);
    EXPECT_EQ(partition->known_end(), term + 5);
    EXPECT_EQ(partition->term_end(), term + 9);
    EXPECT_EQ(partition->folded_through(), 17);
    EXPECT_EQ(partition->postings(), postings);
    for (TermId t = begin; t < term + 9; ++t) ExpectList(*partition, t, model.count(t) ? model.at(t) : ListModel());
  }
}

TEST(BasePartition, HoldsTheLargestGapsAndFrequencies) {
  constexpr DocId kLast = 0xFFFFFFFFu - 19;
  ListModel list;
  for (size_t i = 0; i < 127; ++i) {
    list.docs.push_back(static_cast<DocId>(i));
    list.tfs.push_back(1);
    list.norms.push_back(9);
  }
  for (const DocId doc : {DocId{127}, kLast - 1, kLast}) {
    list.docs.push_back(doc);
    list.tfs.push_back(65535);
    list.norms.push_back(3);
  }
  PartitionBuilder builder(0, 0);
  builder.Add(0, {0, kLast}, {65535, 1}, {1, 2});
  builder.Add(1, {kLast}, {65535}, {1});
  builder.Add(2, {0}, {1}, {1});
  builder.Add(3, list.docs, list.tfs, list.norms);
  builder.Add(4, {}, {}, {});
  builder.Add(5, {kLast}, {8}, {1});
  builder.Add(6, {kLast}, {9}, {1});
  builder.Add(7, {kLast - 1, kLast}, {255, 254}, {1, 1});
  const auto partition = builder.Finish(8, kNoTerm);
  EXPECT(partition->IsWellFormed());
  ExpectList(*partition, 0, {{0, kLast}, {65535, 1}, {1, 2}});
  ExpectList(*partition, 1, {{kLast}, {65535}, {1}});
  ExpectList(*partition, 2, {{0}, {1}, {1}});
  ExpectList(*partition, 3, list);
  ExpectList(*partition, 4, {});
  ExpectList(*partition, 5, {{kLast}, {8}, {1}});
  ExpectList(*partition, 6, {{kLast}, {9}, {1}});
  ExpectList(*partition, 7, {{kLast - 1, kLast}, {255, 254}, {1, 1}});
  ExpectList(*partition, kNoTerm - 1, {});
}

TEST(BasePartition, PacksDenseListsInNoBits) {
  ListModel list;
  for (DocId doc = 0; doc < 256; ++doc) {
    list.docs.push_back(doc);
    list.tfs.push_back(1);
    list.norms.push_back(1);
  }
  PartitionBuilder builder(0, 0);
  builder.Add(0, list.docs, list.tfs, list.norms);
  EXPECT(builder.bytes() <= 2 * (sizeof(BlockEntry) + kImpactBytes) + 8);
  const auto partition = builder.Finish(1, 1);
  PostingList found;
  partition->Find(0, &found);
  EXPECT_EQ(found.blocks[0].doc_bits, 0);
  EXPECT_EQ(found.blocks[1].tf_bits, 0);
  ExpectList(*partition, 0, list);
}

TEST(BasePartition, MayBeEmpty) {
  const auto empty = PartitionBuilder(5, 2).Finish(5, 9);
  EXPECT(empty->IsWellFormed());
  EXPECT_EQ(empty->postings(), 0);
  EXPECT_EQ(empty->known_end(), 5);
  for (TermId term = 5; term < 9; ++term) EXPECT_EQ(empty->DocumentFrequency(term), 0);
}

}  // namespace
}  // namespace freshdex::index

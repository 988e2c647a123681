#include "native/index/posting_cursor.h"

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::Random;
using Postings = std::map<DocId, uint16_t>;

// A snapshot with the postings of a few terms, and what they are; nothing else of it is filled in.
class PostingWorld {
 public:
  explicit PostingWorld(TermId terms) : model_(terms), sequence_(1) { snapshot_.term_count = terms; }

  Postings& at(TermId term) { return model_[term]; }
  const Postings& at(TermId term) const { return model_[term]; }
  const Snapshot& snapshot() const { return snapshot_; }
  TermId terms() const { return static_cast<TermId>(model_.size()); }

  // Puts all postings into base partitions that begin at the given terms.
  void Fold(const std::vector<TermId>& begins) {
    snapshot_.partitions.clear();
    snapshot_.runs.clear();
    for (size_t i = 0; i < begins.size(); ++i) {
      const bool is_last = i + 1 == begins.size();
      snapshot_.partitions.push_back(FoldRange(begins[i], is_last ? kNoTerm : begins[i + 1]));
    }
    last_ = model_;
  }

  // Folds one partition only: the runs stay for the others, and must no longer count for this one.
  void FoldOne(size_t index) {
    auto& partition = snapshot_.partitions[index];
    partition = FoldRange(partition->term_begin(), partition->term_end());
  }

  // Seals a run with what changed since the last.
  void Seal() {
    std::vector<PostingDelta> deltas;
    for (TermId term = 0; term < terms(); ++term) {
      Postings both = last_[term];
      both.insert(model_[term].begin(), model_[term].end());
      for (const auto& [doc, unused] : both) {
        const uint16_t before = Tf(last_[term], doc), after = Tf(model_[term], doc);
        if (before != after) deltas.push_back({term, doc, before, after});
      }
    }
    snapshot_.runs.push_back(DeltaRun::Seal(std::move(deltas), ++sequence_));
    last_ = model_;
  }

 private:
  static uint16_t Tf(const Postings& postings, DocId doc) {
    const auto found = postings.find(doc);
    return found == postings.end() ? 0 : found->second;
  }

  std::shared_ptr<const BasePartition> FoldRange(TermId begin, TermId end) const {
    PartitionBuilder builder(begin, sequence_);
    for (TermId term = begin; term < std::min(end, terms()); ++term) {
      std::vector<DocId> docs;
      std::vector<uint16_t> tfs;
      for (const auto& [doc, tf] : model_[term]) {
        docs.push_back(doc);
        tfs.push_back(tf);
      }
      builder.Add(term, docs, tfs, std::vector<uint8_t>(docs.size(), 1));
    }
    return builder.Finish(std::min(end, terms()), end);
  }

  Snapshot snapshot_;
  std::vector<Postings> model_;
  std::vector<Postings> last_;
  uint64_t sequence_;
};

void ExpectAt(const PostingCursor& cursor, const Postings& postings, Postings::const_iterator place) {
  EXPECT_EQ(cursor.doc(), place == postings.end() ? kNoDoc : place->first);
  if (place != postings.end() && cursor.doc() == place->first) EXPECT_EQ(cursor.tf(), place->second);
}

void ExpectWalk(const PostingWorld& world, TermId term) {
  const Postings& postings = world.at(term);
  PostingCursor cursor(world.snapshot(), term);
  EXPECT_EQ(cursor.df(), postings.size());
  EXPECT_EQ(world.snapshot().DocumentFrequency(term), postings.size());
  for (auto place = postings.begin(); place != postings.end(); ++place, cursor.Next())
    ExpectAt(cursor, postings, place);
  EXPECT_EQ(cursor.doc(), kNoDoc);
  cursor.Next();
  cursor.NextBlock();
  cursor.AdvanceTo(kNoDoc);
  EXPECT_EQ(cursor.doc(), kNoDoc);

  auto place = postings.begin();
  for (PostingCursor blocks(world.snapshot(), term); blocks.doc() != kNoDoc; blocks.NextBlock()) {
    EXPECT(blocks.block_left() > 0);
    for (size_t i = 0; i < blocks.block_left() && place != postings.end(); ++i, ++place) {
      EXPECT_EQ(blocks.block_docs()[i], place->first);
      EXPECT_EQ(blocks.block_tfs()[i], place->second);
    }
  }
  EXPECT(place == postings.end());
}

// Steps and jumps of all sizes, to documents that are there and to gaps.
void ExpectJumps(Random* random, const PostingWorld& world, TermId term, DocId doc_space) {
  const Postings& postings = world.at(term);
  PostingCursor cursor(world.snapshot(), term);
  auto place = postings.begin();
  while (place != postings.end()) {
    if (random->Chance(0.3)) {
      cursor.Next();
      ++place;
    } else {
      const uint64_t reach = random->Chance(0.2) ? doc_space : random->Chance(0.5) ? 300 : 5;
      const DocId target = place->first + static_cast<DocId>(random->Below(reach));
      cursor.AdvanceTo(target);
      place = postings.lower_bound(target);
    }
    ExpectAt(cursor, postings, place);
  }
}

void Edit(Random* random, Postings* postings, size_t edits, DocId doc_space) {
  for (; edits > 0; --edits) {
    const auto doc = static_cast<DocId>(random->Below(doc_space));
    if (random->Chance(0.5)) {
      postings->erase(postings->lower_bound(doc), postings->upper_bound(doc + static_cast<DocId>(random->Below(4))));
    } else {
      (*postings)[doc] = static_cast<uint16_t>(random->Between(1, 300));
    }
  }
}

TEST(PostingCursor, AgreesWithAMapOverBaseAndRuns) {
  Random random;
  for (size_t round = 0; round < test::Rounds(60); ++round) {
    PostingWorld world(4);
    const DocId doc_space = static_cast<DocId>(random.Chance(0.5) ? 1500 : random.Between(4, 100));
    for (TermId term = 0; term < 4; ++term)
      Edit(&random, &world.at(term), random.Below(random.Chance(0.5) ? 5 : 2000), doc_space);
    world.Fold(random.Chance(0.5) ? std::vector<TermId>{0} : std::vector<TermId>{0, 1, 3});
    for (size_t runs = random.Below(5); runs > 0; --runs) {
      for (TermId term = 0; term < 4; ++term)
        Edit(&random, &world.at(term), random.Below(random.Chance(0.5) ? 3 : 200), doc_space);
      world.Seal();
      if (random.Chance(0.3)) world.FoldOne(random.Below(world.snapshot().partitions.size()));
    }
    for (TermId term = 0; term < 4; ++term) {
      ExpectWalk(world, term);
      for (size_t jumps = 0; jumps < 5; ++jumps) ExpectJumps(&random, world, term, doc_space);
    }
  }
}

// From every posting to every target: two and a half blocks in the base, patched here and there.
TEST(PostingCursor, AdvancesFromEveryPositionToEveryTarget) {
  PostingWorld world(1);
  for (DocId doc = 0; doc < 320; ++doc) world.at(0)[doc * 2] = static_cast<uint16_t>(doc % 7 + 1);
  world.Fold({0});
  for (const DocId doc : {0u, 254u, 256u, 638u}) world.at(0).erase(doc);
  for (const DocId doc : {1u, 253u, 255u, 257u, 400u, 639u, 700u, 900u}) world.at(0)[doc] = 50;
  world.Seal();
  const Postings& postings = world.at(0);
  PostingCursor at(world.snapshot(), 0);
  for (auto from = postings.begin(); from != postings.end(); ++from, at.Next()) {
    for (DocId target = from->first; target < from->first + 700; target += target % 13 + 1) {
      PostingCursor cursor(world.snapshot(), 0);
      cursor.AdvanceTo(from->first);
      ExpectAt(cursor, postings, from);
      cursor.AdvanceTo(target);
      ExpectAt(cursor, postings, postings.lower_bound(target));
    }
  }
}

TEST(PostingCursor, PassesOverBlocksThatArePatchedAway) {
  PostingWorld world(1);
  for (DocId doc = 0; doc < 4 * kBlockPostings; ++doc) world.at(0)[doc] = 1;
  world.Fold({0});
  for (DocId doc = kBlockPostings; doc < 3 * kBlockPostings; ++doc) world.at(0).erase(doc);
  world.Seal();
  ExpectWalk(world, 0);
  for (DocId target = 0; target < 4 * kBlockPostings; ++target) {
    PostingCursor cursor(world.snapshot(), 0);
    cursor.AdvanceTo(target);
    ExpectAt(cursor, world.at(0), world.at(0).lower_bound(target));
  }
  world.at(0).clear();
  world.Seal();
  ExpectWalk(world, 0);
}

TEST(PostingCursor, WalksPatchesBehindTheLastBlock) {
  for (const DocId base : {0u, 1u, 2u, 130u}) {
    PostingWorld world(1);
    for (DocId doc = 0; doc < base; ++doc) world.at(0)[doc] = 2;
    world.Fold({0});
    for (DocId doc = 1000; doc < 1500; ++doc) world.at(0)[doc] = 3;
    world.Seal();
    for (DocId doc = 1000; doc < 1500; doc += 2) world.at(0).erase(doc);
    for (DocId doc = 1100; doc < 1400; ++doc) world.at(0).erase(doc);
    world.Seal();
    ExpectWalk(world, 0);
    for (DocId target = 900; target < 1510; ++target) {
      PostingCursor cursor(world.snapshot(), 0);
      cursor.AdvanceTo(target);
      ExpectAt(cursor, world.at(0), world.at(0).lower_bound(target));
    }
  }
}

TEST(PostingCursor, ReplacesTheSinglePostingOfATerm) {
  for (const uint16_t tf : {0, 1, 9}) {
    PostingWorld world(2);
    world.at(0)[5] = 1;
    world.at(1)[7] = 4;
    world.Fold({0});
    if (tf == 0) {
      world.at(0).erase(5);
    } else {
      world.at(0)[5] = tf;
    }
    world.at(1)[6] = 1;
    world.at(1)[8] = 1;
    world.Seal();
    ExpectWalk(world, 0);
    ExpectWalk(world, 1);
  }
}

TEST(PostingCursor, ReachesTheLastDocumentsOfTheSpace) {
  PostingWorld world(1);
  for (DocId doc = 0; doc < 300; ++doc) world.at(0)[doc] = 1;
  world.at(0)[0xFFFFFFE0] = 2;
  world.Fold({0});
  world.at(0)[0xFFFFFFEE] = 3;
  world.Seal();
  ExpectWalk(world, 0);
  PostingCursor cursor(world.snapshot(), 0);
  cursor.AdvanceTo(0xFFFFFFE1);
  EXPECT_EQ(cursor.doc(), 0xFFFFFFEE);
  cursor.AdvanceTo(0xFFFFFFEF);
  EXPECT_EQ(cursor.doc(), kNoDoc);
}

}  // namespace
}  // namespace freshdex::index

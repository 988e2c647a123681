// Searches by bounds against searches through all matches, which are compared with the definition elsewhere.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "native/index/index_writer.h"
#include "native/score/search.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/query_builder.h"
#include "test/native/random.h"
#include "test/native/random_text.h"
#include "test/native/store_run.h"

namespace freshdex::score {
namespace {

using index::AnalysisKind;
using index::IndexWriter;
using index::Snapshot;
using test::BatchBuilder;
using test::Random;

constexpr size_t kWords = 40;

// A collection whose lists have many blocks, and whose documents shrink, grow, go and come back between folds. It lies
// in files of memory, from which it is opened again now and then.
class ChangingCollection {
 public:
  ChangingCollection(Random* random, size_t keys) : random_(*random), keys_(keys), fields_(random->Between(1, 3)) {
    config_.fields = fields_;
    config_.analysis = AnalysisKind::kTokens;
    config_.fold_floor = 256;
    config_.partition_bytes = random_.Chance(0.5) ? 4096 : 1u << 20;
    config_.phrase_limits.least_pages = random_.Pick(std::vector<uint32_t>{5, 50, 256});
    config_.keeps_log = true;
    open_ = test::Open(files_, durable_, config_);
    texts_.resize(keys);
  }

  size_t fields() const { return fields_; }
  std::shared_ptr<const Snapshot> Current() const { return open_.writer->Current(); }

  void Fill() {
    BatchBuilder batch(config_.analysis[0]);
    for (size_t key = 0; key < keys_; ++key) Put(key, &batch);
    Publish(batch);
  }

  void Change() {
    BatchBuilder batch(config_.analysis[0]);
    const double share = random_.Pick(std::vector<double>{0.001, 0.02, 0.2});
    for (size_t key = 0; key < keys_; ++key) {
      if (!random_.Chance(share)) continue;
      if (random_.Chance(0.2)) {
        batch.Remove(Name(key));
      } else if (random_.Chance(0.3)) {
        batch.Put(Name(key), texts_[key], Weight());  // as it was: what was removed comes back
      } else if (random_.Chance(0.7)) {
        Shorten(key, &batch);
      } else {
        Put(key, &batch);
      }
    }
    Publish(batch);
  }

  void Fold() {
    if (random_.Chance(0.3)) {
      open_.writer->Compact();
      return;
    }
    for (size_t steps = random_.Below(4); steps > 0 && open_.writer->MaintainStep(); --steps) {
    }
  }

  // Closes the index, with its last batches in segments or in the log, and opens it.
  void Reopen() {
    if (random_.Chance(0.7)) {
      const auto flushed = open_.writer->Flush(durable_.next_number);
      test::ExpectOk(flushed.status());
      if (!flushed.ok()) return;
      durable_.next_number += flushed.value().added.size();
      durable_.manifest = flushed.value().live;
      durable_.log.clear();
      open_.writer->AdoptFlush();
    }
    open_ = test::Open(files_, durable_, config_);
    test::ExpectOk(open_.status);
  }

 private:
  static std::string Name(size_t key) { return "s" + std::to_string(key); }
  double Weight() { return random_.Chance(0.5) ? 0 : random_.Unit() * 3; }

  std::string Words(size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      // Word w is about as frequent as 1 / (w + 1), and some documents repeat one.
      const size_t word = static_cast<size_t>(random_.Below(random_.Between(1, kWords)));
      const size_t times = random_.Chance(0.05) ? random_.Between(2, 40) : 1;
      for (size_t j = 0; j < times; ++j) text += "w" + std::to_string(word) + ' ';
    }
    return text;
  }

  void Put(size_t key, BatchBuilder* batch) {
    texts_[key].clear();
    for (size_t f = 0; f < fields_; ++f) texts_[key].push_back(Words(random_.Below(random_.Chance(0.1) ? 200 : 30)));
    batch->Put(Name(key), texts_[key], Weight());
  }

  // Without some of its words: those that stay have their old postings, in a shorter document.
  void Shorten(size_t key, BatchBuilder* batch) {
    for (std::string& text : texts_[key]) {
      const std::string gone = "w" + std::to_string(random_.Below(kWords));
      std::string rest;
      for (const std::string& word : test::SplitAtSpaces(text)) {
        if (word != gone && !random_.Chance(0.02)) rest += word + ' ';
      }
      text = rest;
    }
    batch->Put(Name(key), texts_[key], Weight());
  }

  void Publish(const BatchBuilder& batch) {
    EXPECT(open_.writer->Prepare(batch.Slab(), nullptr).ok());
    durable_.log[Current()->sequence + 1] = std::make_shared<const std::string>(open_.writer->prepared_row());
    open_.writer->Publish(nullptr);
  }

  Random& random_;
  const size_t keys_;
  const size_t fields_;
  index::WriterConfig config_;
  const std::shared_ptr<test::MemoryFiles> files_ = std::make_shared<test::MemoryFiles>();
  test::Durable durable_;
  test::OpenIndex open_;
  std::vector<std::vector<std::string>> texts_;
};

Scoring SomeScoring(Random* random, size_t fields) {
  Scoring scoring;
  scoring.model = random->Chance(0.6) ? Model::kBm25 : Model::kTfIdf;
  if (random->Chance(0.3)) scoring.k1 = random->Unit() * 2;
  if (random->Chance(0.3)) scoring.b = random->Unit();
  for (size_t f = 0; f < fields; ++f) scoring.field_boosts.push_back(random->Chance(0.6) ? 1 : random->Unit() * 3);
  if (random->Chance(0.4)) {
    scoring.alpha = random->Chance(0.1) ? 0 : random->Unit() * 2;
    scoring.beta = random->Unit() * 2;
  }
  return scoring;
}

double SomeBoost(Random* random) {
  if (random->Chance(0.7)) return 1;
  return random->Pick(std::vector<double>{0, 0.001, 0.5, 3, 1e30, 1e-30});
}

QueryNode SomeWord(Random* random, size_t fields) {
  const auto token = [&] { return "w" + std::to_string(random->Below(kWords + 1)); };
  const uint32_t mask =
      random->Chance(0.6) ? test::kAllFields : static_cast<uint32_t>(random->Below(uint64_t{1} << fields));
  std::vector<std::string> tokens = {token()};
  if (random->Chance(0.3)) {
    do {
      tokens.push_back(token());
    } while (random->Chance(0.3));
    QueryNode phrase = test::TokensNode(QueryKind::kPhrase, tokens, mask, SomeBoost(random));
    if (random->Chance(0.3)) {
      for (size_t i = random->Between(1, tokens.size() - 1); i < tokens.size(); ++i) ++phrase.tokens[i].position;
    }
    return phrase;
  }
  while (random->Chance(0.1)) tokens.push_back(token());
  return test::TokensNode(QueryKind::kWord, tokens, mask, SomeBoost(random));
}

QueryNode SomeQuery(Random* random, size_t fields) {
  if (random->Chance(0.3)) return SomeWord(random, fields);
  std::vector<QueryNode> words;
  for (size_t left = random->Chance(0.1) ? random->Below(12) : random->Between(2, 4); left > 0; --left)
    words.push_back(SomeWord(random, fields));
  const double boost = SomeBoost(random);
  return random->Chance(0.5) ? test::And(std::move(words), boost) : test::Or(std::move(words), boost);
}

void ExpectSameAnswer(Random* random, const Snapshot& snapshot, const Scoring& scoring, const QueryNode& query,
                      ScorerCache* scorers) {
  SearchRequest request;
  request.limit = static_cast<uint32_t>(random->Chance(0.1) ? random->Between(100, 5000) : random->Between(1, 20));
  request.offset = static_cast<uint32_t>(random->Chance(0.8) ? 0 : random->Below(30));
  request.looks_at_all_matches = true;
  const SearchOutcome expected = Search(snapshot, scoring, query, request);
  request.looks_at_all_matches = false;
  request.count_up_to = random->Chance(0.3) ? UINT64_MAX : random->Below(random->Chance(0.5) ? 50 : 2000);
  const SearchOutcome outcome = Search(snapshot, scoring, query, request, scorers);
  EXPECT(!outcome.is_partial);
  if (outcome.is_total_exact) {
    EXPECT_EQ(outcome.total, expected.total);
  } else {
    EXPECT(outcome.total < expected.total && outcome.total >= request.count_up_to);
    EXPECT(outcome.total >= outcome.hits.size());
  }
  EXPECT_EQ(outcome.hits.size(), expected.hits.size());
  for (size_t i = 0; i < std::min(outcome.hits.size(), expected.hits.size()); ++i) {
    EXPECT_EQ(outcome.hits[i].doc, expected.hits[i].doc);
    EXPECT_EQ(outcome.hits[i].score, expected.hits[i].score);
  }
}

// In a long run a hundred thousand queries.
TEST(PrunedSearch, AgreesWithASearchThroughAllMatches) {
  Random random;
  for (size_t round = 0; round < test::Rounds(5); ++round) {
    ChangingCollection collection(&random, random.Chance(0.3) ? random.Between(1, 500) : random.Between(3000, 12000));
    ScorerCache scorers;
    const Scoring scoring = SomeScoring(&random, collection.fields());
    collection.Fill();
    if (random.Chance(0.8)) collection.Fold();
    for (size_t change = 0; change < 5; ++change) {
      const auto snapshot = collection.Current();
      for (size_t i = 0; i < 200; ++i)
        ExpectSameAnswer(&random, *snapshot, scoring, SomeQuery(&random, collection.fields()), &scorers);
      collection.Change();
      if (random.Chance(0.5)) collection.Fold();
      if (random.Chance(0.3)) collection.Reopen();
    }
  }
}

// All postings of a list but two wait for a fold, in front of its last: its one block has more than 16 bits count.
TEST(PrunedSearch, CountsBlocksWithManyChanges) {
  constexpr size_t kDocuments = 70000;
  index::WriterConfig config;
  config.analysis = AnalysisKind::kTokens;
  config.fold_floor = SIZE_MAX;
  IndexWriter writer(config);
  // Each document has another frequency than those near it.
  const auto put = [&](bool have_all) {
    BatchBuilder batch(config.analysis[0]);
    for (size_t i = 0; i < kDocuments; ++i) {
      std::string text = "a";
      if (have_all || i == 0 || i + 1 == kDocuments) {
        for (size_t times = i % 7 + 1; times > 0; --times) text += " x";
      }
      batch.Put("s" + std::to_string(i), {text}, 0);
    }
    EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
    writer.Publish(nullptr);
  };
  put(false);
  writer.Compact();
  put(true);
  const auto snapshot = writer.Current();
  Scoring scoring;
  scoring.field_boosts = {1};
  for (const QueryNode& query : {test::Word("x"), test::And({test::Word("a"), test::Word("x")}),
                                 test::Or({test::Word("a"), test::Word("x")}), test::Phrase({"a", "x"})}) {
    SearchRequest request;
    const SearchOutcome outcome = Search(*snapshot, scoring, query, request);
    request.looks_at_all_matches = true;
    const SearchOutcome expected = Search(*snapshot, scoring, query, request);
    EXPECT_EQ(outcome.total, expected.total);
    EXPECT_EQ(outcome.hits.size(), expected.hits.size());
    for (size_t i = 0; i < std::min(outcome.hits.size(), expected.hits.size()); ++i) {
      EXPECT_EQ(outcome.hits[i].doc, expected.hits[i].doc);
      EXPECT_EQ(outcome.hits[i].score, expected.hits[i].score);
    }
  }
}

}  // namespace
}  // namespace freshdex::score

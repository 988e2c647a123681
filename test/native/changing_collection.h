// A collection whose lists have many blocks, and whose documents shrink, grow, go and come back between folds, with
// queries over its words.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "native/score/search.h"
#include "test/native/batch_builder.h"
#include "test/native/harness.h"
#include "test/native/query_builder.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/store_run.h"

namespace freshdex::test {

// Of the collection: w0, w1 ...
inline constexpr size_t kCollectionWords = 40;

// It lies in files of memory, from which it is opened again now and then.
class ChangingCollection {
 public:
  ChangingCollection(Random* random, size_t keys) : random_(*random), keys_(keys), fields_(random->Between(1, 3)) {
    config_.fields = fields_;
    config_.analysis = index::AnalysisKind::kTokens;
    config_.columns = kRandomColumns;
    config_.fold_floor = 256;
    config_.partition_bytes = random_.Chance(0.5) ? 4096 : 1u << 20;
    config_.phrase_limits.least_pages = random_.Pick(std::vector<uint32_t>{5, 50, 256});
    config_.keeps_log = true;
    open_ = Open(files_, durable_, config_);
    texts_.resize(keys);
    values_.resize(keys);
  }

  size_t fields() const { return fields_; }
  std::shared_ptr<const index::Snapshot> Current() const { return open_.writer->Current(); }

  // The values of the documents that are there.
  std::map<index::DocId, ModelValues> Documents() const {
    std::map<index::DocId, ModelValues> documents;
    const auto snapshot = Current();
    for (size_t key = 0; key < keys_; ++key) {
      const index::DocId doc = snapshot->FindKey(Name(key));
      if (doc != index::kNoDoc) documents[doc] = values_[key];
    }
    return documents;
  }

  void Fill() {
    BatchBuilder batch(config_.analysis[0], config_.columns);
    for (size_t key = 0; key < keys_; ++key) Put(key, &batch);
    Publish(batch);
  }

  void Change() {
    BatchBuilder batch(config_.analysis[0], config_.columns);
    const double share = random_.Pick(std::vector<double>{0.001, 0.02, 0.2});
    for (size_t key = 0; key < keys_; ++key) {
      if (!random_.Chance(share)) continue;
      if (random_.Chance(0.2)) {
        batch.Remove(Name(key));
      } else if (random_.Chance(0.3)) {
        batch.Put(Name(key), texts_[key], Weight(), {}, values_[key]);  // as it was: what was removed comes back
      } else if (random_.Chance(0.2)) {
        values_[key] = Values();  // nothing but its columns
        batch.Put(Name(key), texts_[key], Weight(), {}, values_[key]);
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
      ExpectOk(flushed.status());
      if (!flushed.ok()) return;
      durable_.next_number += flushed.value().added.size();
      durable_.manifest = flushed.value().live;
      durable_.log.clear();
      open_.writer->AdoptFlush();
    }
    open_ = Open(files_, durable_, config_);
    ExpectOk(open_.status);
  }

 private:
  static std::string Name(size_t key) { return "s" + std::to_string(key); }
  double Weight() { return random_.Chance(0.5) ? 0 : random_.Unit() * 3; }

  std::string Words(size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      // Word w is about as frequent as 1 / (w + 1), and some documents repeat one.
      const size_t word = static_cast<size_t>(random_.Below(random_.Between(1, kCollectionWords)));
      const size_t times = random_.Chance(0.05) ? random_.Between(2, 40) : 1;
      for (size_t j = 0; j < times; ++j) text += "w" + std::to_string(word) + ' ';
    }
    return text;
  }

  // Of few words and numbers, and many dates of a few years.
  ModelValues Values() {
    ModelValues values = RandomValues(&random_);
    if (random_.Chance(0.7)) {
      std::set<double> near;
      for (const double date : values[2].numbers) near.insert(1.7e12 + std::fmod(date, 9e10));
      values[2].numbers = near;
    }
    return values;
  }

  void Put(size_t key, BatchBuilder* batch) {
    values_[key] = Values();
    texts_[key].clear();
    for (size_t f = 0; f < fields_; ++f) texts_[key].push_back(Words(random_.Below(random_.Chance(0.1) ? 200 : 30)));
    batch->Put(Name(key), texts_[key], Weight(), {}, values_[key]);
  }

  // Without some of its words: those that stay have their old postings, in a shorter document.
  void Shorten(size_t key, BatchBuilder* batch) {
    for (std::string& text : texts_[key]) {
      const std::string gone = "w" + std::to_string(random_.Below(kCollectionWords));
      std::string rest;
      for (const std::string& word : SplitAtSpaces(text)) {
        if (word != gone && !random_.Chance(0.02)) rest += word + ' ';
      }
      text = rest;
    }
    batch->Put(Name(key), texts_[key], Weight(), {}, values_[key]);
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
  const std::shared_ptr<MemoryFiles> files_ = std::make_shared<MemoryFiles>();
  Durable durable_;
  OpenIndex open_;
  std::vector<std::vector<std::string>> texts_;
  std::vector<ModelValues> values_;
};

inline score::Scoring SomeScoring(Random* random, size_t fields) {
  score::Scoring scoring;
  scoring.model = random->Chance(0.6) ? score::Model::kBm25 : score::Model::kTfIdf;
  if (random->Chance(0.3)) scoring.k1 = random->Unit() * 2;
  if (random->Chance(0.3)) scoring.b = random->Unit();
  for (size_t f = 0; f < fields; ++f) scoring.field_boosts.push_back(random->Chance(0.6) ? 1 : random->Unit() * 3);
  if (random->Chance(0.4)) {
    scoring.alpha = random->Chance(0.1) ? 0 : random->Unit() * 2;
    scoring.beta = random->Unit() * 2;
  }
  return scoring;
}

inline double SomeBoost(Random* random) {
  if (random->Chance(0.7)) return 1;
  return random->Pick(std::vector<double>{0, 0.001, 0.5, 3, 1e30, 1e-30});
}

inline QueryNode SomeWord(Random* random, size_t fields) {
  const auto token = [&] { return "w" + std::to_string(random->Below(kCollectionWords + 1)); };
  const uint32_t mask = random->Chance(0.6) ? kAllFields : static_cast<uint32_t>(random->Below(uint64_t{1} << fields));
  std::vector<std::string> tokens = {token()};
  if (random->Chance(0.3)) {
    do {
      tokens.push_back(token());
    } while (random->Chance(0.3));
    QueryNode phrase = TokensNode(QueryKind::kPhrase, tokens, mask, SomeBoost(random));
    if (random->Chance(0.3)) {
      for (size_t i = random->Between(1, tokens.size() - 1); i < tokens.size(); ++i) ++phrase.tokens[i].position;
    }
    return phrase;
  }
  while (random->Chance(0.1)) tokens.push_back(token());
  return TokensNode(QueryKind::kWord, tokens, mask, SomeBoost(random));
}

inline QueryNode SomeQuery(Random* random, size_t fields) {
  if (random->Chance(0.3)) return SomeWord(random, fields);
  std::vector<QueryNode> words;
  for (size_t left = random->Chance(0.1) ? random->Below(12) : random->Between(2, 4); left > 0; --left)
    words.push_back(SomeWord(random, fields));
  const double boost = SomeBoost(random);
  return random->Chance(0.5) ? And(std::move(words), boost) : Or(std::move(words), boost);
}

}  // namespace freshdex::test

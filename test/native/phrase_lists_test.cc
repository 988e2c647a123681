// The lists of neighbouring words: which there are, what a change of a document does to them, and what phrases find.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "native/index/index_writer.h"
#include "native/index/phrase_differ.h"
#include "native/index/phrase_registry.h"
#include "native/score/phrase_sources.h"
#include "native/score/search.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/memory_files.h"
#include "test/native/naive_search.h"
#include "test/native/query_builder.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/random_text.h"

namespace freshdex::index {
namespace {

using test::BatchBuilder;
using test::Random;

WriterConfig PhraseConfig(AnalysisKind analysis, uint32_t least_pages) {
  WriterConfig config;
  config.fields = test::kRandomFields;
  config.analysis = analysis;
  config.fold_floor = 8;
  config.partition_bytes = 512;
  config.phrase_limits.least_pages = least_pages;
  return config;
}

// In how many documents each two and three neighbours stand.
std::map<TermSequence, std::set<DocId>> NaiveSequences(const Snapshot& snapshot) {
  std::map<TermSequence, std::set<DocId>> documents;
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
    const auto record = snapshot.Record(doc);
    if (!record) continue;
    const ForwardView forward(record->forward);
    for (size_t f = 0; f < forward.fields(); ++f) {
      std::map<uint64_t, TermId> at;
      VisitTokens(forward.codes(f), 0, [&](TermId term, uint64_t position) { at[position] = term; });
      for (const auto& [position, term] : at) {
        if (!at.contains(position + 1)) continue;
        documents[{term, at[position + 1], kNoTerm}].insert(doc);
        if (at.contains(position + 2)) documents[{term, at[position + 1], at[position + 2]}].insert(doc);
      }
    }
  }
  return documents;
}

void ExpectChosenAsCounted(const Snapshot& snapshot, const PhraseLimits& limits) {
  const auto registry = ChoosePhrases(snapshot, limits);
  const auto documents = NaiveSequences(snapshot);
  if (!registry) {
    for (const auto& [sequence, docs] : documents) EXPECT(docs.size() < limits.PairPages(snapshot.documents));
    return;
  }
  size_t expected = 0;
  for (const auto& [sequence, docs] : documents) {
    const bool is_pair = sequence.third == kNoTerm;
    const uint64_t least = is_pair ? limits.PairPages(snapshot.documents) : limits.TriplePages(snapshot.documents);
    const bool is_registered = registry->Registered(sequence) != kNoList;
    EXPECT_EQ(is_registered, docs.size() >= least);
    expected += is_registered;
    if (!is_pair || is_registered) continue;
    const bool is_frequent =
        std::min(snapshot.DocumentFrequency(sequence.first), snapshot.DocumentFrequency(sequence.second)) >=
        limits.FrequentPages(snapshot.documents);
    EXPECT_EQ(registry->ListOf(sequence.first, sequence.second) != kNoList, is_frequent);
  }
  EXPECT_EQ(registry->lists() - registry->head().buckets, expected);
}

// A life of an index with many compactions, so that there are registries old and new.
TEST(PhraseLists, AreChosenAndKeptAsCounted) {
  for (size_t round = 0; round < test::Rounds(6); ++round) {
    Random random(900 + round);
    const AnalysisKind analysis = static_cast<AnalysisKind>(round % 3);
    const WriterConfig config = PhraseConfig(analysis, static_cast<uint32_t>(random.Between(1, 5)));
    IndexWriter writer(config);
    std::vector<std::string> vocabulary = test::RandomVocabulary(&random, 12);
    vocabulary.insert(vocabulary.begin() + 2, "the");
    std::map<std::string, test::ModelDocument> documents;
    for (size_t step = 0; step < 25; ++step) {
      BatchBuilder batch(analysis);
      std::set<std::string> keys;
      for (size_t i = random.Between(1, 8); i > 0; --i) keys.insert("s" + std::to_string(random.Below(40)));
      for (const std::string& key : keys) {
        if (documents.contains(key) && random.Chance(0.1)) {
          batch.Remove(key);
          documents.erase(key);
          continue;
        }
        test::ModelDocument& document = documents[key];
        document = document.texts.empty() ? test::RandomDocument(&random, vocabulary)
                                          : test::NextVersion(&random, vocabulary, document);
        batch.Put(key, document.texts, document.weight, document.stored);
      }
      EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
      writer.Publish(nullptr);
      if (random.Chance(0.3)) writer.Compact();
      if (random.Chance(0.3)) writer.MaintainStep();
      test::ExpectNoFaults(*writer.Current());
      ExpectChosenAsCounted(*writer.Current(), config.phrase_limits);
    }
    EXPECT(writer.Current()->phrases.registry != nullptr);
  }
}

// Deltas found from the changed chunks alone are those of both versions as wholes.
TEST(PhraseLists, ChangeAsWholeVersionsDo) {
  size_t changes = 0;
  for (size_t round = 0; round < test::Rounds(40); ++round) {
    Random random(1900 + round);
    std::vector<std::string> vocabulary = test::RandomVocabulary(&random, 6);
    vocabulary.push_back("the");
    WriterConfig config = PhraseConfig(round % 2 == 0 ? AnalysisKind::kEnglish : AnalysisKind::kStandard, 1);
    IndexWriter writer(config);
    BatchBuilder first(config.analysis[0]);
    for (size_t i = 0; i < 10; ++i) first.Put("s" + std::to_string(i), test::RandomDocument(&random, vocabulary).texts);
    EXPECT(writer.Prepare(first.Slab(), nullptr).ok());
    writer.Publish(nullptr);
    // Every pair that the pages have is registered; those of the versions below may not be.
    auto registry = ChoosePhrases(*writer.Current(), config.phrase_limits);
    EXPECT(registry != nullptr);
    if (!registry) continue;
    if (random.Chance(0.5)) {
      RegistryHead head = registry->head();
      head.buckets = 4;
      std::vector<TermId> frequent;
      for (TermId term = 0; term < head.term_count; ++term) {
        if (random.Chance(0.8)) frequent.push_back(term);
      }
      std::vector<TermSequence> registered;
      for (ListId list = registry->head().buckets; list < registry->lists(); ++list) {
        const TermSequence& sequence = registry->SequenceOf(list);
        if (sequence.third == kNoTerm && random.Chance(0.3)) registered.push_back(sequence);
      }
      registry = PhraseRegistry::Make(head, frequent, registered).value();
    }

    DocumentDiffer differ(config.analysis, config.fields, config.seed, false);
    PhraseDiffer phrases;
    BatchTerms terms(writer.Current()->terms(), writer.Current()->spellings(), config.seed);
    test::ModelDocument document = test::RandomDocument(&random, vocabulary);
    std::optional<std::string> before;
    for (size_t version = 0; version < 20; ++version) {
      std::vector<FieldInput> input;
      for (const std::string& text : document.texts) input.push_back({false, text});
      std::optional<ForwardView> old;
      if (before) old.emplace(*before);
      std::vector<PostingDelta> postings, fast, slow;
      DiffOutcome outcome;
      EXPECT(differ.Diff(7, old, input, random.Next(), &terms, &postings, &outcome).ok());
      const ForwardView next(outcome.forward);
      phrases.Diff(*registry, 7, old, next, &differ, &fast);
      phrases.Diff(*registry, 7, old, next, nullptr, &slow);
      const auto order = [](const PostingDelta& a, const PostingDelta& b) { return a.term < b.term; };
      std::sort(fast.begin(), fast.end(), order);
      std::sort(slow.begin(), slow.end(), order);
      const auto is_same = [](const PostingDelta& a, const PostingDelta& b) {
        return std::tie(a.term, a.doc, a.old_tf, a.new_tf) == std::tie(b.term, b.doc, b.old_tf, b.new_tf);
      };
      EXPECT(std::equal(fast.begin(), fast.end(), slow.begin(), slow.end(), is_same));
      changes += before ? fast.size() : 0;
      before = std::move(outcome.forward);
      // Sometimes two edits, and sometimes lines change places.
      for (size_t edits = random.Between(1, 3); edits > 0; --edits)
        document = test::NextVersion(&random, vocabulary, document);
      std::string& text = document.texts[1];
      const size_t cut = text.find('\n');
      if (random.Chance(0.2) && cut != std::string::npos) text = text.substr(cut + 1) + "\n" + text.substr(0, cut);
    }
  }
  EXPECT(changes > 0);
}

TEST(PhraseLists, AnswerPhrasesAsTheDefinitionDoes) {
  size_t exact = 0, by_lists = 0, with_hits = 0;
  for (size_t round = 0; round < test::Rounds(8); ++round) {
    Random random(2900 + round);
    const WriterConfig config = PhraseConfig(AnalysisKind::kTokens, static_cast<uint32_t>(random.Between(1, 6)));
    IndexWriter writer(config);
    const std::vector<std::string> vocabulary = test::RandomVocabulary(&random, 8);
    for (size_t step = 0; step < 6; ++step) {
      BatchBuilder batch(config.analysis[0]);
      for (size_t key = 0; key < 60; ++key) {
        if (random.Chance(step == 0 ? 1 : 0.2))
          batch.Put("s" + std::to_string(key), test::RandomDocument(&random, vocabulary).texts);
      }
      EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
      writer.Publish(nullptr);
      if (step == 0 || random.Chance(0.3)) writer.Compact();
      const auto snapshot = writer.Current();
      score::Scoring scoring;
      scoring.field_boosts = {1, 2};
      test::NaiveSearch naive(*snapshot, scoring);
      for (size_t i = 0; i < 60; ++i) {
        std::vector<std::string> words;
        for (size_t left = random.Between(2, 4); left > 0; --left)
          words.push_back(vocabulary[random.Below(vocabulary.size())]);
        score::QueryNode query = test::Phrase(words, random.Chance(0.7) ? 1u << random.Below(2) : test::kAllFields);
        if (random.Chance(0.2)) ++query.tokens.back().position;
        std::vector<TermId> terms;
        std::vector<uint32_t> offsets;
        for (const score::QueryToken& token : query.tokens) {
          terms.push_back(snapshot->FindTerm(1, token.text));
          offsets.push_back(token.position);
        }
        if (std::find(terms.begin(), terms.end(), kNoTerm) == terms.end()) {
          const score::PhraseSources sources = score::SourcesOf(*snapshot, terms, offsets);
          exact += sources.is_exact;
          by_lists += std::any_of(sources.lists.begin(), sources.lists.end(), [&](const score::PhraseSource& source) {
            return !sources.is_exact && source.set == &snapshot->phrases;
          });
        }
        for (const bool looks_at_all : {false, true}) {
          score::SearchRequest request;
          request.limit = 1000;
          request.looks_at_all_matches = looks_at_all;
          score::SearchOutcome outcome = score::Search(*snapshot, scoring, query, request);
          const std::vector<score::Hit> expected = naive.Run(query);
          EXPECT_EQ(outcome.total, expected.size());
          EXPECT_EQ(outcome.hits.size(), expected.size());
          std::sort(outcome.hits.begin(), outcome.hits.end(), [](auto& a, auto& b) { return a.doc < b.doc; });
          for (size_t h = 0; h < std::min(outcome.hits.size(), expected.size()); ++h) {
            EXPECT_EQ(outcome.hits[h].doc, expected[h].doc);
            EXPECT(std::abs(outcome.hits[h].score - expected[h].score) <= 1e-12 * expected[h].score);
          }
          with_hits += !expected.empty();
        }
      }
    }
  }
  EXPECT(exact > 0 && by_lists > 0 && with_hits > 0);
}

TEST(PhraseRegistry, RefusesWhatMakesNoSense) {
  RegistryHead head;
  head.term_count = 5;
  head.buckets = 2;
  const std::vector<TermSequence> pairs = {{1, 2}, {2, 3}};
  EXPECT(PhraseRegistry::Make(head, {0, 4}, pairs).ok());
  EXPECT(PhraseRegistry::Make(head, {}, {{1, 2, 3}, {1, 2}, {2, 3}}).ok());
  EXPECT(!PhraseRegistry::Make(head, {}, {{1, 2, 3}, {1, 2}}).ok());  // a part of the triple is missing
  EXPECT(!PhraseRegistry::Make(head, {4, 0}, pairs).ok());
  EXPECT(!PhraseRegistry::Make(head, {5}, pairs).ok());
  EXPECT(!PhraseRegistry::Make(head, {}, {{2, 3}, {1, 2}}).ok());
  EXPECT(!PhraseRegistry::Make(head, {}, {{1, 2}, {1, 2}}).ok());
  EXPECT(!PhraseRegistry::Make(head, {}, {{1, 5}}).ok());
  for (const uint32_t buckets : {0u, 3u, PhraseRegistry::kMaxBuckets * 2}) {
    head.buckets = buckets;
    EXPECT(!PhraseRegistry::Make(head, {}, pairs).ok());
  }
}

TEST(PhraseRegistry, IsReadAsItWasWritten) {
  RegistryHead head;
  head.sequence = 9;
  head.documents = 8;
  head.term_count = 7;
  head.buckets = 4;
  const auto registry = PhraseRegistry::Make(head, {1, 3}, {{1, 2, 3}, {1, 2}, {2, 3}}).value();
  EXPECT_EQ(registry->lists(), 7);
  test::MemoryFiles files;
  const SegmentName name{{1, 2}, SegmentKind::kPhraseRegistry, 3};
  SegmentWriter writer(name);
  registry->AddTo(&writer);
  EXPECT(writer.WriteTo(&files, "segment").ok());
  auto segment = SegmentFile::Open(&files, "segment", name, std::make_shared<DamageLog>());
  EXPECT(segment.ok());
  const auto read = PhraseRegistry::Open(segment.value());
  EXPECT(read.ok());
  if (!read.ok()) return;
  EXPECT_EQ(read.value()->head().sequence, 9);
  EXPECT_EQ(read.value()->head().documents, 8);
  for (const TermSequence& sequence :
       {TermSequence{1, 2, 3}, TermSequence{1, 2}, TermSequence{2, 3}, TermSequence{3, 1}})
    EXPECT_EQ(read.value()->Registered(sequence), registry->Registered(sequence));
  for (TermId a = 0; a < 8; ++a) {
    for (TermId b = 0; b < 8; ++b) EXPECT_EQ(read.value()->ListOf(a, b), registry->ListOf(a, b));
  }
  EXPECT(registry->ListOf(1, 3) < 4 && registry->ListOf(3, 1) < 4 && registry->ListOf(1, 4) == kNoList);
}

}  // namespace
}  // namespace freshdex::index

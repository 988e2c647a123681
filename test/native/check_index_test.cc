#include "native/index/check_index.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::index {
namespace {

using test::BatchBuilder;
using test::Random;

// A healthy snapshot with several partitions, two runs over them, removed documents and documents with equal texts.
Snapshot Sample() {
  WriterConfig config;
  config.fields = 2;
  config.partition_bytes = 100;
  config.phrase_limits.least_pages = 3;
  IndexWriter writer(config);
  Random random(5);
  const auto vocabulary = test::RandomVocabulary(&random, 60);
  const auto write = [&](size_t begin, size_t end) {
    BatchBuilder batch;
    for (size_t i = begin; i < end; ++i) {
      const std::string text = test::RandomLine(&random, vocabulary, 10) + " every " + std::to_string(i % 4);
      batch.Put("s" + std::to_string(i), {text, "second every"}, static_cast<double>(i % 3), "kept");
    }
    for (size_t i = begin; i < end; i += 7) batch.Remove("s" + std::to_string(1000 + i));
    EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
    writer.Publish(nullptr);
  };
  write(1000, 1040);
  write(0, 200);
  writer.Compact();
  write(0, 30);
  write(20, 50);
  return *writer.Current();
}

std::set<std::string> FaultsOf(const Snapshot& snapshot, CheckLevel level = CheckLevel::kCross) {
  std::set<std::string> invariants;
  for (const Fault& fault : CheckIndex(snapshot, level).faults) invariants.insert(fault.invariant);
  return invariants;
}

// Damages a copy of the sample and expects the invariant to be named.
void ExpectFault(const char* invariant, const std::function<void(Snapshot*)>& damage) {
  Snapshot snapshot = Sample();
  damage(&snapshot);
  const std::set<std::string> faults = FaultsOf(snapshot);
  if (faults.count(invariant) == 0) EXPECT_EQ(faults, std::set<std::string>{invariant});
}

DocId FirstVisible(const Snapshot& snapshot, DocId from = 0) {
  while (!snapshot.IsVisible(from)) ++from;
  return from;
}

DocId FirstInvisible(const Snapshot& snapshot) {
  DocId doc = 0;
  while (doc < snapshot.doc_limit && snapshot.IsVisible(doc)) ++doc;
  return doc;
}

std::vector<PostingDelta> DeltasOf(const DeltaRun& run) {
  std::vector<PostingDelta> deltas;
  for (size_t i = 0; i < run.terms().size(); ++i) {
    const TermDeltas of_term = run.At(i);
    for (size_t d = 0; d < of_term.docs.size(); ++d) {
      deltas.push_back({run.terms()[i], of_term.docs[d], of_term.old_tfs[d], of_term.new_tfs[d]});
    }
  }
  return deltas;
}

// Replaces the last run by one whose deltas were edited.
void EditRun(Snapshot* snapshot, const std::function<void(std::vector<PostingDelta>*)>& edit) {
  auto& run = snapshot->runs.back();
  std::vector<PostingDelta> deltas = DeltasOf(*run);
  edit(&deltas);
  run = DeltaRun::Seal(std::move(deltas), run->sequence());
}

struct List {
  std::vector<DocId> docs;
  std::vector<uint16_t> tfs;
  std::vector<uint8_t> norms;
};

// Rewrites the partition of the longest base list with that list edited.
void EditLargestList(Snapshot* snapshot, const std::function<void(List*)>& edit) {
  TermId largest = 0;
  for (TermId term = 0; term < snapshot->term_count; ++term) {
    const auto df = [&](TermId t) { return snapshot->PartitionOf(t).DocumentFrequency(t); };
    if (df(term) > df(largest)) largest = term;
  }
  for (auto& partition : snapshot->partitions) {
    if (largest < partition->term_begin() || largest >= partition->term_end()) continue;
    PartitionBuilder builder(partition->term_begin(), partition->folded_through());
    for (TermId term = partition->term_begin(); term < partition->known_end(); ++term) {
      PostingList list;
      partition->Find(term, &list);
      List copy;
      for (size_t b = 0; b < (list.is_single ? 1 : list.block_count); ++b) {
        DocId docs[kBlockPostings];
        uint32_t tfs[kBlockPostings];
        const size_t count = partition->Decode(list, b, docs, tfs);
        copy.docs.insert(copy.docs.end(), docs, docs + count);
        copy.tfs.insert(copy.tfs.end(), tfs, tfs + count);
        copy.norms.resize(copy.docs.size(), list.is_single ? 0 : list.blocks[b].min_norm);
      }
      if (term == largest) edit(&copy);
      builder.Add(term, copy.docs, copy.tfs, copy.norms);
    }
    partition = builder.Finish(partition->known_end(), partition->term_end());
  }
}

void SetRecord(Snapshot* snapshot, DocId doc, std::shared_ptr<const DocRecord> record) {
  RecordTable::Editor(&snapshot->records).Set(doc, std::move(record));
}

// Replaces the forward record of the first visible document.
void EditForward(Snapshot* snapshot, const std::function<void(std::string*)>& edit) {
  const DocId doc = FirstVisible(*snapshot);
  auto record = std::make_shared<DocRecord>(*snapshot->records[doc]);
  std::string forward = *record->forward;
  edit(&forward);
  record->forward = std::make_shared<const std::string>(std::move(forward));
  SetRecord(snapshot, doc, std::move(record));
}

TEST(CheckIndex, FindsNoFaultInAHealthySnapshot) {
  const Snapshot sample = Sample();
  EXPECT(sample.partitions.size() > 2);
  EXPECT_EQ(sample.runs.size(), 2);
  EXPECT(FirstInvisible(sample) < sample.doc_limit);
  const CheckReport report = CheckIndex(sample, CheckLevel::kCross);
  EXPECT_EQ(report.faults.size(), 0);
  EXPECT_EQ(report.documents, sample.documents);
  EXPECT_EQ(report.terms, sample.term_count);
  uint64_t postings = 0;
  for (TermId term = 0; term < sample.term_count; ++term) postings += sample.DocumentFrequency(term);
  EXPECT_EQ(report.postings, postings);
}

TEST(CheckIndex, FindsPartitionsThatDoNotCoverTheTerms) {
  ExpectFault("S1", [](Snapshot* s) { s->partitions.pop_back(); });
  ExpectFault("S1", [](Snapshot* s) { s->partitions.erase(s->partitions.begin()); });
  ExpectFault("S1", [](Snapshot* s) { s->partitions.erase(s->partitions.begin() + 1); });
  ExpectFault("S1", [](Snapshot* s) { s->partitions.insert(s->partitions.begin(), s->partitions.front()); });
}

TEST(CheckIndex, FindsDamagedRuns) {
  ExpectFault("S2", [](Snapshot* s) { s->runs.pop_back(); });
  ExpectFault("S2", [](Snapshot* s) { s->runs.erase(s->runs.begin()); });
  ExpectFault("S2", [](Snapshot* s) { std::swap(s->runs.front(), s->runs.back()); });
  ExpectFault("S2", [](Snapshot* s) {
    EditRun(s, [](auto* deltas) {
      for (PostingDelta& delta : *deltas) {
        if (delta.old_tf == 0) continue;
        delta.old_tf = static_cast<uint16_t>(delta.old_tf + delta.new_tf + 1);
        return;
      }
    });
  });
  ExpectFault("S2", [](Snapshot* s) { EditRun(s, [](auto* deltas) { deltas->front().new_tf = 4000; }); });
  ExpectFault("S2", [](Snapshot* s) { EditRun(s, [](auto* deltas) { deltas->pop_back(); }); });
  ExpectFault("R1", [](Snapshot* s) {
    EditRun(s, [&](auto* deltas) { deltas->push_back({deltas->back().term, s->doc_limit, 0, 1}); });
  });
  ExpectFault("R1",
              [](Snapshot* s) { EditRun(s, [&](auto* deltas) { deltas->push_back({s->term_count, 0, 0, 1}); }); });
  ExpectFault("R1",
              [](Snapshot* s) { EditRun(s, [](auto* deltas) { deltas->push_back({deltas->back().term, 0, 0, 1}); }); });
  ExpectFault("R2",
              [](Snapshot* s) { EditRun(s, [](auto* deltas) { deltas->front().new_tf = deltas->front().old_tf; }); });
}

TEST(CheckIndex, FindsDamagedLists) {
  ExpectFault("S2", [](Snapshot* s) { EditLargestList(s, [](List* list) { *list = {}; }); });
  ExpectFault("S2", [](Snapshot* s) { EditLargestList(s, [](List* list) { ++list->tfs[150]; }); });
  ExpectFault("S2", [](Snapshot* s) {
    EditLargestList(s, [](List* list) {
      list->docs.pop_back();
      list->tfs.pop_back();
      list->norms.pop_back();
    });
  });
  ExpectFault("P3",
              [](Snapshot* s) { EditLargestList(s, [](List* list) { list->norms.assign(list->norms.size(), 255); }); });
}

TEST(CheckIndex, FindsWrongNormsAndWeights) {
  ExpectFault("S3", [](Snapshot* s) { NormTable::Editor(&s->norms[1]).Set(FirstVisible(*s), 77); });
  ExpectFault("S3", [](Snapshot* s) { NormTable::Editor(&s->norms[0]).Set(FirstInvisible(*s), 1); });
  ExpectFault("S3", [](Snapshot* s) { WeightTable::Editor(&s->weights).Set(FirstVisible(*s), 7.5); });
  ExpectFault("S3", [](Snapshot* s) { WeightTable::Editor(&s->weights).Set(FirstInvisible(*s), 1); });
}

TEST(CheckIndex, FindsDamagedRecords) {
  ExpectFault("S4", [](Snapshot* s) { SetRecord(s, FirstVisible(*s), nullptr); });
  ExpectFault("S2", [](Snapshot* s) {
    const DocId a = FirstVisible(*s), b = FirstVisible(*s, a + 1);
    const auto first = s->records[a], second = s->records[b];
    SetRecord(s, a, second);
    SetRecord(s, b, first);
  });
  ExpectFault("S3", [](Snapshot* s) { EditForward(s, [](std::string* forward) { forward->pop_back(); }); });
  ExpectFault("S3", [](Snapshot* s) { EditForward(s, [](std::string* forward) { ++(*forward)[8]; }); });
  ExpectFault("S3", [](Snapshot* s) {
    EditForward(s, [](std::string* forward) {
      ForwardBuilder builder;
      builder.Start(1);
      *forward = builder.Finish(0, 0);
    });
  });
  ExpectFault("S2", [](Snapshot* s) {
    EditForward(s, [](std::string* forward) { forward->back() = forward->back() == '\x7F' ? '\x7E' : '\x7F'; });
  });
}

TEST(CheckIndex, FindsDamagedListsOfPhrases) {
  EXPECT(Sample().phrases.registry != nullptr);
  ExpectFault("S7", [](Snapshot* s) { s->phrases.runs.pop_back(); });
  ExpectFault("S7", [](Snapshot* s) { s->phrases.registry = nullptr; });
  ExpectFault("S1", [](Snapshot* s) { s->phrases.partitions.pop_back(); });
  ExpectFault("S7", [](Snapshot* s) {
    // No word is frequent any more, so that buckets should be empty.
    const PhraseRegistry& registry = *s->phrases.registry;
    std::vector<TermSequence> registered;
    for (ListId list = registry.head().buckets; list < registry.lists(); ++list)
      registered.push_back(registry.SequenceOf(list));
    s->phrases.registry = PhraseRegistry::Make(registry.head(), {}, registered).value();
  });
}

TEST(CheckIndex, FindsADocumentBehindTheLimit) {
  ExpectFault("S3", [](Snapshot* s) { SetRecord(s, s->doc_limit + 1, s->records[FirstVisible(*s)]); });
}

TEST(CheckIndex, FindsWrongTotals) {
  ExpectFault("S4", [](Snapshot* s) { ++s->documents; });
  ExpectFault("S4", [](Snapshot* s) { --s->doc_limit; });
  ExpectFault("S4", [](Snapshot* s) { ++s->postings; });
  ExpectFault("S4", [](Snapshot* s) { ++s->forward_bytes; });
  ExpectFault("S4", [](Snapshot* s) { --s->stored_bytes; });
  for (size_t field = 0; field < 2; ++field) {
    ExpectFault("S4", [&](Snapshot* s) { --s->fields[field].documents; });
    ExpectFault("S4", [&](Snapshot* s) { ++s->fields[field].tokens; });
  }
}

TEST(CheckIndex, FindsTermsOutOfOrder) {
  ExpectFault("S5", [](Snapshot* s) { s->sorted_terms = {}; });
  ExpectFault("S5", [](Snapshot* s) { s->sorted_terms.Add(s->terms(), {3}); });
  ExpectFault("S5", [](Snapshot* s) {
    std::vector<TermId> all_but_one;
    for (TermId term = 1; term < s->term_count; ++term) all_but_one.push_back(term);
    s->sorted_terms = {};
    s->sorted_terms.Add(s->terms(), all_but_one);
  });
}

// A copy of the vocabulary, with another table of spellings.
void Respell(Snapshot* s, const std::function<void(SpellingTable*, const TermDict&)>& spell) {
  auto vocabulary = std::make_shared<Vocabulary>(99);
  for (TermId term = 0; term < s->term_count; ++term) {
    const FieldId field = s->terms().FieldOf(term);
    vocabulary->terms.Add(field, s->terms().Text(term), vocabulary->terms.Hash(field, s->terms().Text(term)));
  }
  for (DocId doc = 0; doc < s->doc_limit; ++doc) vocabulary->keys.Bind("s" + std::to_string(doc), doc);
  spell(&vocabulary->spellings, vocabulary->terms);
  s->spelling_count = static_cast<SpellingId>(vocabulary->spellings.size());
  std::vector<SpellingId> all(s->spelling_count);
  for (SpellingId i = 0; i < s->spelling_count; ++i) all[i] = i;
  s->sorted_spellings = {};
  s->sorted_spellings.Add(vocabulary->spellings, all);
  s->vocabulary = vocabulary;
}

TEST(CheckIndex, FindsSpellingsThatMakeNoSense) {
  ExpectFault("L2", [](Snapshot* s) {
    Respell(s, [&](SpellingTable* table, const TermDict& terms) {
      for (TermId term = 0; term < s->term_count; ++term) table->AddTerm(true);
      table->Add(terms.FieldOf(0), terms.Text(0), 0, 1);
    });
  });
  ExpectFault("L3", [](Snapshot* s) {
    Respell(s, [&](SpellingTable* table, const TermDict& terms) {
      for (TermId term = 0; term < s->term_count; ++term) table->AddTerm(true);
      table->Add(static_cast<FieldId>(1 - terms.FieldOf(0)), "another", 0, 1);
    });
  });
  ExpectFault("L4", [](Snapshot* s) {
    Respell(s, [&](SpellingTable* table, const TermDict&) {
      for (TermId term = 0; term < s->term_count; ++term) table->AddTerm(term != 2);
    });
  });
  ExpectFault("S5", [](Snapshot* s) {
    Respell(s, [&](SpellingTable* table, const TermDict& terms) {
      for (TermId term = 0; term < s->term_count; ++term) table->AddTerm(true);
      table->Add(terms.FieldOf(0), "another", 0, 1);
    });
    s->sorted_spellings = {};
  });
}

TEST(CheckIndex, FindsATermThatIsThereTwice) {
  ExpectFault("I2", [](Snapshot* s) {
    auto vocabulary = std::make_shared<Vocabulary>(99);
    for (TermId term = 0; term < s->term_count; ++term) {
      const TermId named = term == 1 ? 0 : term;
      const FieldId field = s->terms().FieldOf(named);
      const std::string_view text = s->terms().Text(named);
      vocabulary->terms.Add(field, text, vocabulary->terms.Hash(field, text));
      vocabulary->spellings.AddTerm(true);
    }
    for (DocId doc = 0; doc < s->doc_limit; ++doc) vocabulary->keys.Bind("s" + std::to_string(doc), doc);
    s->vocabulary = vocabulary;
  });
}

TEST(CheckIndex, LooksAtEachLevelForWhatTheLevelSays) {
  const auto expect = [](const std::function<void(Snapshot*)>& damage, bool in_checksums, bool in_structure) {
    Snapshot snapshot = Sample();
    damage(&snapshot);
    EXPECT_EQ(!FaultsOf(snapshot, CheckLevel::kChecksums).empty(), in_checksums);
    EXPECT_EQ(!FaultsOf(snapshot, CheckLevel::kStructure).empty(), in_structure);
    EXPECT(!FaultsOf(snapshot, CheckLevel::kCross).empty());
  };
  expect([](Snapshot* s) { ++s->postings; }, false, false);
  expect([](Snapshot* s) { EditForward(s, [](std::string* forward) { ++(*forward)[8]; }); }, false, false);
  expect([](Snapshot* s) { EditRun(s, [](auto* deltas) { deltas->front().new_tf = 4000; }); }, false, false);
  expect([](Snapshot* s) { s->runs.erase(s->runs.begin()); }, false, true);
  expect([](Snapshot* s) { s->partitions.pop_back(); }, false, true);
  expect([](Snapshot* s) { s->sorted_terms = {}; }, false, true);
  expect([](Snapshot* s) { ++s->forward_bytes; }, false, true);
  expect([](Snapshot* s) { EditLargestList(s, [](List* list) { list->norms.assign(list->norms.size(), 255); }); },
         false, true);
  expect([](Snapshot* s) { s->damage->Note(Status(Code::kCorrupt, "met by a reader")); }, true, true);
  const Snapshot healthy = Sample();
  EXPECT(FaultsOf(healthy, CheckLevel::kChecksums).empty() && FaultsOf(healthy, CheckLevel::kStructure).empty());
  EXPECT_EQ(CheckIndex(healthy, CheckLevel::kChecksums).postings, CheckIndex(healthy, CheckLevel::kCross).postings);
}

TEST(CheckIndex, StopsCountingFaultsAtItsLimit) {
  Snapshot snapshot = Sample();
  NormTable::Editor norms(&snapshot.norms[0]);
  for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) norms.Set(doc, 250);
  EXPECT_EQ(CheckIndex(snapshot, CheckLevel::kCross).faults.size(), kMaxFaults);
}

}  // namespace
}  // namespace freshdex::index

// One writer, several readers, no waiting for one another. Run under ThreadSanitizer this also shows that what the
// headers say about threads is so: make SANITIZE=thread run.
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "native/index/check_index.h"
#include "native/index/index_writer.h"
#include "native/score/expansion.h"
#include "native/score/search.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/query_builder.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::score {
namespace {

using index::DocId;
using index::IndexWriter;
using index::kNoDoc;
using index::kNoTerm;
using index::Snapshot;
using index::TermId;
using test::Random;
using SnapshotPtr = std::shared_ptr<const Snapshot>;

constexpr size_t kKeys = 50;
constexpr size_t kReaders = 3;

// Every document holds the word "every" once and a word of its own, which is also its key.
std::string NameOf(size_t key) { return "own" + std::to_string(key); }

// Looks at a snapshot from one thread and notes what does not fit together. Checks of the harness belong to the thread
// of the test, so it collects them.
class Reader {
 public:
  explicit Reader(uint64_t stream) : random_(stream) { scoring_.field_boosts = {1}; }

  void Run(const IndexWriter& writer, const std::atomic<bool>& is_done) {
    while (!is_done.load()) {
      held_.push_back(writer.Current());
      Check(*held_.back());
      const size_t old = random_.Below(held_.size());
      Check(*held_[old]);
      if (held_.size() > 3) Release(old);
      ++rounds_;
    }
    while (!held_.empty()) Release(0);
  }

  // Any thread.
  uint64_t rounds() const { return rounds_.load(); }
  const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  void Expect(bool holds, const char* what) {
    if (!holds && complaints_.size() < 20) complaints_.emplace_back(what);
  }

  // Reads keys without a lock up to the moment the snapshot goes: the writer may release them right after.
  void Release(size_t which) {
    const Snapshot& snapshot = *held_[which];
    for (DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
      if (snapshot.IsVisible(doc))
        Expect(snapshot.vocabulary->keys.KeyOf(doc).starts_with("sown"), "key of a document");
    }
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void Check(const Snapshot& snapshot) {
    CheckEveryDocument(snapshot);
    CheckOneKey(snapshot, random_.Below(kKeys));
    SearchBudget unlimited({});
    const Expansion own = ExpandPrefix(snapshot, 0, "own", 1024, &unlimited);
    Expect(own.terms.size() == snapshot.documents, "one own word for each document");
    for (const ExpandedTerm& expanded : own.terms) Expect(expanded.df == 1, "documents of an own word");
    ExpandFuzzy(snapshot, 0, "own1", 2, 100, &unlimited);
    if (random_.Chance(0.1))
      Expect(index::CheckIndex(snapshot, index::CheckLevel::kCross).faults.empty(), "check of the index");
  }

  void CheckEveryDocument(const Snapshot& snapshot) {
    const TermId every = snapshot.FindTerm(0, "every");
    Expect((every == kNoTerm ? 0 : snapshot.DocumentFrequency(every)) == snapshot.documents,
           "df of the word in every document");
    Expect(snapshot.fields[0].documents == snapshot.documents, "documents of the field");
    SearchRequest request;
    request.limit = 100;
    const SearchOutcome outcome =
        Search(snapshot, scoring_, test::Or({test::Word("every"), test::Prefix("own1")}), request);
    Expect(outcome.total == snapshot.documents && outcome.hits.size() == outcome.total,
           "search for the word in every document");
    for (const Hit& hit : outcome.hits) {
      const std::string key(snapshot.vocabulary->keys.KeyOf(hit.doc));
      Expect(snapshot.FindKey(key) == hit.doc, "key of a hit");
    }
  }

  void CheckOneKey(const Snapshot& snapshot, size_t key) {
    const DocId doc = snapshot.FindKey("s" + NameOf(key));
    const SearchOutcome outcome = Search(snapshot, scoring_, test::Phrase({"every", NameOf(key)}), {});
    Expect(outcome.total == (doc == kNoDoc ? 0 : 1), "documents with the phrase of a key");
    if (doc == kNoDoc) return;
    Expect(!outcome.hits.empty() && outcome.hits[0].doc == doc, "document with the phrase of a key");
    const auto record = snapshot.Record(doc);
    Expect(record && record->stored == NameOf(key), "stored document of a key");
    Expect(snapshot.weights[doc] == static_cast<double>(key), "weight of a key");
  }

  Random random_;
  Scoring scoring_;
  std::deque<SnapshotPtr> held_;
  std::vector<std::string> complaints_;
  std::atomic<uint64_t> rounds_ = 0;
};

// However the threads are scheduled, every reader is to look at the index again.
void AwaitRounds(const std::deque<Reader>& readers) {
  for (const Reader& reader : readers) {
    for (const uint64_t before = reader.rounds(); reader.rounds() == before;) std::this_thread::yield();
  }
}

void WriteBatches(IndexWriter* writer, Random* random, const std::deque<Reader>& readers, size_t batches) {
  const auto vocabulary = test::RandomVocabulary(random, 200);
  for (size_t batch = 0; batch < batches; ++batch) {
    if (batch % 10 == 0) AwaitRounds(readers);
    test::BatchBuilder builder;
    const size_t first = random->Below(kKeys);
    for (size_t i = 0; i < 6; ++i) {
      const size_t key = (first + i * 7) % kKeys;
      if (random->Chance(0.4)) {
        builder.Remove("s" + NameOf(key));
        continue;
      }
      const std::string text = test::JoinLines(test::RandomLines(random, vocabulary, random->Below(6), 8));
      // New words all the time, so that the dictionary grows under its readers.
      const std::string fresh = random->Chance(0.5) ? "new" + std::to_string(random->Next()) : "";
      builder.Put("s" + NameOf(key), {text + " every " + NameOf(key) + " " + fresh}, static_cast<double>(key),
                  NameOf(key));
    }
    EXPECT(writer->Prepare(builder.Slab(), nullptr).ok());
    if (random->Chance(0.1)) {
      writer->Discard(nullptr);
    } else {
      writer->Publish(nullptr);
    }
    for (size_t steps = random->Below(4); steps > 0 && writer->MaintainStep(); --steps) {
    }
    if (random->Chance(0.03)) writer->Compact();
  }
}

TEST(Concurrency, ReadersSeeWholeSnapshotsWhileAWriterPublishesAndFolds) {
  index::WriterConfig config;
  config.phrase_limits.least_pages = 3;
  config.seed = 3;
  config.fold_floor = 8;
  config.partition_bytes = 256;
  IndexWriter writer(config);
  std::atomic<bool> is_done = false;
  std::deque<Reader> readers;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kReaders; ++i) {
    Reader& reader = readers.emplace_back(1000 + i);
    threads.emplace_back([&] { reader.Run(writer, is_done); });
  }
  Random random;
  WriteBatches(&writer, &random, readers, test::Rounds(120));
  is_done.store(true);
  for (std::thread& thread : threads) thread.join();
  for (const Reader& reader : readers) {
    for (const std::string& complaint : reader.complaints()) EXPECT_EQ(complaint, "no complaint");
  }
  EXPECT(index::CheckIndex(*writer.Current(), index::CheckLevel::kCross).faults.empty());
}

// The reader takes no lock after its last read of a key: letting go of the snapshot must be enough to order the read
// before the writer's release of the key.
TEST(Concurrency, AKeyIsReleasedAfterTheLastReadOfIt) {
  for (size_t round = 0; round < test::Rounds(50); ++round) {
    IndexWriter writer{index::WriterConfig()};
    EXPECT(writer.Prepare(test::BatchBuilder().Put("skey", {"word"}).Slab(), nullptr).ok());
    writer.Publish(nullptr);
    size_t length = 0;
    std::thread reader([&length, snapshot = writer.Current()]() mutable {
      length = snapshot->vocabulary->keys.KeyOf(0).size();
      snapshot.reset();
    });
    EXPECT(writer.Prepare(test::BatchBuilder().Remove("skey").Slab(), nullptr).ok());
    writer.Publish(nullptr);
    while (writer.Current()->vocabulary->keys.Find("skey") != kNoDoc) {
      EXPECT(writer.Prepare(test::BatchBuilder().Slab(), nullptr).ok());
      writer.Publish(nullptr);
    }
    reader.join();
    EXPECT_EQ(length, 4);
  }
}

}  // namespace
}  // namespace freshdex::score

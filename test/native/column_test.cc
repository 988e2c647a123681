#include "native/index/column.h"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "native/base/bytes.h"
#include "native/index/column_segments.h"
#include "native/index/column_values.h"
#include "native/index/index_writer.h"
#include "native/index/keyword_dict.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/random.h"
#include "test/native/recording_observer.h"
#include "test/native/store_run.h"

namespace freshdex::index {
namespace {

using test::BatchBuilder;
using test::ExpectOk;
using test::ModelDocuments;
using test::ModelValues;
using test::Random;
using test::StoreRun;

const ColumnKinds kKinds = {ColumnKind::kKeyword, ColumnKind::kNumber, ColumnKind::kBoolean};

std::optional<std::string> FromPayload(const std::string& payload, std::string_view before = {}) {
  bool keeps = false;
  return ValuesOfPayload(payload, kKinds, before, &keeps);
}

std::string Words(const std::vector<std::string>& words) {
  std::string payload;
  AppendValue(&payload, static_cast<uint32_t>(words.size()));
  for (const std::string& word : words) {
    AppendValue(&payload, static_cast<uint32_t>(word.size()));
    payload += word;
  }
  return payload;
}

std::string Numbers(const std::vector<double>& numbers) {
  std::string payload;
  AppendValue(&payload, static_cast<uint32_t>(numbers.size()));
  for (const double number : numbers) AppendValue(&payload, number);
  return payload;
}

const std::string kNone(4, '\0');

TEST(ColumnValues, AreTheSameBytesInAnyOrder) {
  const auto values = FromPayload(Words({"docs", "api", "docs"}) + Numbers({2, -1, 2, 0.0}) + kNone);
  EXPECT(values == FromPayload(Words({"api", "docs"}) + Numbers({-0.0, -1, 2}) + kNone));
  const auto read = ReadValues(*values, kKinds);
  EXPECT((*read)[0].words == std::vector<std::string_view>({"api", "docs"}));
  EXPECT((*read)[1].numbers == std::vector<double>({-1, 0, 2}));
  EXPECT(!std::signbit((*read)[1].numbers[1]));
  EXPECT_EQ(FromPayload(kNone + kNone + kNone).value(), "");
  EXPECT_EQ(FromPayload(Words({""}) + kNone + kNone).value(), std::string("\1\0", 2));
  EXPECT_EQ(FromPayload(kNone + kNone + std::string("\1\0\0\0\1", 5)).value(), std::string("\0\0\1\1", 4));
}

TEST(ColumnValues, KeepsThoseThatAPayloadLeavesOut) {
  const auto before = FromPayload(Words({"docs"}) + Numbers({7}) + kNone).value();
  const std::string kept(4, '\xFF');
  EXPECT_EQ(FromPayload(kept + kept + kept, before).value(), before);
  EXPECT_EQ(FromPayload(kept + kNone + kept, before).value(), FromPayload(Words({"docs"}) + kNone + kNone).value());
  EXPECT_EQ(FromPayload(Words({"api"}) + kept + kNone, before).value(),
            FromPayload(Words({"api"}) + Numbers({7}) + kNone).value());
}

TEST(ColumnValues, RefusesPayloadsThatAreNone) {
  EXPECT(!FromPayload(""));
  EXPECT(!FromPayload(kNone + kNone));
  EXPECT(!FromPayload(kNone + kNone + kNone + "x"));
  EXPECT(!FromPayload(kNone + Numbers({NAN}) + kNone));
  EXPECT(!FromPayload(kNone + Numbers({INFINITY}) + kNone));
  EXPECT(!FromPayload(kNone + kNone + std::string("\1\0\0\0\2", 5)));
  EXPECT(!FromPayload(Words({std::string(65536, 'a')}) + kNone + kNone));
  EXPECT(FromPayload(Words({std::string(65535, 'a')}) + kNone + kNone).has_value());
  std::string many(4, '\0');
  many[2] = 1;  // 65,536 values
  EXPECT(!FromPayload(many + std::string(size_t{8} << 16, '\0') + kNone + kNone));
}

TEST(ColumnValues, ReadsWhatItWroteAndNothingElse) {
  Random random(900);
  size_t refused = 0;
  for (size_t round = 0; round < test::Rounds(300); ++round) {
    const BatchBuilder batch(AnalysisKind::kStandard, test::kRandomColumns);
    std::string bytes;
    {
      BatchBuilder one(AnalysisKind::kStandard, test::kRandomColumns);
      const std::string slab = one.Put("s1", {}, 0, "", test::RandomValues(&random)).Slab();
      const auto parsed = ParseBatch(slab, 0, test::kRandomColumns, AnalysisKind::kStandard, 0);
      ExpectOk(parsed.status());
      bytes = parsed.value().puts[0].values;
    }
    EXPECT(ReadValues(bytes, test::kRandomColumns).has_value());
    for (size_t end = 0; end < std::min<size_t>(bytes.size(), 40); ++end)
      refused += !ReadValues(bytes.substr(0, end), test::kRandomColumns);
    if (bytes.empty()) continue;
    bytes[random.Below(bytes.size())] ^= static_cast<char>(random.Between(1, 255));
    (void)ReadValues(bytes, test::kRandomColumns);
  }
  EXPECT(refused > 1000);
}

TEST(KeywordDict, FindsWordsWhileOthersAreAdded) {
  KeywordDict dict(7);
  std::atomic<uint32_t> published{0};
  std::atomic<size_t> wrong{0};
  const auto word_of = [](uint32_t i) { return "word" + std::to_string(i); };
  const uint32_t count = 20000;
  std::thread reader([&] {
    Random random(901);
    while (published.load() < count) {
      const uint32_t known = published.load();
      if (known == 0) continue;
      const auto i = static_cast<uint32_t>(random.Below(known));
      wrong += dict.Find(word_of(i)) != i || dict.Text(i) != word_of(i);
    }
  });
  for (uint32_t i = 0; i < count; ++i) {
    EXPECT_EQ(dict.FindOrAdd(word_of(i)), i);
    published.store(i + 1);
  }
  reader.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT(dict.FindOrAdd(word_of(5)) == 5 && !dict.Find("absent") && dict.size() == count);
}

ModelDocuments Many(size_t count, const std::string& prefix) {
  ModelDocuments documents;
  for (size_t i = 0; i < count; ++i) {
    ModelValues values(test::kRandomColumns.size());
    values[0].words = {prefix + std::to_string(i)};
    values[1].numbers = {static_cast<double>(i)};
    documents["sdoc" + std::to_string(i)] = {{"title", "body"}, 0, "", values};
  }
  return documents;
}

uint64_t BytesOf(const StoreRun& run, SegmentKind kind) {
  uint64_t bytes = 0;
  for (const SegmentRef& ref : run.durable().manifest) bytes += ref.kind == kind ? ref.bytes : 0;
  return bytes;
}

TEST(Columns, AFlushWritesOnlyPagesThatChanged) {
  StoreRun run(902, AnalysisKind::kStandard);
  run.Put(Many(6000, "k"));
  ExpectOk(run.Flush(true));
  const auto before = run.durable().manifest;
  const uint64_t all = BytesOf(run, SegmentKind::kColumns);
  ModelDocuments one = {{"sdoc700", run.durable().documents.at("sdoc700")}};
  one["sdoc700"].values[1].numbers = {-5};
  run.Put(one);
  ExpectOk(run.Flush(true));
  const uint64_t more = BytesOf(run, SegmentKind::kColumns) - all;
  // One page of one column of all pages of two.
  EXPECT(more > 0 && more < all / 12);
  size_t words = 0;
  for (const SegmentRef& ref : run.durable().manifest) {
    const bool is_new = std::ranges::find(before, ref) == before.end();
    words += is_new && ref.kind == SegmentKind::kWords;
  }
  EXPECT_EQ(words, 0);
  run.Reopen();
  // Dead pages do not pile up.
  for (size_t round = 0; round < 40; ++round) {
    one["sdoc700"].values[1].numbers = {static_cast<double>(round)};
    one["sdoc3000"] = run.durable().documents.at("sdoc3000");
    one["sdoc3000"].values[0].words = {"round" + std::to_string(round)};
    run.Put(one);
    ExpectOk(run.Flush(true));
  }
  EXPECT(BytesOf(run, SegmentKind::kColumns) < all + all / 2);
  run.Finish();
}

TEST(Columns, CompactionDropsWordsThatNoDocumentHas) {
  StoreRun run(903, AnalysisKind::kStandard);
  run.Put(Many(2000, "old"));
  ExpectOk(run.Flush(true));
  const auto held = run.writer().Current();
  const auto old = run.durable().documents;
  run.Put(Many(2000, "new"));
  ExpectOk(run.Flush(true));
  EXPECT_EQ(run.writer().Current()->columns[0].ordinal_count(), 4000);
  const uint64_t bytes = BytesOf(run, SegmentKind::kWords);
  run.CompactByFlushes();
  EXPECT_EQ(run.writer().Current()->columns[0].ordinal_count(), 2000);
  EXPECT(!run.writer().Current()->columns[0].FindWord("old7"));
  EXPECT(BytesOf(run, SegmentKind::kWords) < bytes * 2 / 3);
  // Whoever held a snapshot goes on with the words of old.
  EXPECT(held->columns[0].FindWord("old7").has_value());
  test::ExpectShows(*held, AnalysisKind::kStandard, old);
  run.Put(Many(10, "newer"));
  run.Finish();
}

TEST(Columns, ADiscardedBatchLeavesNoWord) {
  WriterConfig config;
  config.columns = {ColumnKind::kKeyword};
  IndexWriter writer(config);
  const auto slab = [&](const std::string& word) {
    return BatchBuilder(AnalysisKind::kStandard, config.columns).Put("sa", {"text"}, 0, "", {{{word}, {}}}).Slab();
  };
  ExpectOk(writer.Prepare(slab("first"), nullptr).status());
  writer.Discard(nullptr);
  EXPECT_EQ(writer.Current()->columns[0].ordinal_count(), 0);
  ExpectOk(writer.Prepare(slab("second"), nullptr).status());
  writer.Publish(nullptr);
  EXPECT(writer.Current()->columns[0].FindWord("second") == 0u);
  EXPECT(!writer.Current()->columns[0].FindWord("first"));
}

TEST(Columns, NewValuesAloneAreNoChange) {
  WriterConfig config;
  config.columns = {ColumnKind::kKeyword, ColumnKind::kNumber};
  IndexWriter writer(config);
  test::RecordingObserver observer;
  const auto write = [&](const ModelValues& values) {
    const BatchBuilder batch =
        BatchBuilder(AnalysisKind::kStandard, config.columns).Put("sa", {"some text"}, 2, "", values);
    const auto report = writer.Prepare(batch.Slab(), &observer);
    ExpectOk(report.status());
    const NamedDocument named = writer.prepared_documents()[0];
    writer.Publish(&observer);
    return std::pair(report.value(), named.outcome);
  };
  write({{{"a"}, {}}, {{}, {1}}});
  const uint64_t told = observer.documents();
  const auto before = writer.Current();
  const auto [report, outcome] = write({{{"b", "c"}, {}}, {{}, {}}});
  EXPECT_EQ(report.unchanged, 1);
  EXPECT_EQ(report.postings_written, 0);
  EXPECT(outcome == Outcome::kSame);
  EXPECT_EQ(observer.documents(), told);
  EXPECT(test::ValuesOf(*writer.Current(), 0) == ModelValues({{{"b", "c"}, {}}, {}}));
  EXPECT(test::ValuesOf(*before, 0) == ModelValues({{{"a"}, {}}, {{}, {1}}}));
  EXPECT_EQ(writer.Current()->Record(0)->sequence, before->Record(0)->sequence);
}

// Columns that an index is given later are empty until its documents are written again.
TEST(Columns, AnIndexIsGivenMoreOfThem) {
  auto files = std::make_shared<test::MemoryFiles>();
  test::Durable durable;
  WriterConfig config = test::StoreConfig(AnalysisKind::kStandard);
  config.columns = {ColumnKind::kKeyword};
  const ModelValues first = {{{"docs"}, {}}};
  const auto write = [&](IndexWriter* writer, const std::string& slab) {
    ExpectOk(writer->Prepare(slab, nullptr).status());
    durable.log[writer->next_sequence()] = std::make_shared<const std::string>(writer->prepared_row());
    writer->Publish(nullptr);
  };
  const auto flush = [&](IndexWriter* writer) {
    const auto flushed = writer->Flush(durable.next_number);
    ExpectOk(flushed.status());
    durable.manifest = flushed.value().live;
    durable.next_number += flushed.value().added.size();
    durable.log.clear();
    writer->AdoptFlush();
  };
  {
    const auto open = test::Open(files, durable, config);
    write(open.writer.get(),
          BatchBuilder(config.analysis[0], config.columns).Put("sa", {"one", ""}, 0, "", first).Slab());
    flush(open.writer.get());
    write(open.writer.get(),
          BatchBuilder(config.analysis[0], config.columns).Put("sb", {"two", ""}, 0, "", first).Slab());
  }
  config.columns.push_back(ColumnKind::kDate);
  {
    const auto open = test::Open(files, durable, config);
    ExpectOk(open.status);
    test::ExpectNoFaults(*open.writer->Current());
    for (const char* key : {"sa", "sb"})
      EXPECT(test::ValuesOf(*open.writer->Current(), open.writer->Current()->FindKey(key)) ==
             ModelValues({{{"docs"}, {}}, {}}));
    const ModelValues both = {{{"docs"}, {}}, {{}, {5}}};
    write(open.writer.get(),
          BatchBuilder(config.analysis[0], config.columns).Put("sa", {"one", ""}, 0, "", both).Slab());
    flush(open.writer.get());
    test::ExpectNoFaults(*open.writer->Current());
  }
  const auto open = test::Open(files, durable, config);
  ExpectOk(open.status);
  test::ExpectNoFaults(*open.writer->Current());
  EXPECT(test::ValuesOf(*open.writer->Current(), 0) == ModelValues({{{"docs"}, {}}, {{}, {5}}}));
  // Fewer columns, or another kind, are another index.
  config.columns = {ColumnKind::kKeyword};
  EXPECT(test::Open(files, durable, config).status.code() == Code::kCorrupt);
  config.columns = {ColumnKind::kKeyword, ColumnKind::kNumber};
  EXPECT(test::Open(files, durable, config).status.code() == Code::kCorrupt);
}

}  // namespace
}  // namespace freshdex::index

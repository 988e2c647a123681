#include "native/index/delta_row.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"
#include "native/index/check_index.h"
#include "native/index/index_writer.h"
#include "native/index/posting_observer.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::BatchBuilder;
using test::ExactBlock;
using test::Random;

constexpr uint64_t kRowSeed = 23;

WriterConfig TwoFields() {
  WriterConfig config;
  config.fields = 2;
  config.seed = kRowSeed;
  config.keeps_log = true;
  return config;
}

DeltaRow SampleRow() {
  DeltaRow row;
  row.sequence = 0x0102030405060708;
  row.terms = {{0, "first"}, {1, "second", false}, {1, std::string_view("\0\xFF", 2)}};
  row.spellings = {{1, "seconds"}, {7, "seven"}};
  RowDocument removed;
  removed.doc = 9;
  removed.is_removed = true;
  RowDocument added;
  added.doc = 4;
  added.has_key = added.has_new_text = true;
  added.key = "skey";
  added.weight = 2.5;
  added.stored = "bytes of the caller";
  added.text_hash = 77;
  added.pieces = "pieces";
  added.values = "values of its columns";
  RowDocument reweighted;
  reweighted.doc = 5;
  reweighted.weight = 1e300;
  row.documents = {removed, added, reweighted};
  return row;
}

// The row with its checksum made to fit again.
std::string Sealed(std::string row, uint64_t seed) {
  row.resize(row.size() - sizeof(uint64_t));
  AppendValue(&row, Xxh64(row, seed));
  return row;
}

Code DecodeCode(std::string_view bytes, size_t fields = 2) {
  const ExactBlock block(bytes);
  return DecodeRow(block.view(), fields, kRowSeed).status().code();
}

TEST(DeltaRow, ComesBackAsItWas) {
  const DeltaRow row = SampleRow();
  const std::string bytes = EncodeRow(row, 2, kRowSeed);
  const Result<DeltaRow> decoded = DecodeRow(bytes, 2, kRowSeed);
  EXPECT(decoded.ok());
  const DeltaRow& read = decoded.value();
  EXPECT_EQ(read.sequence, row.sequence);
  EXPECT_EQ(read.terms.size(), row.terms.size());
  for (size_t i = 0; i < read.terms.size(); ++i) {
    EXPECT_EQ(read.terms[i].field, row.terms[i].field);
    EXPECT_EQ(read.terms[i].bytes, row.terms[i].bytes);
    EXPECT_EQ(read.terms[i].is_spelt_as_is, row.terms[i].is_spelt_as_is);
  }
  EXPECT_EQ(read.spellings.size(), row.spellings.size());
  for (size_t i = 0; i < read.spellings.size(); ++i) {
    EXPECT_EQ(read.spellings[i].term, row.spellings[i].term);
    EXPECT_EQ(read.spellings[i].bytes, row.spellings[i].bytes);
  }
  EXPECT_EQ(read.documents.size(), row.documents.size());
  for (size_t i = 0; i < read.documents.size(); ++i) {
    const RowDocument &a = read.documents[i], &b = row.documents[i];
    EXPECT_EQ(a.doc, b.doc);
    EXPECT(a.is_removed == b.is_removed && a.has_key == b.has_key && a.has_new_text == b.has_new_text);
    EXPECT_EQ(a.key, b.key);
    EXPECT_EQ(a.weight, b.weight);
    EXPECT_EQ(a.stored, b.stored);
    EXPECT_EQ(a.text_hash, b.text_hash);
    EXPECT_EQ(a.pieces, b.pieces);
    EXPECT_EQ(a.values, b.values);
  }
  EXPECT_EQ(EncodeRow(read, 2, kRowSeed), bytes);
}

TEST(DeltaRow, IsLaidOutAsDocumented) {
  DeltaRow row;
  row.sequence = 1;
  row.documents.emplace_back();
  row.documents[0].doc = 7;
  row.documents[0].is_removed = true;
  std::string expected(
      "\x46\x44\x44\x52\x05\x00\x01\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00"
      "\x07\x00\x00\x00\x00",
      33);
  AppendValue(&expected, Xxh64(expected, 0));
  EXPECT_EQ(EncodeRow(row, 1, 0), expected);
}

TEST(DeltaRow, NoticesEveryFlippedBitAndEveryCut) {
  const std::string bytes = EncodeRow(SampleRow(), 2, kRowSeed);
  EXPECT_EQ(DecodeCode(bytes), Code::kOk);
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_EQ(DecodeCode(bytes.substr(0, length)), Code::kCorrupt);
  EXPECT_EQ(DecodeCode(bytes + '\0'), Code::kCorrupt);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_EQ(DecodeCode(damaged), Code::kCorrupt);
  }
  EXPECT_EQ(DecodeRow(bytes, 2, kRowSeed + 1).status().code(), Code::kCorrupt);
  EXPECT_EQ(DecodeCode(bytes, 1), Code::kCorrupt);
  // Written before the index had its third field.
  EXPECT_EQ(DecodeCode(bytes, 3), Code::kOk);
}

TEST(DeltaRow, NoticesACutThatTheChecksumHides) {
  const std::string bytes = EncodeRow(SampleRow(), 2, kRowSeed);
  for (size_t length = 8; length < bytes.size(); ++length)
    EXPECT_EQ(DecodeCode(Sealed(bytes.substr(0, length), kRowSeed)), Code::kCorrupt);
  EXPECT_EQ(DecodeCode(Sealed(bytes + '\0', kRowSeed)), Code::kCorrupt);
}

// An index with a few documents and the row of a batch that adds, replaces, reweights and removes.
struct RowSample {
  std::unique_ptr<IndexWriter> writer;
  std::string row;
};

RowSample SampleIndex() {
  RowSample sample;
  sample.writer = std::make_unique<IndexWriter>(TwoFields());
  const auto write = [&](const BatchBuilder& batch) {
    EXPECT(sample.writer->Prepare(batch.Slab(), nullptr).ok());
    sample.writer->Publish(nullptr);
  };
  write(BatchBuilder().Put(
      "sa", {"one two two\nthree", "a line of text which is long enough to be a chunk of its own\nfour\n"}, 1, "A"));
  write(BatchBuilder()
            .Put("sb", {"two three", ""}, 0, "B")
            .Put("sc", {"five", "six"})
            .Put("sd", {"", ""})
            .Put("se", {"one", "one"}));
  write(BatchBuilder().Remove("sd"));
  const BatchBuilder batch =
      BatchBuilder()
          .Put("sa", {"one two\nthree", "a line of text which is long enough to be a chunk of its own\nseven\n"}, 1,
               "A")
          .Put("sb", {"two three", ""}, 3, "other")
          .Put("snew", {"brand new", "words"}, 1, "N")
          .Put("snewer", {"one", "words"})
          .Remove("sc");
  EXPECT(sample.writer->Prepare(batch.Slab(), nullptr).ok());
  sample.row = sample.writer->prepared_row();
  sample.writer->Discard(nullptr);
  return sample;
}

TEST(DeltaRow, DamageBehindAFittingChecksumNeverCrashes) {
  Random random(31);
  RowSample sample = SampleIndex();
  const auto before = sample.writer->Current();
  size_t accepted = 0;
  for (size_t round = 0; round < test::Rounds(6000); ++round) {
    std::string damaged = sample.row;
    for (size_t left = random.Between(1, 3); left > 0; --left) {
      const size_t at = random.Below(damaged.size() - 8);
      const uint64_t kind = random.Below(4);
      if (kind == 0) damaged[at] = static_cast<char>(random.Next());
      if (kind == 1) damaged[at] = static_cast<char>(damaged[at] + (random.Chance(0.5) ? 1 : -1));
      if (kind == 2) damaged.erase(at, random.Between(1, 4));
      if (kind == 3) damaged.insert(at, damaged.substr(random.Below(damaged.size()), random.Below(12)));
      if (damaged.size() < 40) break;
    }
    const ExactBlock block(Sealed(damaged, kRowSeed));
    const Status status = sample.writer->PrepareRow(block.view(), nullptr);
    EXPECT(sample.writer->Current() == before);
    if (!status.ok()) {
      EXPECT_EQ(status.code(), Code::kCorrupt);
      EXPECT(!sample.writer->has_prepared());
      continue;
    }
    ++accepted;
    if (accepted % 8 != 0) {
      sample.writer->Discard(nullptr);
      continue;
    }
    // The index may now be wrong, but reading, checking and writing on must not break anything.
    RowSample other = SampleIndex();
    EXPECT(other.writer->PrepareRow(block.view(), nullptr).ok());
    other.writer->Publish(nullptr);
    (void)CheckIndex(*other.writer->Current(), CheckLevel::kCross);
    EXPECT(other.writer
               ->Prepare(BatchBuilder().Put("sa", {"one", "two"}).Remove("sb").Put("sz", {"z", "z"}).Slab(), nullptr)
               .ok());
    other.writer->Publish(nullptr);
    other.writer->Compact();
    sample.writer->Discard(nullptr);
  }
  EXPECT(accepted > 0);
  EXPECT(sample.writer->PrepareRow(sample.row, nullptr).ok());
  sample.writer->Publish(nullptr);
  test::ExpectNoFaults(*sample.writer->Current());
}

// Decodes the sample's row, lets `edit` change it and expects the index to refuse it.
template <typename Edit>
void ExpectRefused(const char* what, Edit edit) {
  RowSample sample = SampleIndex();
  Result<DeltaRow> row = DecodeRow(sample.row, 2, kRowSeed);
  EXPECT(row.ok());
  edit(&row.value());
  const Status status = sample.writer->PrepareRow(EncodeRow(row.value(), 2, kRowSeed), nullptr);
  if (status.code() != Code::kCorrupt) EXPECT_EQ(std::string(what), "refused");
  EXPECT(!sample.writer->has_prepared());
}

TEST(DeltaRow, IsRefusedWhenItContradictsItselfOrTheIndex) {
  // Documents of the row: sa, sb, snew, snewer, then the removal of sc.
  ExpectRefused("another sequence", [](DeltaRow* row) { ++row->sequence; });
  ExpectRefused("a term twice", [](DeltaRow* row) { row->terms.push_back(row->terms[0]); });
  ExpectRefused("a known term", [](DeltaRow* row) { row->terms.push_back({0, "one"}); });
  ExpectRefused("a spelling of no term", [](DeltaRow* row) { row->spellings.push_back({1u << 20, "none"}); });
  ExpectRefused("a spelling twice", [](DeltaRow* row) { row->spellings = {{0, "twice"}, {0, "twice"}}; });
  ExpectRefused("a spelling that is a term spelt as it is", [](DeltaRow* row) { row->spellings = {{0, "one"}}; });
  ExpectRefused("a term too few", [](DeltaRow* row) { row->terms.pop_back(); });
  ExpectRefused("a removal twice", [](DeltaRow* row) { row->documents.push_back(row->documents[4]); });
  ExpectRefused("a replacement twice", [](DeltaRow* row) { row->documents.push_back(row->documents[0]); });
  ExpectRefused("a weight twice", [](DeltaRow* row) { row->documents.push_back(row->documents[1]); });
  ExpectRefused("a new document twice", [](DeltaRow* row) { row->documents.push_back(row->documents[2]); });
  ExpectRefused("a key twice", [](DeltaRow* row) { row->documents[3].key = row->documents[2].key; });
  ExpectRefused("a number twice", [](DeltaRow* row) { row->documents[3].doc = row->documents[2].doc; });
  ExpectRefused("a key of another document", [](DeltaRow* row) { row->documents[3].key = "sb"; });
  ExpectRefused("a number that leaves a gap", [](DeltaRow* row) { row->documents[3].doc += 100; });
  ExpectRefused("a key where there is none new", [](DeltaRow* row) {
    row->documents[0].has_key = true;
    row->documents[0].key = "sa";
  });
  ExpectRefused("a new document without text", [](DeltaRow* row) { row->documents[2].has_new_text = false; });
  std::string swapped;
  ExpectRefused("a term in another field than its own", [&](DeltaRow* row) {
    const std::string_view pieces = row->documents[3].pieces;  // one chunk of one term in each field
    swapped = std::string(pieces.substr(pieces.size() / 2)).append(pieces.substr(0, pieces.size() / 2));
    row->documents[3].pieces = swapped;
  });
  ExpectRefused("a removal of what is not there", [](DeltaRow* row) { row->documents[4].doc = 1000; });
}

TEST(DeltaRow, TellsTheObserverWhenItIsRefused) {
  RowSample sample = SampleIndex();
  Result<DeltaRow> row = DecodeRow(sample.row, 2, kRowSeed);
  row.value().documents[4].doc = 1000;
  // Everything up to the damage is told to the observer, who then has to forget it again.
  class Counter final : public PostingObserver {
   public:
    void OnDocument(const DocumentChange&) override { ++documents; }
    void OnPublish() override {}
    void OnDiscard() override { ++discards; }
    int documents = 0, discards = 0;
  } counter;
  EXPECT(!sample.writer->PrepareRow(EncodeRow(row.value(), 2, kRowSeed), &counter).ok());
  EXPECT(counter.documents > 0);
  EXPECT_EQ(counter.discards, 1);
}

}  // namespace
}  // namespace freshdex::index

#include "native/index/forward_record.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/random.h"

namespace freshdex::index {
namespace {

using test::ExactBlock;
using test::Random;

// Terms and holes of a chunk, in order.
struct Piece {
  uint32_t holes;  // before the term
  TermId term;
};
struct ChunkModel {
  uint64_t hash;
  std::vector<Piece> pieces;
  uint32_t trailing_holes;
};
using RecordModel = std::vector<std::vector<ChunkModel>>;

TermId RandomTermId(Random* random) {
  switch (random->Below(4)) {
    case 0:
      return static_cast<TermId>(random->Between(150, 250));  // codes of one and of two bytes
    case 1:
      return static_cast<TermId>(random->Below(kMaxTerms));
    default:
      return static_cast<TermId>(random->Below(1000));
  }
}

RecordModel RandomModel(Random* random) {
  RecordModel model(random->Between(1, 4));
  for (auto& field : model) {
    field.resize(random->Below(4));
    for (ChunkModel& chunk : field) {
      chunk.hash = random->Next() & kChunkHashMask;
      // Some chunks have 255 bytes of codes and more.
      for (size_t i = random->Below(random->Chance(0.1) ? 400 : 6); i > 0; --i) {
        chunk.pieces.push_back(
            {static_cast<uint32_t>(random->Chance(0.7) ? 0 : random->Below(40)), RandomTermId(random)});
      }
      chunk.trailing_holes = static_cast<uint32_t>(random->Chance(0.7) ? 0 : random->Below(40));
    }
  }
  return model;
}

std::string BuildRecord(const RecordModel& model, uint64_t text_hash, uint32_t distinct) {
  ForwardBuilder builder;
  builder.Start(3);
  builder.Start(model.size());
  for (size_t f = 0; f < model.size(); ++f) {
    size_t tokens = 0;
    for (const ChunkModel& chunk : model[f]) {
      std::string codes;
      for (const Piece& piece : chunk.pieces) {
        AppendHoles(&codes, piece.holes);
        AppendTerm(&codes, piece.term);
      }
      AppendHoles(&codes, chunk.trailing_holes);
      builder.AddChunk(f, chunk.hash, codes);
      tokens += chunk.pieces.size();
    }
    builder.SetTokens(f, static_cast<uint32_t>(tokens));
  }
  return builder.Finish(text_hash, distinct);
}

using Places = std::vector<std::pair<TermId, uint64_t>>;

// Reads everything a record holds. Must stay inside the bytes whenever the record claims to be well formed.
std::vector<Places> ReadAll(const ForwardView& view) {
  std::vector<Places> fields;
  uint64_t sum = view.text_hash() + view.distinct_terms();
  const FieldExtent totals = view.totals();
  ChunkReader chunks = view.chunks();
  ChunkReader sizes = view.chunks();
  uint64_t chunk_bytes = 0;
  for (uint32_t c = 0; c < totals.chunks; ++c) {
    const ChunkEntry chunk = chunks.Next();
    EXPECT_EQ(sizes.NextSize(), chunk.code_bytes);
    sum += chunk.hash;
    chunk_bytes += chunk.code_bytes;
  }
  EXPECT_EQ(chunk_bytes, totals.code_bytes);
  size_t code_bytes = 0;
  for (size_t f = 0; f < view.fields(); ++f) {
    Places places;
    VisitTokens(view.codes(f), 0, [&](TermId term, uint64_t position) { places.emplace_back(term, position); });
    EXPECT_EQ(places.size(), view.extent(f).tokens);
    code_bytes += view.codes(f).size();
    fields.push_back(std::move(places));
  }
  EXPECT_EQ(code_bytes, view.codes().size());
  EXPECT(view.codes().data() + code_bytes == view.bytes().data() + view.bytes().size());
  EXPECT(sum != 1);
  return fields;
}

void ExpectEqualsModel(const ForwardView& view, const RecordModel& model) {
  EXPECT_EQ(view.fields(), model.size());
  const std::vector<Places> read = ReadAll(view);
  ChunkReader chunks = view.chunks();
  for (size_t f = 0; f < model.size(); ++f) {
    EXPECT_EQ(view.extent(f).chunks, model[f].size());
    Places expected;
    uint64_t position = 0;
    for (const ChunkModel& chunk : model[f]) {
      EXPECT_EQ(chunks.Next().hash, chunk.hash);
      for (const Piece& piece : chunk.pieces) {
        position += piece.holes;
        expected.emplace_back(piece.term, position++);
      }
      position += chunk.trailing_holes;
    }
    EXPECT(read[f] == expected);
  }
}

TEST(ForwardRecord, RoundTrips) {
  Random random;
  for (size_t round = 0; round < test::Rounds(500); ++round) {
    const RecordModel model = RandomModel(&random);
    const ExactBlock block(BuildRecord(model, 0x1122334455667788, 99));
    const ForwardView view(block.view());
    EXPECT(view.IsWellFormed());
    EXPECT_EQ(view.text_hash(), 0x1122334455667788u);
    EXPECT_EQ(view.distinct_terms(), 99);
    ExpectEqualsModel(view, model);
  }
}

TEST(ForwardRecord, OfEmptyFieldsIsWellFormed) {
  for (size_t fields = 1; fields <= kMaxFields; ++fields) {
    const ExactBlock block(BuildRecord(RecordModel(fields), 0, 0));
    const ForwardView view(block.view());
    EXPECT(view.IsWellFormed());
    EXPECT_EQ(view.totals().code_bytes, 0);
  }
  const ExactBlock none(BuildRecord(RecordModel(0), 0, 0));
  EXPECT(!ForwardView(none.view()).IsWellFormed());
  const ExactBlock many(BuildRecord(RecordModel(kMaxFields + 1), 0, 0));
  EXPECT(!ForwardView(many.view()).IsWellFormed());
}

TEST(ForwardRecord, IsMalformedWhenCutShortOrLonger) {
  Random random;
  for (size_t round = 0; round < test::Rounds(40); ++round) {
    const std::string record = BuildRecord(RandomModel(&random), random.Next(), 1);
    for (size_t length = 0; length < record.size(); ++length) {
      const ExactBlock block(std::string_view(record).substr(0, length));
      EXPECT(!ForwardView(block.view()).IsWellFormed());
    }
    const ExactBlock longer(record + '\0');
    EXPECT(!ForwardView(longer.view()).IsWellFormed());
  }
}

// Damage may leave another well-formed record; what must not happen is a read outside the bytes.
TEST(ForwardRecord, NeverReadsOutsideDamagedBytes) {
  Random random;
  size_t rejected = 0;
  for (size_t round = 0; round < test::Rounds(5000); ++round) {
    std::string record = BuildRecord(RandomModel(&random), random.Next(), 1);
    for (size_t flips = random.Between(1, 3); flips > 0; --flips) {
      record[random.Below(record.size())] ^= static_cast<char>(1u << random.Below(8));
    }
    const ExactBlock block(record);
    const ForwardView view(block.view());
    if (view.IsWellFormed()) {
      ReadAll(view);
    } else {
      ++rejected;
    }
  }
  EXPECT(rejected > 0);
}

TEST(ForwardRecord, RefusesACodeThatRunsOverItsChunk) {
  ForwardBuilder builder;
  for (const std::string& first : {std::string("\x01"), std::string("\x50\x01\x02")}) {
    builder.Start(1);
    builder.AddChunk(0, 1, first);
    builder.AddChunk(0, 2, "\x50");
    for (uint32_t tokens = 0; tokens < 4; ++tokens) {
      builder.SetTokens(0, tokens);
      const ExactBlock block(builder.Finish(0, 1));
      EXPECT(!ForwardView(block.view()).IsWellFormed());
    }
  }
}

TEST(ForwardRecord, RefusesAWrongNumberOfTokens) {
  std::string codes;
  AppendTerm(&codes, 1);
  AppendHoles(&codes, 1);
  AppendTerm(&codes, 2);
  ForwardBuilder builder;
  builder.Start(1);
  builder.AddChunk(0, 1, codes);
  for (uint32_t tokens = 0; tokens < 5; ++tokens) {
    builder.SetTokens(0, tokens);
    const std::string record = builder.Finish(0, 1);
    EXPECT_EQ(ForwardView(record).IsWellFormed(), tokens == 2);
  }
}

}  // namespace
}  // namespace freshdex::index

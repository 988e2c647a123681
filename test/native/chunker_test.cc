#include "native/index/chunker.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/xxh64.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::index {
namespace {

using test::ExactBlock;
using test::Lines;
using test::Random;

constexpr uint64_t kChunkSeed = 42;

bool IsWhiteSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Cuts the text and checks what holds for every text.
std::vector<Chunk> Cut(std::string_view text) {
  std::vector<Chunk> chunks;
  ChunkText(text, kChunkSeed, &chunks);
  const char* at = text.data();
  for (const Chunk& chunk : chunks) {
    EXPECT(chunk.bytes.data() == at);
    EXPECT(!chunk.bytes.empty());
    EXPECT_EQ(chunk.hash, Xxh64(chunk.bytes, kChunkSeed) & kChunkHashMask);
    at += chunk.bytes.size();
    if (at < text.data() + text.size()) EXPECT(IsWhiteSpace(at[-1]));
  }
  EXPECT(at == text.data() + text.size());
  return chunks;
}

size_t LongestOf(const std::vector<Chunk>& chunks) {
  size_t longest = 0;
  for (const Chunk& chunk : chunks) longest = std::max(longest, chunk.bytes.size());
  return longest;
}

// Chunks of `after` that `before` does not have.
size_t CountNew(const std::vector<Chunk>& before, const std::vector<Chunk>& after) {
  std::map<uint64_t, size_t> known;
  for (const Chunk& chunk : before) ++known[chunk.hash];
  size_t fresh = 0;
  for (const Chunk& chunk : after) {
    size_t& left = known[chunk.hash];
    left > 0 ? --left : ++fresh;
  }
  return fresh;
}

TEST(Chunker, CutsNothingIntoNothing) {
  EXPECT_EQ(Cut("").size(), 0);
  std::vector<Chunk> chunks;
  ChunkTokens("", kChunkSeed, &chunks);
  EXPECT_EQ(chunks.size(), 0);
}

TEST(Chunker, KeepsEveryByteOfRandomTexts) {
  Random random;
  for (size_t round = 0; round < test::Rounds(2000); ++round) {
    const std::string alphabet = round % 2 == 0 ? "ab \n" : "abcdefghij\xC3\xA9  \n\r\t";
    std::string text;
    for (size_t left = random.Below(round % 10 == 0 ? 5000 : 400); left > 0; --left) text += random.Pick(alphabet);
    const ExactBlock block(text);
    Cut(block.view());
  }
}

TEST(Chunker, CutsLinesIntoChunksOfAFewLines) {
  Random random;
  const auto vocabulary = test::RandomVocabulary(&random, 200);
  const std::string text = test::JoinLines(test::RandomLines(&random, vocabulary, 1000, 12));
  const ExactBlock block(text);
  const std::vector<Chunk> chunks = Cut(block.view());
  for (size_t i = 0; i + 1 < chunks.size(); ++i) EXPECT_EQ(chunks[i].bytes.back(), '\n');
  EXPECT(chunks.size() > text.size() / 256);
  EXPECT(chunks.size() < text.size() / 64);
}

TEST(Chunker, CutsALongLineAtSpaces) {
  Random random;
  const auto vocabulary = test::RandomVocabulary(&random, 500);
  std::string text;
  while (text.size() < (1u << 20)) (text += random.Pick(vocabulary)) += ' ';
  const ExactBlock block(text);
  const std::vector<Chunk> chunks = Cut(block.view());
  EXPECT(chunks.size() > text.size() / 2048);
  EXPECT(LongestOf(chunks) <= 2048 + 192 + 8);
}

TEST(Chunker, LeavesALongLineWithoutSpacesWhole) {
  const ExactBlock block(std::string(1u << 20, 'x'));
  EXPECT_EQ(Cut(block.view()).size(), 1);
  const ExactBlock between("short line of twenty\n" + std::string(5000, 'y') + "\nanother short line\n");
  EXPECT(LongestOf(Cut(between.view())) >= 5000);
}

TEST(Chunker, CutsLongLinesOfEveryLengthNearItsLimits) {
  Random random;
  const auto vocabulary = test::RandomVocabulary(&random, 50);
  std::string line;
  while (line.size() < 2500) (line += random.Pick(vocabulary)) += ' ';
  for (const size_t around : {64, 192, 384, 576, 2048, 2240}) {
    for (size_t length = around - 4; length <= around + 4; ++length) {
      const ExactBlock alone(line.substr(0, length));
      Cut(alone.view());
      const ExactBlock ended(line.substr(0, length) + "\n");
      Cut(ended.view());
      const ExactBlock between("a b\n" + line.substr(0, length) + "\nc d");
      Cut(between.view());
    }
  }
}

TEST(Chunker, FallsIntoStepAfterAnInsertedLine) {
  Random random;
  const size_t rounds = test::Rounds(200);
  size_t fresh = 0;
  for (size_t round = 0; round < rounds; ++round) {
    const auto vocabulary = test::RandomVocabulary(&random, 300);
    Lines lines = test::RandomLines(&random, vocabulary, 200, 14);
    const ExactBlock before(test::JoinLines(lines));
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random.Below(200)),
                 test::RandomLine(&random, vocabulary, 14));
    const ExactBlock after(test::JoinLines(lines));
    fresh += CountNew(Cut(before.view()), Cut(after.view()));
  }
  EXPECT(static_cast<double>(fresh) <= 5.0 * static_cast<double>(rounds));
}

TEST(Chunker, FallsIntoStepInsideALongLine) {
  Random random;
  const size_t rounds = test::Rounds(50);
  size_t fresh = 0;
  for (size_t round = 0; round < rounds; ++round) {
    const auto vocabulary = test::RandomVocabulary(&random, 300);
    std::string text;
    while (text.size() < 20000) (text += random.Pick(vocabulary)) += ' ';
    const ExactBlock before(text);
    const size_t place = text.find(' ', random.Below(19000)) + 1;
    const ExactBlock after(text.substr(0, place) + "inserted " + text.substr(place));
    fresh += CountNew(Cut(before.view()), Cut(after.view()));
  }
  EXPECT(static_cast<double>(fresh) <= 5.0 * static_cast<double>(rounds));
}

std::vector<Chunk> CutTokens(std::string_view tokens) {
  std::vector<Chunk> chunks;
  ChunkTokens(tokens, kChunkSeed, &chunks);
  const char* at = tokens.data();
  for (const Chunk& chunk : chunks) {
    EXPECT(chunk.bytes.data() == at && !chunk.bytes.empty());
    EXPECT_EQ(chunk.hash, Xxh64(chunk.bytes, kChunkSeed) & kChunkHashMask);
    at += chunk.bytes.size();
    size_t count = 0;
    for (size_t i = 0; i < chunk.bytes.size(); ++count) i += 2 + LoadUnaligned<uint16_t>(chunk.bytes.data() + i);
    EXPECT(count <= 64);
    if (&chunk != &chunks.back()) EXPECT(count >= 8);
  }
  EXPECT(at == tokens.data() + tokens.size());
  return chunks;
}

TEST(Chunker, CutsTokensBetweenTokens) {
  Random random;
  const size_t rounds = test::Rounds(200);
  size_t fresh = 0;
  for (size_t round = 0; round < rounds; ++round) {
    std::vector<std::string> tokens = test::RandomVocabulary(&random, random.Between(1, 600));
    if (round % 5 == 0) tokens.push_back(std::string(255, 'z'));
    const ExactBlock before(test::TokenBytes(tokens));
    tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(random.Below(tokens.size() + 1)), "inserted");
    const ExactBlock after(test::TokenBytes(tokens));
    fresh += CountNew(CutTokens(before.view()), CutTokens(after.view()));
  }
  EXPECT(static_cast<double>(fresh) <= 4.0 * static_cast<double>(rounds));
}

}  // namespace
}  // namespace freshdex::index

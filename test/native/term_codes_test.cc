#include "native/index/term_codes.h"

#include <string>
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

using Symbols = std::vector<Symbol>;

Symbols SymbolsIn(std::string_view codes, Simd simd = kSimd) {
  Symbols symbols;
  Symbol some[kDecodedRoom];
  while (!codes.empty()) {
    const size_t count = DecodeSymbols(&codes, some, simd);
    symbols.insert(symbols.end(), some, some + count);
  }
  return symbols;
}

// Byte by byte, by the formula in the header.
Symbols NaiveSymbols(std::string_view codes) {
  Symbols symbols;
  uint64_t high = 0;
  for (const char c : codes) {
    const uint64_t byte = static_cast<uint8_t>(c);
    if (byte < 64) {
      high = 64 * high + byte + 1;
      continue;
    }
    symbols.push_back(static_cast<Symbol>(192 * high + byte - 64));
    high = 0;
  }
  return symbols;
}

bool NaiveAreWhole(std::string_view codes) {
  size_t begun = 0;
  for (const char c : codes) {
    begun = static_cast<uint8_t>(c) >= 64 ? 0 : begun + 1;
    if (begun > 4) return false;
  }
  return begun == 0;
}

Symbol RandomSymbol(Random* random) {
  const uint64_t limits[] = {8, 192, 12480, 798912, 51130560, 3272356032};
  return static_cast<Symbol>(random->Below(limits[random->Below(6)]));
}

TEST(TermCodes, AreTheExampleOfTheirHeader) {
  std::string codes;
  AppendTerm(&codes, 7);
  AppendHoles(&codes, 2);
  AppendTerm(&codes, 70000);
  EXPECT(codes == "\x4B\x41\x04\x2B\xB4");
  std::vector<std::pair<TermId, uint64_t>> places;
  const uint64_t end = VisitTokens(codes, 100, [&](TermId term, uint64_t at) { places.emplace_back(term, at); });
  EXPECT(places == (std::vector<std::pair<TermId, uint64_t>>{{7, 100}, {70000, 103}}));
  EXPECT_EQ(end, 104);
}

TEST(TermCodes, HaveTheLengthsOfTheTableAtItsEdges) {
  const Symbol edges[] = {192, 12480, 798912, 51130560};
  for (size_t i = 0; i < 4; ++i) {
    for (const Symbol symbol : {edges[i] - 1, edges[i]}) {
      std::string codes;
      AppendSymbol(&codes, symbol);
      EXPECT_EQ(codes.size(), symbol < edges[i] ? i + 1 : i + 2);
      EXPECT(SymbolsIn(codes) == Symbols{symbol});
    }
  }
  std::string largest;
  AppendTerm(&largest, kMaxTerms - 1);
  EXPECT(SymbolsIn(largest) == Symbols{SymbolOf(kMaxTerms - 1)});
}

TEST(TermCodes, TakePositionsForHoles) {
  for (const uint64_t holes : {0, 1, 3, 4, 5, 8, 9, 65535, 1000000}) {
    std::string codes;
    AppendHoles(&codes, holes);
    EXPECT_EQ(codes.size(), (holes + 3) / 4);
    EXPECT_EQ(VisitTokens(codes, 5, [](TermId, uint64_t) { EXPECT(false); }), holes + 5);
  }
}

TEST(TermCodes, RoundTripAtAnyLength) {
  Random random;
  for (size_t round = 0; round < test::Rounds(3000); ++round) {
    Symbols symbols(random.Below(random.Chance(0.3) ? 1500 : 60));
    std::string codes;
    for (Symbol& symbol : symbols) {
      symbol = RandomSymbol(&random);
      AppendSymbol(&codes, symbol);
    }
    const ExactBlock block(codes);
    EXPECT(AreWholeCodes(block.view()));
    for (int level = 0; level <= static_cast<int>(SupportedSimd()); ++level)
      EXPECT(SymbolsIn(block.view(), static_cast<Simd>(level)) == symbols);
    EXPECT(NaiveSymbols(block.view()) == symbols);
    Symbols visited;
    VisitSymbols(block.view(), [&](Symbol symbol) { visited.push_back(symbol); });
    EXPECT(visited == symbols);
  }
}

// Bytes that are no codes give wrong symbols, and are not read outside.
TEST(TermCodes, AreToldFromOtherBytes) {
  Random random;
  size_t whole = 0;
  for (size_t round = 0; round < test::Rounds(3000); ++round) {
    std::string bytes(random.Below(random.Chance(0.2) ? 1500 : 150), '\0');
    const double end_share = random.Chance(0.5) ? 0.9 : 0.6;
    for (char& byte : bytes)
      byte = static_cast<char>(random.Chance(end_share) ? 64 + random.Below(192) : random.Below(64));
    const ExactBlock block(bytes);
    const bool is_whole = NaiveAreWhole(block.view());
    EXPECT_EQ(AreWholeCodes(block.view()), is_whole);
    for (int level = 0; level <= static_cast<int>(SupportedSimd()); ++level) {
      const Symbols symbols = SymbolsIn(block.view(), static_cast<Simd>(level));
      if (is_whole) EXPECT(symbols == NaiveSymbols(block.view()));
    }
    whole += is_whole;
  }
  EXPECT(whole > 0 && whole < test::Rounds(3000));
}

}  // namespace
}  // namespace freshdex::index

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "native/score/query.h"
#include "native/score/search.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/query_builder.h"
#include "test/native/random.h"
#include "test/native/random_query.h"

namespace freshdex::score {
namespace {

using index::AnalysisKind;
using test::ExactBlock;
using test::Random;

Result<QueryNode> Decode(std::string_view wire, AnalysisKind analysis = AnalysisKind::kTokens) {
  const ExactBlock block(wire);
  return DecodeQuery(block.view(), analysis);
}

Code CodeOf(std::string_view wire, AnalysisKind analysis = AnalysisKind::kTokens) {
  return Decode(wire, analysis).status().code();
}

std::vector<std::pair<std::string, uint32_t>> TokensOf(std::string_view wire, AnalysisKind analysis) {
  const Result<QueryNode> node = Decode(wire, analysis);
  EXPECT(node.ok());
  std::vector<std::pair<std::string, uint32_t>> tokens;
  if (node.ok()) {
    for (const QueryToken& token : node.value().tokens) tokens.emplace_back(token.text, token.position);
  }
  return tokens;
}

bool IsSame(const QueryNode& a, const QueryNode& b) {
  if (a.kind != b.kind || a.field_mask != b.field_mask || a.boost != b.boost || a.edits != b.edits || a.text != b.text)
    return false;
  if (a.tokens.size() != b.tokens.size() || a.children.size() != b.children.size()) return false;
  for (size_t i = 0; i < a.tokens.size(); ++i) {
    if (a.tokens[i].text != b.tokens[i].text || a.tokens[i].position != b.tokens[i].position) return false;
  }
  for (size_t i = 0; i < a.children.size(); ++i) {
    if (!IsSame(a.children[i], b.children[i])) return false;
  }
  return true;
}

TEST(QueryWire, RoundTrips) {
  Random random;
  const auto vocabulary = test::RandomVocabulary(&random, 50);
  test::RandomQueries queries(&random, vocabulary, 3);
  for (size_t round = 0; round < test::Rounds(1000); ++round) {
    const QueryNode query = queries.Tree(4);
    const Result<QueryNode> back = Decode(test::WireOf(query));
    EXPECT(back.ok());
    if (back.ok()) EXPECT(IsSame(back.value(), query));
  }
}

TEST(QueryWire, KnowsTiersFieldsAndNearPrefixes) {
  const QueryNode tiers =
      test::Group(QueryKind::kTiers,
                  {test::And({test::Word("a"), test::NearPrefix("bc", 0)}),
                   test::Group(QueryKind::kFields, {test::NearPrefix("bc", 2, 1), test::NearPrefix("BC", 1, 2, 0.5)})});
  const std::string wire = test::WireOf(tiers);
  const Result<QueryNode> back = Decode(wire);
  EXPECT(back.ok());
  if (back.ok()) EXPECT(IsSame(back.value(), tiers));
  for (size_t length = 0; length < wire.size(); ++length)
    EXPECT(!Decode(std::string_view(wire).substr(0, length)).ok());
  EXPECT_EQ(CodeOf(test::WireOf(test::NearPrefix("a", 3))), Code::kMalformed);
  // A stop word vanishes, and an analysis is that of the fields.
  const index::AnalysisKinds kinds({AnalysisKind::kEnglishFolding, AnalysisKind::kStandard});
  for (const auto& [word, mask, text] :
       {std::tuple("The", 1u, ""), {"The", 2u, "the"}, {"\xC3\x89t", 1u, "et"}, {"\xC3\x89t", 2u, "\xC3\xA9t"}}) {
    const Result<QueryNode> node = DecodeQuery(test::WireOf(test::NearPrefix(word, 1, mask)), kinds);
    EXPECT(node.ok());
    if (node.ok()) EXPECT_EQ(node.value().text, text);
  }
}

TEST(QueryWire, RefusesEveryTruncation) {
  Random random;
  const auto vocabulary = test::RandomVocabulary(&random, 50);
  test::RandomQueries queries(&random, vocabulary, 3);
  for (size_t round = 0; round < test::Rounds(60); ++round) {
    const std::string wire = test::WireOf(queries.Tree(3));
    for (size_t length = 0; length < wire.size(); ++length)
      EXPECT(!Decode(std::string_view(wire).substr(0, length)).ok());
    EXPECT_EQ(CodeOf(wire + '\x08'), Code::kMalformed);
  }
}

TEST(QueryWire, AnalysesText) {
  using Tokens = std::vector<std::pair<std::string, uint32_t>>;
  const std::string wire = test::TextWire(QueryKind::kPhrase, "The Quick of the foxes");
  EXPECT(TokensOf(wire, AnalysisKind::kStandard) ==
         (Tokens{{"the", 0}, {"quick", 1}, {"of", 2}, {"the", 3}, {"foxes", 4}}));
  EXPECT(TokensOf(wire, AnalysisKind::kEnglish) == (Tokens{{"quick", 0}, {"fox", 3}}));
  EXPECT(TokensOf(test::TextWire(QueryKind::kWord, "the of"), AnalysisKind::kEnglish).empty());
  EXPECT(TokensOf(test::TextWire(QueryKind::kWord, ""), AnalysisKind::kStandard).empty());
  EXPECT_EQ(CodeOf(wire, AnalysisKind::kTokens), Code::kMalformed);
}

TEST(QueryWire, LowersPrefixAndFuzzyWordsUnlessTokensAreGiven) {
  for (const QueryNode& node : {test::Prefix("Caf\xC3\x89"), test::Fuzzy("Caf\xC3\x89", 2)}) {
    const std::string wire = test::WireOf(node);
    EXPECT_EQ(Decode(wire, AnalysisKind::kStandard).value().text, "caf\xC3\xA9");
    EXPECT_EQ(Decode(wire, AnalysisKind::kEnglish).value().text, "caf\xC3\xA9");
    EXPECT_EQ(Decode(wire, AnalysisKind::kTokens).value().text, "Caf\xC3\x89");
  }
}

TEST(QueryWire, RefusesWhatIsNoQuery) {
  EXPECT_EQ(CodeOf(""), Code::kMalformed);
  for (const int kind : {0, 9, 10, 255}) EXPECT_EQ(CodeOf(std::string(40, static_cast<char>(kind))), Code::kMalformed);
  for (const double boost : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(CodeOf(test::WireOf(test::Word("a", 1, boost))), Code::kMalformed);
    EXPECT_EQ(CodeOf(test::WireOf(test::Prefix("a", 1, boost))), Code::kMalformed);
    EXPECT_EQ(CodeOf(test::WireOf(test::Or({test::Word("a")}, boost))), Code::kMalformed);
  }
  for (const int edits : {0, 3, 255}) EXPECT_EQ(CodeOf(test::WireOf(test::Fuzzy("a", edits))), Code::kMalformed);
  std::string form = test::TextWire(QueryKind::kWord, "a");
  form[13] = 2;
  EXPECT_EQ(CodeOf(form, AnalysisKind::kStandard), Code::kMalformed);
}

QueryNode Nested(size_t levels) {
  QueryNode node = test::Word("a");
  while (--levels > 0) node = test::Not(std::move(node));
  return node;
}

TEST(QueryWire, LimitsDepthClausesAndSizes) {
  EXPECT(Decode(test::WireOf(Nested(kMaxDepth))).ok());
  EXPECT_EQ(CodeOf(test::WireOf(Nested(kMaxDepth + 1))), Code::kQueryTooComplex);
  EXPECT_EQ(CodeOf(std::string(100000, '\x07')), Code::kQueryTooComplex);

  EXPECT(Decode(test::WireOf(test::Or(std::vector<QueryNode>(2 * kMaxClauses - 1, test::Nothing())))).ok());
  EXPECT_EQ(CodeOf(test::WireOf(test::Or(std::vector<QueryNode>(2 * kMaxClauses, test::Nothing())))),
            Code::kQueryTooComplex);
  const std::vector<std::string> tokens(2 * kMaxClauses, "x");
  EXPECT(Decode(test::WireOf(test::Phrase(tokens))).ok());
  EXPECT_EQ(CodeOf(test::WireOf(test::And({test::Phrase(tokens)}))), Code::kQueryTooComplex);

  const std::string most(kMaxPayloadBytes, 'x');
  EXPECT(Decode(test::TextWire(QueryKind::kWord, most), AnalysisKind::kStandard).ok());
  EXPECT(Decode(test::WireOf(test::Prefix(most))).ok());
  EXPECT_EQ(CodeOf(test::TextWire(QueryKind::kWord, most + "x"), AnalysisKind::kStandard), Code::kQueryTooComplex);
  EXPECT_EQ(CodeOf(test::WireOf(test::Prefix(most + "x"))), Code::kQueryTooComplex);
  EXPECT_EQ(CodeOf(test::WireOf(test::Fuzzy(most + "x", 1))), Code::kQueryTooComplex);
}

// Random bytes whose kinds are mostly valid, so that decoding gets somewhere.
std::string RandomWire(Random* random, const std::string& model) {
  if (random->Chance(0.5)) {
    std::string wire = model;
    for (size_t left = random->Between(1, 3); left > 0; --left) {
      wire[random->Below(wire.size())] = static_cast<char>(random->Chance(0.5) ? random->Below(9) : random->Next());
    }
    return wire;
  }
  std::string wire;
  for (size_t left = random->Below(50); left > 0; --left) {
    wire += static_cast<char>(random->Chance(0.7) ? random->Below(9) : random->Next());
  }
  return wire;
}

TEST(QueryWire, SurvivesRandomBytesAndSearchesWhatItAccepts) {
  Random random;
  const auto vocabulary = test::RandomVocabulary(&random, 20);
  test::RandomQueries queries(&random, vocabulary, 2);
  index::WriterConfig config;
  config.fields = 2;
  index::IndexWriter writer(config);
  test::BatchBuilder batch;
  for (size_t i = 0; i < 10; ++i) {
    batch.Put("s" + std::to_string(i),
              {test::RandomLine(&random, vocabulary, 10), test::RandomLine(&random, vocabulary, 10)});
  }
  EXPECT(writer.Prepare(batch.Slab(), nullptr).ok());
  writer.Publish(nullptr);
  Scoring scoring;
  scoring.field_boosts = {1, 2};
  SearchRequest request;
  std::string model;
  size_t accepted = 0;
  for (size_t round = 0; round < test::Rounds(200000); ++round) {
    if (round % 100 == 0) model = test::WireOf(queries.Tree(3));
    const ExactBlock block(RandomWire(&random, model));
    const Result<QueryNode> query = DecodeQuery(block.view(), static_cast<AnalysisKind>(round % 3));
    if (!query.ok()) continue;
    ++accepted;
    if (round % 8 == 0) EXPECT(Search(*writer.Current(), scoring, query.value(), request).total <= 10);
  }
  EXPECT(accepted > 1000);
}

}  // namespace
}  // namespace freshdex::score

#include "native/index/document_sketch.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "native/index/index_writer.h"
#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/exact_block.h"
#include "test/native/harness.h"
#include "test/native/index_model.h"
#include "test/native/naive_sketch.h"
#include "test/native/random.h"
#include "test/native/random_documents.h"
#include "test/native/random_text.h"

namespace freshdex::index {
namespace {

using test::BatchBuilder;
using test::ExactBlock;
using test::ModelDocument;
using test::ModelDocuments;
using test::NaiveSketch;
using test::Random;

using Fields = std::vector<std::vector<TermId>>;

// A record of these terms, cut into chunks anywhere, with holes anywhere.
std::string RandomRecord(Random* random, const Fields& fields, double hole_share) {
  ForwardBuilder builder;
  builder.Start(fields.size());
  for (size_t f = 0; f < fields.size(); ++f) {
    std::string codes;
    const auto cut = [&] {
      builder.AddChunk(f, random->Next(), codes);
      codes.clear();
    };
    for (const TermId term : fields[f]) {
      if (random->Chance(hole_share)) AppendHoles(&codes, random->Between(1, 40));
      AppendTerm(&codes, term);
      if (random->Chance(0.1)) cut();
    }
    if (random->Chance(hole_share)) AppendHoles(&codes, random->Between(1, 40));
    if (!codes.empty() || random->Chance(0.5)) cut();
    builder.SetTokens(f, static_cast<uint32_t>(fields[f].size()));
  }
  return builder.Finish(random->Next(), 1);
}

TermId RandomTerm(Random* random, uint64_t kind) {
  if (kind == 0) return static_cast<TermId>(random->Below(3));  // shingles come again and again
  if (kind == 1) return static_cast<TermId>(random->Between(150, 250));
  if (kind == 2) return static_cast<TermId>(random->Below(kMaxTerms));
  return static_cast<TermId>(random->Chance(0.9) ? random->Below(2000) : random->Between(60000, 80000));
}

Fields RandomFields(Random* random) {
  Fields fields(random->Between(1, 5));
  const uint64_t kind = random->Below(4);
  for (auto& terms : fields) {
    const size_t longest = random->Chance(0.4) ? 8 : random->Chance(0.8) ? 80 : 1500;
    terms.resize(random->Below(longest));
    for (TermId& term : terms) term = RandomTerm(random, kind);
  }
  return fields;
}

TEST(DocumentSketch, AgreesWithTheTwin) {
  Random random(1);
  for (size_t round = 0; round < test::Rounds(1500); ++round) {
    const Fields fields = RandomFields(&random);
    const double hole_share = random.Chance(0.5) ? 0 : random.Unit();
    const ExactBlock block(RandomRecord(&random, fields, hole_share));
    const ForwardView view(block.view());
    EXPECT(view.IsWellFormed());
    EXPECT(SketchOf(view) == NaiveSketch(fields));
    EXPECT(SketchOnAnyMachine(view) == NaiveSketch(fields));
  }
}

TEST(DocumentSketch, OfEveryLengthOfAField) {
  Random random(2);
  // Behind 520 everything has come round twice, whatever the size of the pieces in which it is done.
  for (size_t length = 0; length <= 520; ++length) {
    for (const uint64_t kind : {0, 1, 2, 3}) {
      Fields fields(1);
      for (size_t i = 0; i < length; ++i) fields[0].push_back(RandomTerm(&random, kind));
      const ExactBlock plain(RandomRecord(&random, fields, 0)), holed(RandomRecord(&random, fields, 0.5));
      EXPECT(SketchOf(ForwardView(plain.view())) == NaiveSketch(fields));
      EXPECT(SketchOf(ForwardView(holed.view())) == NaiveSketch(fields));
    }
  }
}

TEST(DocumentSketch, PassesOverLongRunsOfHoles) {
  for (size_t tokens = 0; tokens <= 6; ++tokens) {
    std::string codes;
    Fields fields(1);
    for (size_t i = 0; i < tokens; ++i) {
      AppendHoles(&codes, 10000);
      fields[0].push_back(static_cast<TermId>(i % 2 == 0 ? i : 70000 + i));
      AppendTerm(&codes, fields[0].back());
    }
    AppendHoles(&codes, 10000);
    ForwardBuilder builder;
    builder.Start(1);
    builder.AddChunk(0, 1, codes);
    builder.SetTokens(0, static_cast<uint32_t>(tokens));
    const ExactBlock block(builder.Finish(0, static_cast<uint32_t>(tokens)));
    EXPECT(SketchOf(ForwardView(block.view())) == NaiveSketch(fields));
  }
}

TEST(DocumentSketch, IsTheExampleOfItsHeader) {
  Random random(3);
  const std::string record = RandomRecord(&random, {{1, 2, 3, 4, 5}}, 0);
  EXPECT(SketchOf(ForwardView(record)) == (DocumentSketch{0x27f0147e, 0x656c233a, kNoShingle, kNoShingle, kNoShingle,
                                                          kNoShingle, kNoShingle, kNoShingle}));
}

TEST(DocumentSketch, TellsFieldsApartByTheirTermsAlone) {
  Random random(4);
  // The same seven terms, once as one field and once as two: shingles across the border are not there.
  const std::string one = RandomRecord(&random, {{1, 2, 3, 4, 5, 6, 7}}, 0),
                    two = RandomRecord(&random, {{1, 2, 3, 4}, {5, 6, 7}}, 0);
  EXPECT(SketchOf(ForwardView(one)) != SketchOf(ForwardView(two)));
  EXPECT(SketchOf(ForwardView(RandomRecord(&random, {{}, {}}, 0))) == EmptySketch());
  EXPECT(SketchOf(ForwardView(RandomRecord(&random, {{9}, {}}, 0))) ==
         SketchOf(ForwardView(RandomRecord(&random, {{}, {9}}, 0))));
}

// Sketches of batches in a random life of an index, against the twin on the texts: whatever a document was before does
// not matter.
class SketchedLife {
 public:
  SketchedLife(uint64_t stream, AnalysisKind analysis)
      : random_(stream),
        analysis_(analysis),
        writer_(Config(analysis)),
        vocabulary_(test::RandomVocabulary(&random_, 150)) {
    for (const char* word : {"the", "of", "and"}) vocabulary_.emplace_back(word);
  }

  void Step() {
    BatchBuilder batch(analysis_);
    ModelDocuments put, next = documents_;
    std::vector<std::string> keys, removed;
    for (size_t i = 0; i < 12; ++i) {
      if (random_.Chance(0.5)) continue;
      const std::string key = "s" + std::to_string(i);
      const auto known = documents_.find(key);
      if (random_.Chance(0.25)) {
        batch.Remove(key);
        removed.push_back(key);
        next.erase(key);
        continue;
      }
      put[key] = known == documents_.end() ? test::RandomDocument(&random_, vocabulary_)
                                           : test::NextVersion(&random_, vocabulary_, known->second);
      batch.Put(key, put[key].texts, put[key].weight, put[key].stored);
      keys.push_back(key);
      next[key] = put[key];
    }
    EXPECT(writer_.Prepare(batch.Slab(), nullptr).ok());
    const std::vector<DocumentSketch> sketches = writer_.SketchPrepared();
    const std::vector<NamedDocument> named = writer_.prepared_documents();
    EXPECT_EQ(sketches.size(), keys.size() + removed.size());
    writer_.Publish(nullptr);
    for (size_t i = 0; i < sketches.size(); ++i)
      Expect(sketches[i], named[i].outcome, i < keys.size() ? &put[keys[i]] : nullptr);
    documents_ = std::move(next);
    if (random_.Chance(0.2)) writer_.MaintainStep();
  }

  std::map<Outcome, size_t> outcomes;

 private:
  static WriterConfig Config(AnalysisKind analysis) {
    WriterConfig config;
    config.fields = test::kRandomFields;
    config.analysis = analysis;
    config.seed = 5;
    return config;
  }

  void Expect(const DocumentSketch& sketch, Outcome outcome, const ModelDocument* document) {
    ++outcomes[outcome];
    if (outcome != Outcome::kAdded && outcome != Outcome::kChanged) {
      EXPECT(sketch == EmptySketch());
      return;
    }
    Fields fields;
    for (const test::NaiveField& field : test::NaiveDocument(analysis_, document->texts)) {
      auto& terms = fields.emplace_back();
      for (const test::NaiveToken& token : field)
        terms.push_back(writer_.Current()->FindTerm(static_cast<FieldId>(fields.size() - 1), token.text));
    }
    EXPECT(sketch == NaiveSketch(fields));
  }

  Random random_;
  const AnalysisKind analysis_;
  IndexWriter writer_;
  std::vector<std::string> vocabulary_;
  ModelDocuments documents_;
};

TEST(DocumentSketch, OfABatchDependsOnTheNewVersionsAlone) {
  for (uint64_t stream = 0; stream < test::Rounds(3); ++stream) {
    SketchedLife life(200 + stream, static_cast<AnalysisKind>(stream % 3));
    for (size_t step = 0; step < 80; ++step) life.Step();
    for (const Outcome outcome :
         {Outcome::kAdded, Outcome::kChanged, Outcome::kSame, Outcome::kRemoved, Outcome::kMissing}) {
      EXPECT(life.outcomes[outcome] > 10);
    }
  }
}

// The text is the one that was sketched, and nobody has fetched another.
TEST(DocumentSketch, IsNotMadeOfADocumentOfWhichOnlyTheWeightChanged) {
  IndexWriter writer(WriterConfig{});
  const std::string text = "one two three four five";
  EXPECT(writer.Prepare(BatchBuilder().Put("sa", {text}, 1).Slab(), nullptr).ok());
  const DocumentSketch first = writer.SketchPrepared().at(0);
  writer.Publish(nullptr);
  EXPECT(first != EmptySketch());
  EXPECT(writer.Prepare(BatchBuilder().Put("sa", {text}, 2).Put("sb", {""}).Slab(), nullptr).ok());
  const std::vector<DocumentSketch> sketches = writer.SketchPrepared();
  EXPECT(sketches.at(0) == EmptySketch());
  EXPECT(sketches.at(1) == EmptySketch());
  writer.Discard(nullptr);
}

}  // namespace
}  // namespace freshdex::index

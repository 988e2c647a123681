#include "native/index/document_differ.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "test/native/batch_builder.h"
#include "test/native/effort.h"
#include "test/native/harness.h"
#include "test/native/naive_postings.h"
#include "test/native/random.h"
#include "test/native/random_text.h"

namespace freshdex::index {
namespace {

using test::Lines;
using test::NaiveCounts;
using test::NaiveTerm;
using test::Random;
using Texts = std::vector<std::string>;

constexpr uint64_t kDifferSeed = 7;
constexpr DocId kDoc = 3;
constexpr AnalysisKind kKinds[] = {AnalysisKind::kStandard, AnalysisKind::kEnglish, AnalysisKind::kTokens};

// One page through its versions: every diff is compared with two full tokenisations.
class Page {
 public:
  Page(AnalysisKind analysis, size_t fields)
      : analysis_(analysis), dict_(kDifferSeed), differ_(analysis, fields, kDifferSeed, false) {}

  // Returns what the diff from the version before said.
  DiffOutcome Replace(const Texts& texts) {
    std::vector<PostingDelta> deltas;
    const std::optional<ForwardView> old = record_ ? std::optional<ForwardView>(*record_) : std::nullopt;
    DiffOutcome outcome = Diff(old, texts, &deltas);
    const auto fields = test::NaiveDocument(analysis_, texts);
    const NaiveCounts counts = test::CountTerms(fields);
    ExpectDeltas(deltas, counts_, counts);
    ExpectFollowed(counts_, counts);
    ExpectRecord(outcome, fields, counts);

    deltas.clear();
    const DiffOutcome fresh = Diff(std::nullopt, texts, &deltas);
    EXPECT(outcome.forward == fresh.forward);
    EXPECT_EQ(outcome.tokens, fresh.tokens);
    EXPECT_EQ(fresh.tokens_tokenized, fresh.tokens);
    EXPECT(!fresh.is_rewritten);
    EXPECT_EQ(deltas.size(), counts.size());

    record_ = outcome.forward;
    counts_ = counts;
    FollowSome();
    return outcome;
  }

  void Remove() {
    std::vector<PostingDelta> deltas;
    differ_.Remove(kDoc, ForwardView(*record_), &deltas);
    ExpectDeltas(deltas, counts_, {});
    ExpectFollowed(counts_, {});
    record_.reset();
    counts_.clear();
  }

 private:
  DiffOutcome Diff(const std::optional<ForwardView>& old, const Texts& texts, std::vector<PostingDelta>* deltas) {
    Texts payloads;
    for (const std::string& text : texts) payloads.push_back(test::FieldPayload(analysis_, text));
    std::vector<FieldInput> input;
    for (const std::string& payload : payloads) input.push_back({analysis_ == AnalysisKind::kTokens, payload});
    BatchTerms terms(dict_, spellings_, kDifferSeed);
    DiffOutcome outcome;
    EXPECT(differ_.Diff(kDoc, old, input, differ_.TextHash(input), &terms, deltas, &outcome).ok());
    EXPECT_EQ(ForwardView(outcome.forward).text_hash(), differ_.TextHash(input));
    const TermDict& added = terms.added();
    for (TermId i = 0; i < added.size(); ++i) {
      EXPECT_EQ(dict_.Add(added.FieldOf(i), added.Text(i), dict_.Hash(added.FieldOf(i), added.Text(i))),
                terms.published_size() + i);
      spellings_.AddTerm(terms.added_spellings().IsSpeltAsIs(i));
    }
    const SpellingTable& spelt = terms.added_spellings();
    for (SpellingId i = 0; i < spelt.size(); ++i)
      spellings_.Add(spelt.FieldOf(i), spelt.Text(i), spelt.TermOf(i), dict_.Hash(spelt.FieldOf(i), spelt.Text(i)));
    return outcome;
  }

  void ExpectDeltas(const std::vector<PostingDelta>& deltas, const NaiveCounts& before,
                    const NaiveCounts& after) const {
    NaiveCounts sum = before;
    for (const PostingDelta& delta : deltas) {
      EXPECT_EQ(delta.doc, kDoc);
      EXPECT(delta.old_tf != delta.new_tf);
      uint32_t& tf = sum[NaiveTerm(dict_.FieldOf(delta.term), dict_.Text(delta.term))];
      EXPECT_EQ(tf, delta.old_tf);
      tf = delta.new_tf;
    }
    std::erase_if(sum, [](const auto& entry) { return entry.second == 0; });
    EXPECT(sum == after);
  }

  // Every third term, from the next version on.
  void FollowSome() {
    for (; considered_ < dict_.size(); ++considered_) {
      if (considered_ % 3 != 0) continue;
      differ_.Follow(considered_, static_cast<uint32_t>(followed_.size()));
      followed_.push_back(considered_);
    }
  }

  // Of the last comparison: before and after of all followed terms that either version has.
  void ExpectFollowed(const NaiveCounts& before, const NaiveCounts& after) const {
    const auto followed = differ_.followed();
    if (!followed) {
      EXPECT(before == after);
      return;
    }
    NaiveCounts found_before, found_after, want_before, want_after;
    const auto name_of = [&](uint32_t place) {
      return NaiveTerm(dict_.FieldOf(followed_[place]), dict_.Text(followed_[place]));
    };
    for (uint32_t place : followed->kept) {
      ++found_before[name_of(place)];
      ++found_after[name_of(place)];
    }
    for (const FollowedTerm& term : followed->touched) {
      const NaiveTerm name = name_of(term.place);
      if (term.before > 0) EXPECT(found_before.emplace(name, term.before).second);
      if (term.after > 0) EXPECT(found_after.emplace(name, term.after).second);
    }
    for (TermId id : followed_) {
      const NaiveTerm name(dict_.FieldOf(id), dict_.Text(id));
      if (before.count(name) > 0) want_before[name] = before.at(name);
      if (after.count(name) > 0) want_after[name] = after.at(name);
    }
    EXPECT(found_before == want_before);
    EXPECT(found_after == want_after);
  }

  void ExpectRecord(const DiffOutcome& outcome, const std::vector<test::NaiveField>& fields,
                    const NaiveCounts& counts) const {
    const ForwardView view(outcome.forward);
    EXPECT(view.IsWellFormed());
    EXPECT_EQ(view.distinct_terms(), counts.size());
    EXPECT(test::RecordTokens(dict_, view) == fields);
    size_t tokens = 0;
    for (size_t f = 0; f < fields.size(); ++f) {
      EXPECT_EQ(view.extent(f).tokens, fields[f].size());
      tokens += fields[f].size();
    }
    EXPECT_EQ(outcome.tokens, tokens);
    EXPECT(outcome.tokens_tokenized <= tokens);
  }

  const AnalysisKind analysis_;
  TermDict dict_;
  SpellingTable spellings_;
  DocumentDiffer differ_;
  std::vector<TermId> followed_;  // by place
  TermId considered_ = 0;
  std::optional<std::string> record_;
  NaiveCounts counts_;
};

std::vector<std::string> VocabularyWithStopWords(Random* random, size_t size) {
  std::vector<std::string> words = test::RandomVocabulary(random, size);
  for (const char* word : {"the", "of", "and", "running", "Caf\xC3\xA9", "\xE6\x9D\xB1\xE4\xBA\xAC"})
    words.emplace_back(word);
  return words;
}

// A next version: a few edits of one field, sometimes of all, sometimes everything new or gone.
void MutatePage(Random* random, const std::vector<std::string>& vocabulary, size_t longest, std::vector<Lines>* page) {
  for (Lines& lines : *page) {
    if (page->size() > 1 && random->Chance(0.4)) continue;
    const uint64_t kind = random->Below(20);
    if (kind == 0) {
      lines.clear();
    } else if (kind == 1) {
      lines = test::RandomLines(random, vocabulary, random->Below(40), longest);
    } else if (kind == 2) {
      lines = {random->Pick(vocabulary)};
    } else {
      for (size_t edits = random->Between(1, 4); edits > 0; --edits)
        test::EditLines(random, vocabulary, longest, &lines);
    }
  }
}

Texts JoinFields(const std::vector<Lines>& page) {
  Texts texts;
  for (const Lines& lines : page) texts.push_back(test::JoinLines(lines));
  return texts;
}

void RunVersions(uint64_t stream, size_t fields, size_t vocabulary_size, size_t longest) {
  Random random(stream);
  for (const AnalysisKind kind : kKinds) {
    for (size_t round = 0; round < test::Rounds(2); ++round) {
      const auto vocabulary = VocabularyWithStopWords(&random, vocabulary_size);
      Page page(kind, fields);
      std::vector<Lines> lines(fields);
      for (Lines& field : lines) field = test::RandomLines(&random, vocabulary, random.Below(60), longest);
      page.Replace(JoinFields(lines));
      for (size_t version = 0; version < 25; ++version) {
        MutatePage(&random, vocabulary, longest, &lines);
        page.Replace(JoinFields(lines));
      }
      page.Remove();
    }
  }
}

TEST(DocumentDiffer, AgreesWithTwoFullTokenisations) { RunVersions(1, 1, 200, 12); }
TEST(DocumentDiffer, AgreesForSeveralFields) { RunVersions(2, 3, 60, 8); }
TEST(DocumentDiffer, AgreesWhenManyLinesAreEqual) { RunVersions(3, 1, 1, 2); }
TEST(DocumentDiffer, AgreesForLongLines) { RunVersions(4, 1, 300, 300); }

TEST(DocumentDiffer, TokenisesOnlyWhatIsNew) {
  Random random;
  const auto vocabulary = VocabularyWithStopWords(&random, 500);
  Lines lines = test::RandomLines(&random, vocabulary, 300, 12);
  Page page(AnalysisKind::kStandard, 1);
  const DiffOutcome first = page.Replace({test::JoinLines(lines)});
  EXPECT_EQ(first.tokens_tokenized, first.tokens);

  lines[150] += " added";
  const DiffOutcome second = page.Replace({test::JoinLines(lines)});
  EXPECT_EQ(second.tokens, first.tokens + 1);
  EXPECT(second.tokens_tokenized >= 1 && second.tokens_tokenized < first.tokens / 10);
  EXPECT(!second.is_rewritten);

  const DiffOutcome same = page.Replace({test::JoinLines(lines)});
  EXPECT_EQ(same.tokens_tokenized, 0);
}

TEST(DocumentDiffer, SaysWhenAPageIsRewritten) {
  Random random;
  const auto vocabulary = VocabularyWithStopWords(&random, 500);
  Page page(AnalysisKind::kStandard, 1);
  EXPECT(!page.Replace({test::JoinLines(test::RandomLines(&random, vocabulary, 100, 12))}).is_rewritten);
  const DiffOutcome rewritten = page.Replace({test::JoinLines(test::RandomLines(&random, vocabulary, 100, 12))});
  EXPECT(rewritten.is_rewritten);
  EXPECT_EQ(rewritten.tokens_tokenized, rewritten.tokens);
  EXPECT(!page.Replace({""}).is_rewritten);
  page.Replace({"one"});
  page.Replace({"one two"});
  page.Replace({"two"});
}

TEST(DocumentDiffer, TellsMovedTextFromEqualText) {
  DocumentDiffer differ(AnalysisKind::kStandard, 2, kDifferSeed, false);
  const auto hash = [&](std::string_view a, std::string_view b) {
    const FieldInput input[] = {{false, a}, {false, b}};
    return differ.TextHash(input);
  };
  EXPECT_EQ(hash("one", "two"), hash("one", "two"));
  EXPECT(hash("one", "two") != hash("two", "one"));
  EXPECT(hash("onetwo", "") != hash("", "onetwo"));
  EXPECT(hash("one", "two") != hash("onet", "wo"));
  EXPECT(hash("", "") != hash("", "x"));

  Page page(AnalysisKind::kStandard, 2);
  page.Replace({"one two\n", "three\n"});
  page.Replace({"three\n", "one two\n"});
}

std::string Repeated(std::string_view piece, size_t count) {
  std::string text;
  text.reserve(piece.size() * count);
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(DocumentDiffer, SaturatesFrequencies) {
  Page page(AnalysisKind::kStandard, 1);
  for (const size_t count : {65534u, 65535u, 65536u, 70000u, 65535u, 65534u, 70001u, 1u, 70000u}) {
    page.Replace({Repeated("word\n", count) + "other"});
  }
  page.Remove();
}

TEST(DocumentDiffer, CountsHolesAcrossChunks) {
  Page page(AnalysisKind::kEnglish, 1);
  const std::string holes = Repeated("the of and the of and the of and the of and the of and the of and the\n", 10);
  page.Replace({"start\n" + holes + "end\n" + holes});
  page.Replace({"start\n" + holes + "middle\n" + holes + "end\n"});
  page.Replace({holes});
  page.Replace({"the"});
  page.Replace({"the start of the end"});
}

TEST(DocumentDiffer, CutsLongTokensAndSaysSo) {
  Page page(AnalysisKind::kStandard, 1);
  EXPECT_EQ(page.Replace({std::string(1000, 'x') + " short"}).tokens_truncated, 1);
  EXPECT_EQ(page.Replace({std::string(1000, 'x') + " short and a new line\n"}).tokens_truncated, 1);
}

// Different ends, so that neither a common prefix nor a common suffix hides the repetition. With a cost that grew with
// the square of the equal chunks this test would take minutes.
TEST(DocumentDiffer, IsLinearInEqualLines) {
  const std::string line = std::string(50, 'w') + "\n";
  const size_t lines = test::IsLong() ? 200000 : 60000;
  Page page(AnalysisKind::kStandard, 1);
  page.Replace({"old beginning of the page, which is not the same\n" + Repeated(line, lines) + "old end\n"});
  const DiffOutcome outcome =
      page.Replace({"new beginning, which is longer than a short chunk is, and then a bit more\n" +
                    Repeated(line, lines) + "new end\n"});
  EXPECT(!outcome.is_rewritten);
  EXPECT(outcome.tokens_tokenized < 1000);
}

TEST(BatchTerms, PutNewTermsBehindThePublishedOnes) {
  TermDict dict(kDifferSeed);
  const TermId old = dict.Add(0, "old", dict.Hash(0, "old"));
  const SpellingTable spellings;
  BatchTerms terms(dict, spellings, kDifferSeed);
  EXPECT_EQ(terms.FindOrAdd(0, "old"), old);
  EXPECT_EQ(terms.FindOrAdd(1, "old"), 1);
  EXPECT_EQ(terms.FindOrAdd(0, "new"), 2);
  EXPECT_EQ(terms.FindOrAdd(0, "new"), 2);
  EXPECT_EQ(dict.size(), 1);
  EXPECT_EQ(terms.added().size(), 2);
  EXPECT_EQ(terms.added().Text(1), "new");
}

}  // namespace
}  // namespace freshdex::index

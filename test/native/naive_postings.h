// The naive twin of the index: tokens of whole texts, frequencies in maps, nothing cut into chunks, blocks or runs.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/analysis/analyzer.h"
#include "native/index/document_differ.h"
#include "native/index/forward_record.h"
#include "native/index/posting_cursor.h"
#include "native/index/snapshot.h"
#include "test/native/batch_builder.h"

namespace freshdex::test {

struct NaiveToken {
  std::string text;
  uint64_t position;
  bool operator==(const NaiveToken&) const = default;
};
using NaiveField = std::vector<NaiveToken>;

using NaiveTerm = std::pair<index::FieldId, std::string>;
using NaiveCounts = std::map<NaiveTerm, uint32_t>;  // frequencies in one document, at most kMaxTf
using NaivePostings = std::map<NaiveTerm, std::map<index::DocId, uint32_t>>;

inline NaiveField NaiveTokens(index::AnalysisKind analysis, std::string_view text) {
  NaiveField field;
  if (analysis == index::AnalysisKind::kTokens) {
    for (std::string& word : SplitAtSpaces(text)) field.push_back({std::move(word), field.size()});
    return field;
  }
  analysis::TokenList list;
  analysis::Analyze(static_cast<analysis::Preset>(analysis), text, &list);
  uint64_t next = 0;
  for (const auto& token : list.tokens) {
    next += token.holes_before;
    field.push_back({std::string(list.text(token)), next++});
  }
  return field;
}

inline std::vector<NaiveField> NaiveDocument(index::AnalysisKind analysis, const std::vector<std::string>& texts) {
  std::vector<NaiveField> fields;
  for (const std::string& text : texts) fields.push_back(NaiveTokens(analysis, text));
  return fields;
}

inline NaiveCounts CountTerms(const std::vector<NaiveField>& fields) {
  NaiveCounts counts;
  for (size_t f = 0; f < fields.size(); ++f) {
    for (const NaiveToken& token : fields[f]) {
      uint32_t& count = counts[{static_cast<index::FieldId>(f), token.text}];
      count = std::min(count + 1, index::kMaxTf);
    }
  }
  return counts;
}

// The spellings of each term.
inline std::map<NaiveTerm, std::vector<std::string>> SpellingsOf(const index::Snapshot& snapshot) {
  std::map<NaiveTerm, std::vector<std::string>> spellings;
  for (index::TermId term = 0; term < snapshot.term_count; ++term) {
    if (!snapshot.spellings().IsSpeltAsIs(term)) continue;
    const std::string text(snapshot.terms().Text(term));
    spellings[{snapshot.terms().FieldOf(term), text}].push_back(text);
  }
  for (index::SpellingId spelling = 0; spelling < snapshot.spelling_count; ++spelling) {
    const index::TermId term = snapshot.spellings().TermOf(spelling);
    spellings[{snapshot.terms().FieldOf(term), std::string(snapshot.terms().Text(term))}].emplace_back(
        snapshot.spellings().Text(spelling));
  }
  return spellings;
}

// The words of a text as they are written, each with its token.
inline std::vector<std::pair<std::string, std::string>> NaiveWords(index::AnalysisKind analysis,
                                                                   std::string_view text) {
  std::vector<std::pair<std::string, std::string>> words;
  if (analysis == index::AnalysisKind::kTokens) {
    for (const std::string& word : SplitAtSpaces(text)) words.emplace_back(word, word);
    return words;
  }
  analysis::TokenList written, tokens;
  analysis::AnalyzeWords(static_cast<analysis::Preset>(analysis), text, &written);
  analysis::Analyze(static_cast<analysis::Preset>(analysis), text, &tokens);
  for (size_t i = 0; i < written.tokens.size(); ++i)
    words.emplace_back(written.text(written.tokens[i]), tokens.text(tokens.tokens[i]));
  return words;
}

// A field's length as scores see it: four significant bits from 40 on, counted behind the 24 exact lengths.
inline double QuantizedLength(size_t length) {
  if (length < 40) return static_cast<double>(length);
  const size_t rest = length - 24;
  const int drop = std::bit_width(rest) - 4;
  return static_cast<double>(24 + (rest >> drop << drop));
}

// The tokens a forward record holds, spelled out.
inline std::vector<NaiveField> RecordTokens(const index::TermDict& terms, const index::ForwardView& record) {
  std::vector<NaiveField> fields(record.fields());
  for (size_t f = 0; f < fields.size(); ++f) {
    index::VisitTokens(record.codes(f), 0, [&](index::TermId term, uint64_t position) {
      fields[f].push_back({std::string(terms.Text(term)), position});
    });
  }
  return fields;
}

// All postings of a snapshot as searches read them; terms without postings are left out.
inline NaivePostings PostingsOf(const index::Snapshot& snapshot) {
  NaivePostings postings;
  for (index::TermId term = 0; term < snapshot.term_count; ++term) {
    const NaiveTerm name(snapshot.terms().FieldOf(term), snapshot.terms().Text(term));
    for (index::PostingCursor cursor(snapshot, term); cursor.doc() != index::kNoDoc; cursor.Next()) {
      postings[name][cursor.doc()] = cursor.tf();
    }
  }
  return postings;
}

}  // namespace freshdex::test

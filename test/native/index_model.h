// What an index should show, kept in maps, and the comparison of a snapshot with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "native/index/check_index.h"
#include "native/index/index_writer.h"
#include "native/index/length_norm.h"
#include "test/native/batch_builder.h"
#include "test/native/harness.h"
#include "test/native/naive_postings.h"

namespace freshdex::test {

struct ModelDocument {
  std::vector<std::string> texts;  // by field
  double weight = 0;
  std::string stored;
  ModelValues values = {};
};
using ModelDocuments = std::map<std::string, ModelDocument>;  // by key

inline void ExpectNoFaults(const index::Snapshot& snapshot) {
  const index::CheckReport report = index::CheckIndex(snapshot, index::CheckLevel::kCross);
  for (const index::Fault& fault : report.faults) EXPECT_EQ(fault.invariant + ": " + fault.message, "no fault");
}

// What the columns of a snapshot say of a document.
inline ModelValues ValuesOf(const index::Snapshot& snapshot, index::DocId doc) {
  ModelValues values;
  for (const index::Column& column : snapshot.columns) {
    ModelColumn& of = values.emplace_back();
    if (column.kind() == index::ColumnKind::kKeyword) {
      for (const uint32_t ordinal : column.Ordinals(doc)) {
        EXPECT(ordinal < column.ordinal_count());
        const std::string word(column.Word(ordinal));
        EXPECT(column.FindWord(word) == ordinal);
        EXPECT(of.words.insert(word).second);
      }
    } else {
      for (const double number : column.Numbers(doc)) {
        EXPECT(of.numbers.empty() || *of.numbers.rbegin() < number);
        of.numbers.insert(number);
      }
    }
  }
  return values;
}

inline void ExpectDocument(const index::Snapshot& snapshot, index::DocId doc, const std::vector<NaiveField>& fields,
                           const ModelDocument& document) {
  const auto record = snapshot.Record(doc);
  EXPECT(record.has_value());
  if (!record) return;
  EXPECT_EQ(record->stored, document.stored);
  EXPECT_EQ(record->weight, document.weight);
  EXPECT_EQ(snapshot.weights[doc], document.weight);
  ModelValues values = document.values;
  values.resize(snapshot.columns.size());
  EXPECT(ValuesOf(snapshot, doc) == values);
  EXPECT(RecordTokens(snapshot.terms(), index::ForwardView(record->forward)) == fields);
  for (size_t f = 0; f < fields.size(); ++f) {
    EXPECT_EQ(snapshot.norms[f][doc], index::EncodeLength(static_cast<uint32_t>(fields[f].size())));
  }
}

// Compares everything a reader can see: keys, records, weights, norms, postings, statistics. Returns the postings.
inline NaivePostings ExpectShows(const index::Snapshot& snapshot, index::AnalysisKind analysis,
                                 const ModelDocuments& documents) {
  EXPECT_EQ(snapshot.documents, documents.size());
  NaivePostings postings;
  const auto spellings = SpellingsOf(snapshot);
  std::vector<index::FieldTotals> totals(snapshot.fields.size());
  for (const auto& [key, document] : documents) {
    const index::DocId doc = snapshot.FindKey(key);
    EXPECT(doc != index::kNoDoc);
    if (doc == index::kNoDoc) continue;
    EXPECT_EQ(snapshot.vocabulary->keys.KeyOf(doc), key);
    const std::vector<NaiveField> fields = NaiveDocument(analysis, document.texts);
    ExpectDocument(snapshot, doc, fields, document);
    for (size_t f = 0; f < fields.size(); ++f) {
      for (const auto& [word, token] : NaiveWords(analysis, document.texts[f])) {
        const auto known = spellings.find({static_cast<index::FieldId>(f), token});
        EXPECT(known != spellings.end() && std::ranges::count(known->second, word) == 1);
      }
    }
    for (const auto& [term, tf] : CountTerms(fields)) postings[term][doc] = tf;
    for (size_t f = 0; f < fields.size(); ++f) {
      totals[f].documents += !fields[f].empty();
      totals[f].tokens += fields[f].size();
    }
  }
  EXPECT(PostingsOf(snapshot) == postings);
  uint64_t count = 0;
  for (const auto& [term, docs] : postings) count += docs.size();
  EXPECT_EQ(snapshot.postings, count);
  for (size_t f = 0; f < totals.size(); ++f) {
    EXPECT_EQ(snapshot.fields[f].documents, totals[f].documents);
    EXPECT_EQ(snapshot.fields[f].tokens, totals[f].tokens);
  }
  return postings;
}

}  // namespace freshdex::test

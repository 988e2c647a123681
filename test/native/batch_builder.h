// Writes batch slabs (native/index/batch.h) for tests.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/base/bytes.h"
#include "native/index/column_values.h"
#include "native/index/document_differ.h"

namespace freshdex::test {

inline std::string TokenBytes(const std::vector<std::string>& tokens) {
  std::string bytes;
  for (const std::string& token : tokens) {
    AppendValue(&bytes, static_cast<uint16_t>(token.size()));
    bytes += token;
  }
  return bytes;
}

inline std::vector<std::string> SplitAtSpaces(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c != ' ' && c != '\n') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

// What a field holds in the slab: the text itself, or, when tokens are given by the caller, the words of the text.
inline std::string FieldPayload(index::AnalysisKind analysis, std::string_view text) {
  return analysis == index::AnalysisKind::kTokens ? TokenBytes(SplitAtSpaces(text)) : std::string(text);
}

// What a document has in one column.
struct ModelColumn {
  std::set<std::string> words;
  std::set<double> numbers;
  bool operator==(const ModelColumn&) const = default;
};
using ModelValues = std::vector<ModelColumn>;  // by column; those behind are empty

class BatchBuilder {
 public:
  explicit BatchBuilder(index::AnalysisKind analysis = index::AnalysisKind::kStandard, index::ColumnKinds columns = {})
      : analysis_(analysis), columns_(std::move(columns)) {}

  BatchBuilder& Put(std::string_view key, const std::vector<std::string>& fields, double weight = 0,
                    std::string_view stored = {}, const ModelValues& values = {}) {
    ++puts_;
    AppendSized(key, &put_bytes_);
    AppendValue(&put_bytes_, weight);
    AppendSized(stored, &put_bytes_);
    AppendValues(values);
    for (const std::string& text : fields) {
      AppendValue(&put_bytes_, static_cast<uint8_t>(analysis_ == index::AnalysisKind::kTokens ? 1 : 0));
      AppendSized(FieldPayload(analysis_, text), &put_bytes_);
    }
    return *this;
  }

  // The text of the document stays, and so do its values.
  BatchBuilder& Reweigh(std::string_view key, size_t fields, double weight, std::string_view stored = {}) {
    ++puts_;
    AppendSized(key, &put_bytes_);
    AppendValue(&put_bytes_, weight);
    AppendSized(stored, &put_bytes_);
    if (!columns_.empty()) {
      AppendValue(&put_bytes_, static_cast<uint32_t>(4 * columns_.size()));
      for (size_t c = 0; c < columns_.size(); ++c) AppendValue(&put_bytes_, index::kKeptValues);
    }
    KeepText(fields);
    return *this;
  }

  // The text of the document stays, and so do the values of all columns but one.
  BatchBuilder& SetColumn(std::string_view key, size_t fields, double weight, std::string_view stored, size_t column,
                          const ModelColumn& values) {
    ++puts_;
    AppendSized(key, &put_bytes_);
    AppendValue(&put_bytes_, weight);
    AppendSized(stored, &put_bytes_);
    std::string payload;
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (c == column) {
        AppendColumn(columns_[c], values, &payload);
      } else {
        AppendValue(&payload, index::kKeptValues);
      }
    }
    AppendSized(payload, &put_bytes_);
    KeepText(fields);
    return *this;
  }

  BatchBuilder& Remove(std::string_view key) {
    ++removals_;
    AppendSized(key, &removal_bytes_);
    return *this;
  }

  std::string Slab() const {
    std::string slab;
    AppendValue(&slab, puts_);
    AppendValue(&slab, removals_);
    return slab + put_bytes_ + removal_bytes_;
  }

 private:
  void KeepText(size_t fields) {
    for (size_t f = 0; f < fields; ++f) {
      AppendValue(&put_bytes_, uint8_t{2});
      AppendSized({}, &put_bytes_);
    }
  }

  void AppendValues(const ModelValues& values) {
    if (columns_.empty()) return;
    std::string payload;
    for (size_t c = 0; c < columns_.size(); ++c)
      AppendColumn(columns_[c], c < values.size() ? values[c] : ModelColumn(), &payload);
    AppendSized(payload, &put_bytes_);
  }

  // From the last value to the first, and the first of all twice: order and repetitions mean nothing.
  static void AppendColumn(index::ColumnKind kind, const ModelColumn& values, std::string* out) {
    const size_t count = values.words.size() + values.numbers.size();
    AppendValue(out, static_cast<uint32_t>(count == 0 ? 0 : count + 1));
    for (auto word = values.words.rbegin(); word != values.words.rend(); ++word) AppendSized(*word, out);
    for (auto number = values.numbers.rbegin(); number != values.numbers.rend(); ++number)
      AppendNumber(kind, *number, out);
    if (!values.words.empty()) AppendSized(*values.words.begin(), out);
    if (!values.numbers.empty()) AppendNumber(kind, *values.numbers.begin(), out);
  }

  static void AppendNumber(index::ColumnKind kind, double number, std::string* out) {
    if (kind == index::ColumnKind::kBoolean) {
      AppendValue(out, static_cast<uint8_t>(number));
    } else {
      AppendValue(out, number);
    }
  }

  static void AppendSized(std::string_view bytes, std::string* out) {
    AppendValue(out, static_cast<uint32_t>(bytes.size()));
    out->append(bytes);
  }

  const index::AnalysisKind analysis_;
  const index::ColumnKinds columns_;
  uint32_t puts_ = 0;
  uint32_t removals_ = 0;
  std::string put_bytes_;
  std::string removal_bytes_;
};

}  // namespace freshdex::test

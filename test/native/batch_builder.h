// Writes batch slabs (native/index/batch.h) for tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/base/bytes.h"
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

class BatchBuilder {
 public:
  explicit BatchBuilder(index::AnalysisKind analysis = index::AnalysisKind::kStandard) : analysis_(analysis) {}

  BatchBuilder& Put(std::string_view key, const std::vector<std::string>& fields, double weight = 0,
                    std::string_view stored = {}) {
    ++puts_;
    AppendSized(key, &put_bytes_);
    AppendValue(&put_bytes_, weight);
    AppendSized(stored, &put_bytes_);
    for (const std::string& text : fields) {
      AppendValue(&put_bytes_, static_cast<uint8_t>(analysis_ == index::AnalysisKind::kTokens ? 1 : 0));
      AppendSized(FieldPayload(analysis_, text), &put_bytes_);
    }
    return *this;
  }

  // The text of the document stays.
  BatchBuilder& Reweigh(std::string_view key, size_t fields, double weight, std::string_view stored = {}) {
    ++puts_;
    AppendSized(key, &put_bytes_);
    AppendValue(&put_bytes_, weight);
    AppendSized(stored, &put_bytes_);
    for (size_t f = 0; f < fields; ++f) {
      AppendValue(&put_bytes_, uint8_t{2});
      AppendSized({}, &put_bytes_);
    }
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
  static void AppendSized(std::string_view bytes, std::string* out) {
    AppendValue(out, static_cast<uint32_t>(bytes.size()));
    out->append(bytes);
  }

  const index::AnalysisKind analysis_;
  uint32_t puts_ = 0;
  uint32_t removals_ = 0;
  std::string put_bytes_;
  std::string removal_bytes_;
};

}  // namespace freshdex::test

// The naive twin of a search: docs/search-model.md word by word, over the tokens of the forward records. It visits
// every document for every node and knows nothing of cursors, windows or budgets.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/index/snapshot.h"
#include "native/score/levenshtein.h"
#include "native/score/query.h"
#include "native/score/similarity.h"
#include "native/score/top_k.h"
#include "test/native/edit_distance.h"
#include "test/native/naive_postings.h"

namespace freshdex::test {

class NaiveSearch {
 public:
  NaiveSearch(const index::Snapshot& snapshot, const score::Scoring& scoring)
      : scoring_(scoring),
        fields_(snapshot.fields.size()),
        spellings_(SpellingsOf(snapshot)),
        field_documents_(fields_, 0),
        field_tokens_(fields_, 0) {
    for (index::DocId doc = 0; doc < snapshot.doc_limit; ++doc) {
      if (!snapshot.IsVisible(doc)) continue;
      const index::RecordView record = snapshot.Record(doc).value();
      Add(doc, RecordTokens(snapshot.terms(), index::ForwardView(record.forward)), record.weight);
    }
  }

  // All hits in order of documents, with their scores.
  std::vector<score::Hit> Run(const score::QueryNode& query) {
    is_truncated_ = false;
    expansions_.clear();
    std::vector<score::Hit> hits;
    Prepare(query);
    if (Vanishes(query)) return hits;
    for (const Document& document : documents_) {
      const std::optional<double> text = Score(query, document, 1);
      if (text) hits.push_back({document.doc, scoring_.alpha * *text + scoring_.beta * document.weight});
    }
    return hits;
  }

  bool is_truncated() const { return is_truncated_; }

 private:
  using Node = score::QueryNode;
  using Kind = score::QueryKind;

  struct Document {
    index::DocId doc;
    double weight;
    std::vector<NaiveField> fields;
    NaiveCounts counts;
  };
  struct Expanded {
    std::map<std::string, double> weights;
    uint32_t df = 0;
  };

  void Add(index::DocId doc, std::vector<NaiveField> fields, double weight) {
    for (size_t f = 0; f < fields_; ++f) {
      field_documents_[f] += fields[f].empty() ? 0 : 1;
      field_tokens_[f] += static_cast<double>(fields[f].size());
    }
    NaiveCounts counts = CountTerms(fields);
    for (const auto& [term, tf] : counts) ++df_[term];
    documents_.push_back({doc, weight, std::move(fields), std::move(counts)});
  }

  bool Vanishes(const Node& node) const {
    switch (node.kind) {
      case Kind::kWord:
      case Kind::kPhrase:
        return node.tokens.empty();
      case Kind::kPrefix:
        return node.text.empty();
      case Kind::kFuzzy:
        return node.text.empty() || !HasExpansions(node);
      case Kind::kNothing:
        return true;
      case Kind::kAll:
        return false;
      default:
        return std::ranges::all_of(node.children, [this](const Node& child) { return Vanishes(child); });
    }
  }

  bool HasExpansions(const Node& node) const {
    for (size_t f = 0; f < fields_; ++f) {
      if (Selects(node, f) && !expansions_.at({&node, f}).weights.empty()) return true;
    }
    return false;
  }

  bool Selects(const Node& node, size_t field) const { return (node.field_mask >> field & 1) != 0; }

  void Prepare(const Node& node) {
    for (const Node& child : node.children) Prepare(child);
    if ((node.kind != Kind::kPrefix && node.kind != Kind::kFuzzy) || node.text.empty()) return;
    for (size_t f = 0; f < fields_; ++f) {
      if (Selects(node, f)) expansions_[{&node, f}] = Expand(node, static_cast<index::FieldId>(f));
    }
  }

  Expanded Expand(const Node& node, index::FieldId field) {
    std::vector<std::pair<uint32_t, std::string>> found;
    std::map<std::string, double> weights;
    for (auto at = df_.lower_bound({field, ""}); at != df_.end() && at->first.first == field; ++at) {
      double weight = 0;
      for (const std::string& spelling : spellings_.at(at->first))
        weight = std::max(weight, ExpansionWeight(node, spelling));
      if (weight <= 0) continue;
      found.emplace_back(at->second, at->first.second);
      weights[at->first.second] = weight;
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    constexpr size_t kMaxExpansions = 1024;
    is_truncated_ |= found.size() > kMaxExpansions;
    if (found.size() > kMaxExpansions) found.resize(kMaxExpansions);
    Expanded expanded;
    for (const auto& [df, text] : found) {
      expanded.weights[text] = weights[text];
      expanded.df = std::max(expanded.df, df);
    }
    return expanded;
  }

  static double ExpansionWeight(const Node& node, const std::string& token) {
    if (node.kind == Kind::kPrefix) return token.starts_with(node.text) ? 1 : 0;
    const auto word = score::DecodeCodePoints(node.text), other = score::DecodeCodePoints(token);
    if (!BeginsLike(word, other)) return 0;
    const int distance = EditDistance(word, other);
    return distance > node.edits ? 0 : 1 - distance / static_cast<double>(word.size());
  }

  double Idf(size_t field, uint32_t df) const {
    const double documents = field_documents_[field];
    if (scoring_.model == score::Model::kBm25) return std::log(1 + (documents - df + 0.5) / (df + 0.5));
    return 1 + std::log((documents + 1) / (df + 1.0));
  }

  double Model(size_t field, double boost, double idf, double tf, const Document& document) const {
    const double length = QuantizedLength(document.fields[field].size());
    const double weight = boost * scoring_.field_boosts[field];
    if (scoring_.model == score::Model::kTfIdf) return weight * idf * std::sqrt(tf) / std::sqrt(length);
    const double average = field_tokens_[field] / field_documents_[field];
    return weight * idf * tf / (tf + scoring_.k1 * (1 - scoring_.b + scoring_.b * length / average));
  }

  static uint32_t Lookup(const NaiveCounts& counts, size_t field, const std::string& token) {
    const auto found = counts.find({static_cast<index::FieldId>(field), token});
    return found == counts.end() ? 0 : found->second;
  }

  std::optional<double> Score(const Node& node, const Document& document, double boost) const {
    switch (node.kind) {
      case Kind::kWord:
        return ScoreWord(node, document, boost * node.boost);
      case Kind::kPhrase:
        return node.tokens.size() == 1 ? ScoreWord(node, document, boost * node.boost)
                                       : ScorePhrase(node, document, boost * node.boost);
      case Kind::kPrefix:
      case Kind::kFuzzy:
        return ScoreExpansion(node, document, boost * node.boost);
      case Kind::kNot:
        return Score(node.children.front(), document, 1) ? std::nullopt : std::optional<double>(0);
      case Kind::kAll:
        return boost * node.boost;
      default:
        return ScoreGroup(node, document, boost * node.boost);
    }
  }

  std::optional<double> ScoreGroup(const Node& node, const Document& document, double boost) const {
    double sum = 0;
    bool any = false;
    for (const Node& child : node.children) {
      if (Vanishes(child)) continue;
      const std::optional<double> part = Score(child, document, boost);
      if (!part && node.kind == Kind::kAnd) return std::nullopt;
      any |= part.has_value();
      sum += part.value_or(0);
    }
    return any ? std::optional<double>(sum) : std::nullopt;
  }

  std::optional<double> ScoreWord(const Node& node, const Document& document, double boost) const {
    double sum = 0;
    for (const score::QueryToken& token : node.tokens) {
      bool any = false;
      for (size_t f = 0; f < fields_; ++f) {
        const uint32_t tf = Selects(node, f) ? Lookup(document.counts, f, token.text) : 0;
        if (tf == 0) continue;
        any = true;
        sum += Model(f, boost, Idf(f, Lookup(df_, f, token.text)), tf, document);
      }
      if (!any) return std::nullopt;
    }
    return sum;
  }

  static uint32_t CountPhrase(const Node& node, const NaiveField& field) {
    std::map<uint64_t, const std::string*> at;
    for (const NaiveToken& token : field) at[token.position] = &token.text;
    uint32_t count = 0;
    for (const NaiveToken& start : field) {
      count += std::all_of(node.tokens.begin(), node.tokens.end(), [&](const score::QueryToken& token) {
        const auto found = at.find(start.position + token.position);
        return found != at.end() && *found->second == token.text;
      });
    }
    return count;
  }

  std::optional<double> ScorePhrase(const Node& node, const Document& document, double boost) const {
    double sum = 0;
    bool any = false;
    for (size_t f = 0; f < fields_; ++f) {
      const uint32_t tf = Selects(node, f) ? CountPhrase(node, document.fields[f]) : 0;
      if (tf == 0) continue;
      any = true;
      double idf = 0;
      for (const score::QueryToken& token : node.tokens) idf += Idf(f, Lookup(df_, f, token.text));
      sum += Model(f, boost, idf, tf, document);
    }
    return any ? std::optional<double>(sum) : std::nullopt;
  }

  std::optional<double> ScoreExpansion(const Node& node, const Document& document, double boost) const {
    double sum = 0;
    bool any = false;
    for (size_t f = 0; f < fields_; ++f) {
      if (!Selects(node, f)) continue;
      const Expanded& expanded = expansions_.at({&node, f});
      double tf = 0;
      for (const auto& [token, weight] : expanded.weights) tf += weight * Lookup(document.counts, f, token);
      if (tf == 0) continue;
      any = true;
      sum += Model(f, boost, Idf(f, expanded.df), tf, document);
    }
    return any ? std::optional<double>(sum) : std::nullopt;
  }

  const score::Scoring scoring_;
  const size_t fields_;
  const std::map<NaiveTerm, std::vector<std::string>> spellings_;
  std::vector<Document> documents_;
  NaiveCounts df_;
  std::vector<double> field_documents_;
  std::vector<double> field_tokens_;
  std::map<std::pair<const Node*, size_t>, Expanded> expansions_;
  bool is_truncated_ = false;
};

}  // namespace freshdex::test

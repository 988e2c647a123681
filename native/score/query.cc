#include "native/score/query.h"

#include <bit>
#include <cmath>

#include "native/analysis/analyzer.h"
#include "native/base/bytes.h"

namespace freshdex::score {
namespace {

Status Malformed(const char* what) { return Status(Code::kMalformed, std::string("malformed query: ") + what); }

class Decoder {
 public:
  Decoder(std::string_view wire, const index::AnalysisKinds& analysis) : reader_(wire), analysis_(analysis) {}

  Status DecodeNode(size_t depth, QueryNode* node) {
    if (depth > kMaxDepth) return Status(Code::kQueryTooComplex, "a query may be 32 levels deep");
    if (++nodes_ > 2 * kMaxClauses) return Status(Code::kQueryTooComplex, "a query may have 1024 clauses");
    node->kind = static_cast<QueryKind>(reader_.Read<uint8_t>());  // any byte; the switch refuses unknown ones
    switch (node->kind) {
      case QueryKind::kWord:
      case QueryKind::kPhrase:
        return DecodeTokens(node);
      case QueryKind::kPrefix:
      case QueryKind::kFuzzy:
      case QueryKind::kNearPrefix:
        return DecodeExpansion(node);
      case QueryKind::kAnd:
      case QueryKind::kOr:
        return ReadBoost(node) ? DecodeChildren(depth, node) : Malformed("boost");
      case QueryKind::kTiers:
      case QueryKind::kFields:
        return DecodeChildren(depth, node);
      case QueryKind::kNot:
        return DecodeNode(depth + 1, &node->children.emplace_back());
      case QueryKind::kNothing:
        return reader_.ok() ? Status() : Malformed("end");
      case QueryKind::kAll:
        return ReadBoost(node) ? Status() : Malformed("boost");
    }
    return Malformed("kind");
  }

  bool is_at_end() const { return reader_.ok() && reader_.remaining() == 0; }

 private:
  index::AnalysisKind AnalysisOf(const QueryNode& leaf) const {
    return analysis_[static_cast<size_t>(std::countr_zero(leaf.field_mask))];
  }

  bool ReadBoost(QueryNode* node) {
    node->boost = reader_.Read<double>();
    return reader_.ok() && std::isfinite(node->boost) && node->boost >= 0;
  }

  Status DecodeTokens(QueryNode* node) {
    node->field_mask = reader_.Read<uint32_t>();
    if (!ReadBoost(node)) return Malformed("boost");
    const uint8_t form = reader_.Read<uint8_t>();
    const uint32_t length = reader_.Read<uint32_t>();
    if (length > kMaxPayloadBytes) return Status(Code::kQueryTooComplex, "a word or phrase of a query may have 64 KiB");
    const std::string_view payload = reader_.ReadBytes(length);
    if (!reader_.ok() || form > 1) return Malformed("word");
    if (form == 1) return TakeTokens(payload, node);
    const index::AnalysisKind analysis = AnalysisOf(*node);
    if (analysis == index::AnalysisKind::kTokens) return Malformed("text without an analyzer");
    analysis::TokenList list;
    analysis::Analyze(index::PresetOf(analysis), payload, &list);
    for (const auto& token : list.tokens) AddToken(list.text(token), token.holes_before, node);
    return CheckTokens(*node);
  }

  Status TakeTokens(std::string_view payload, QueryNode* node) {
    ByteReader tokens(payload);
    while (tokens.remaining() > 0) {
      const uint16_t length = tokens.Read<uint16_t>();
      const uint16_t holes = tokens.Read<uint16_t>();
      const std::string_view text = tokens.ReadBytes(length);
      if (!tokens.ok()) return Malformed("tokens");
      AddToken(text, holes, node);
    }
    return CheckTokens(*node);
  }

  static void AddToken(std::string_view text, uint32_t holes, QueryNode* node) {
    const uint32_t position = node->tokens.empty() ? 0 : node->tokens.back().position + 1 + holes;
    node->tokens.push_back({std::string(text), position});
  }

  Status CheckTokens(const QueryNode& node) {
    nodes_ += node.tokens.empty() ? 0 : node.tokens.size() - 1;
    return nodes_ > 2 * kMaxClauses ? Status(Code::kQueryTooComplex, "a query may have 1024 clauses") : Status();
  }

  Status DecodeExpansion(QueryNode* node) {
    node->field_mask = reader_.Read<uint32_t>();
    if (!ReadBoost(node)) return Malformed("boost");
    const bool has_edits = node->kind != QueryKind::kPrefix;
    if (has_edits) node->edits = reader_.Read<uint8_t>();
    const std::string_view payload = reader_.ReadBytes(reader_.Read<uint32_t>());
    if (!reader_.ok()) return Malformed("word");
    const int least = node->kind == QueryKind::kFuzzy ? 1 : 0;
    if (has_edits && (node->edits < least || node->edits > 2)) return Malformed("edits");
    if (payload.size() > kMaxPayloadBytes) return Status(Code::kQueryTooComplex, "a word of a query may have 64 KiB");
    const index::AnalysisKind analysis = AnalysisOf(*node);
    if (has_edits && IsStopWord(analysis, payload)) return {};
    const bool is_ready = analysis == index::AnalysisKind::kTokens;
    node->text = is_ready ? std::string(payload) : analysis::Normalize(payload, index::PresetOf(analysis));
    return {};
  }

  // A fuzzy stop word vanishes as the word would, and so does what may be one that is being typed; a plain prefix may
  // be the beginning of another word.
  static bool IsStopWord(index::AnalysisKind analysis, std::string_view word) {
    if (analysis == index::AnalysisKind::kTokens || !IsEnglish(index::PresetOf(analysis))) return false;
    analysis::TokenList list;
    analysis::Analyze(index::PresetOf(analysis), word, &list);
    return list.tokens.empty() && list.trailing_holes > 0;
  }

  Status DecodeChildren(size_t depth, QueryNode* node) {
    const uint16_t children = reader_.Read<uint16_t>();
    for (uint16_t i = 0; i < children; ++i) {
      Status status = DecodeNode(depth + 1, &node->children.emplace_back());
      if (!status.ok()) return status;
    }
    return {};
  }

  ByteReader reader_;
  const index::AnalysisKinds& analysis_;
  size_t nodes_ = 0;
};

}  // namespace

Result<QueryNode> DecodeQuery(std::string_view wire, const index::AnalysisKinds& analysis) {
  Decoder decoder(wire, analysis);
  QueryNode root;
  Status status = decoder.DecodeNode(1, &root);
  if (!status.ok()) return status;
  if (!decoder.is_at_end()) return Malformed("length");
  return root;
}

}  // namespace freshdex::score

// Queries for tests: nodes as DecodeQuery gives them, and their bytes on the wire (native/score/query.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/base/bytes.h"
#include "native/score/query.h"

namespace freshdex::test {

using score::QueryKind;
using score::QueryNode;

inline constexpr uint32_t kAllFields = 0xFFFFFFFF;

inline QueryNode TokensNode(QueryKind kind, const std::vector<std::string>& tokens, uint32_t mask, double boost) {
  QueryNode node;
  node.kind = kind;
  node.field_mask = mask;
  node.boost = boost;
  for (const std::string& token : tokens) node.tokens.push_back({token, static_cast<uint32_t>(node.tokens.size())});
  return node;
}

inline QueryNode Word(const std::string& token, uint32_t mask = kAllFields, double boost = 1) {
  return TokensNode(QueryKind::kWord, {token}, mask, boost);
}
inline QueryNode Phrase(const std::vector<std::string>& tokens, uint32_t mask = kAllFields, double boost = 1) {
  return TokensNode(QueryKind::kPhrase, tokens, mask, boost);
}

inline QueryNode ExpansionNode(QueryKind kind, std::string_view text, int edits, uint32_t mask, double boost) {
  QueryNode node;
  node.kind = kind;
  node.field_mask = mask;
  node.boost = boost;
  node.edits = edits;
  node.text = text;
  return node;
}

inline QueryNode Prefix(std::string_view text, uint32_t mask = kAllFields, double boost = 1) {
  return ExpansionNode(QueryKind::kPrefix, text, 0, mask, boost);
}
inline QueryNode Fuzzy(std::string_view text, int edits, uint32_t mask = kAllFields, double boost = 1) {
  return ExpansionNode(QueryKind::kFuzzy, text, edits, mask, boost);
}

inline QueryNode NearPrefix(std::string_view text, int edits, uint32_t mask = kAllFields, double boost = 1) {
  return ExpansionNode(QueryKind::kNearPrefix, text, edits, mask, boost);
}

inline QueryNode Group(QueryKind kind, std::vector<QueryNode> children, double boost = 1) {
  QueryNode node;
  node.kind = kind;
  node.boost = boost;
  node.children = std::move(children);
  return node;
}
inline QueryNode And(std::vector<QueryNode> children, double boost = 1) {
  return Group(QueryKind::kAnd, std::move(children), boost);
}
inline QueryNode Or(std::vector<QueryNode> children, double boost = 1) {
  return Group(QueryKind::kOr, std::move(children), boost);
}
inline QueryNode Not(QueryNode child) { return Group(QueryKind::kNot, {std::move(child)}); }
inline QueryNode Nothing() { return QueryNode(); }
inline QueryNode All(double boost = 1) { return Group(QueryKind::kAll, {}, boost); }

// Tokens are written as tokens (form 1).
inline void AppendQuery(const QueryNode& node, std::string* wire) {
  AppendValue(wire, node.kind);
  const bool is_near_prefix = node.kind == QueryKind::kNearPrefix;
  if (node.kind <= QueryKind::kFuzzy || is_near_prefix) AppendValue(wire, node.field_mask);
  if (node.kind <= QueryKind::kOr || is_near_prefix || node.kind == QueryKind::kAll) AppendValue(wire, node.boost);
  if (node.kind == QueryKind::kWord || node.kind == QueryKind::kPhrase) {
    std::string payload;
    uint32_t next = 0;
    for (const score::QueryToken& token : node.tokens) {
      AppendValue(&payload, static_cast<uint16_t>(token.text.size()));
      AppendValue(&payload, static_cast<uint16_t>(token.position - next));
      payload += token.text;
      next = token.position + 1;
    }
    AppendValue(wire, uint8_t{1});
    AppendValue(wire, static_cast<uint32_t>(payload.size()));
    *wire += payload;
  } else if (node.kind == QueryKind::kPrefix || node.kind == QueryKind::kFuzzy || is_near_prefix) {
    if (node.kind != QueryKind::kPrefix) AppendValue(wire, static_cast<uint8_t>(node.edits));
    AppendValue(wire, static_cast<uint32_t>(node.text.size()));
    *wire += node.text;
  } else if (node.kind == QueryKind::kAnd || node.kind == QueryKind::kOr || node.kind == QueryKind::kTiers ||
             node.kind == QueryKind::kFields) {
    AppendValue(wire, static_cast<uint16_t>(node.children.size()));
  }
  for (const QueryNode& child : node.children) AppendQuery(child, wire);
}

inline std::string WireOf(const QueryNode& node) {
  std::string wire;
  AppendQuery(node, &wire);
  return wire;
}

// A word or phrase as text (form 0), which the core analyses.
inline std::string TextWire(QueryKind kind, std::string_view text, uint32_t mask = kAllFields, double boost = 1) {
  std::string wire;
  AppendValue(&wire, kind);
  AppendValue(&wire, mask);
  AppendValue(&wire, boost);
  AppendValue(&wire, uint8_t{0});
  AppendValue(&wire, static_cast<uint32_t>(text.size()));
  return wire.append(text);
}

}  // namespace freshdex::test

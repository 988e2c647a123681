// A query as it crosses from TypeScript: a tree in prefix order, little endian. Written by src/core/query-wire.ts.
//
//   u8 kind, then
//   1 word, 2 phrase   u32 field mask | f64 boost | u8 form | u32 bytes | payload
//   3 prefix           u32 field mask | f64 boost | u32 bytes | payload
//   4 fuzzy            u32 field mask | f64 boost | u8 edits | u32 bytes | payload
//   5 and, 6 or        f64 boost | u16 children | children...
//   7 not              child
//   8 nothing          vanishes like a word without tokens; alone it has no hits
//   9 all              f64 boost; every document, which scores its boost
//   16 near prefix     u32 field mask | f64 boost | u8 edits | u32 bytes | payload
//   17 tiers           u16 children | children...
//   18 fields          u16 children | children...: one word, phrase, prefix or fuzzy word in fields of several
//   analyzers
//
// Form 0 is UTF-8 text for the core to analyse, form 1 tokens: a sequence of {u16 length, u16 holes before, bytes}.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/status.h"
#include "native/index/document_differ.h"

namespace freshdex::score {

enum class QueryKind : uint8_t {
  kWord = 1,
  kPhrase,
  kPrefix,
  kFuzzy,
  kAnd,
  kOr,
  kNot,
  kNothing,
  kAll,
  kNearPrefix = 16,
  kTiers,
  kFields
};

struct QueryToken {
  std::string text;
  uint32_t position = 0;  // relative to the first token
};

struct QueryNode {
  QueryKind kind = QueryKind::kNothing;
  uint32_t field_mask = 0;
  double boost = 1;
  int edits = 0;                    // fuzzy: 1 or 2; near prefix: 0 to 2
  std::vector<QueryToken> tokens;   // word, phrase
  std::string text;                 // prefix, fuzzy, near prefix: the normalised word
  std::vector<QueryNode> children;  // and, or, not, tiers
};

inline constexpr size_t kMaxClauses = 1024;
inline constexpr size_t kMaxDepth = 64;  // the TypeScript side allows 32 levels of its own; some become two here
inline constexpr size_t kMaxPayloadBytes = 1u << 16;

// The fields of a word, phrase, prefix or fuzzy word have one analysis: that of the first of them holds.
Result<QueryNode> DecodeQuery(std::string_view wire, const index::AnalysisKinds& analysis);

}  // namespace freshdex::score

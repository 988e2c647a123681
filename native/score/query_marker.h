// Which words of a text a query asks for: what snippets mark.
//
// A word is marked where its token is one that the query looks for: that of a word, one that a prefix or fuzzy word
// stands for, or one of a phrase, where the whole phrase stands. What is negated marks nothing.
//
// The query is made of parts, which are numbered: every token of its words, every phrase, every prefix and every fuzzy
// word, none twice. Parts tell how much of the query a piece of the text has.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "native/analysis/token_list.h"
#include "native/index/snapshot.h"
#include "native/score/query.h"
#include "native/score/search_budget.h"

namespace freshdex::score {

struct WordMark {
  uint32_t token = 0;  // which token of the text
  uint32_t last = 0;   // the last token of the same occurrence; `token` but for phrases
  uint32_t part = 0;   // of which part of the query; kNoPart for words of a phrase behind its first
};

inline constexpr uint32_t kNoPart = UINT32_MAX;

class QueryMarker {
 public:
  // Marks less than the query asks for, or nothing, when the budget is spent.
  QueryMarker(const index::Snapshot& snapshot, const QueryNode& query, SearchBudget* budget);

  // Appends the marks of a field's text in order of their tokens; a token that several parts want has several.
  // False when the budget was spent before the end.
  bool Mark(size_t field, const analysis::TokenList& text, SearchBudget* budget, std::vector<WordMark>* marks) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  struct Wanted {
    std::vector<uint32_t> parts;  // ascending
    bool is_in_phrase = false;
    uint32_t number = 0;  // among the wanted tokens of the field
  };
  struct Phrase {
    uint32_t part;
    std::vector<uint32_t> tokens;   // numbers of wanted tokens
    std::vector<uint32_t> offsets;  // positions behind the first, ascending
  };
  struct Place {
    uint64_t position;
    uint32_t token;
    uint32_t wanted;
  };
  // What is looked for in one field.
  struct Field {
    std::unordered_map<std::string, Wanted, Hash, std::equal_to<>> wanted;
    std::vector<Phrase> phrases;
    // No token with a bit that is not set is wanted: most words of a text end here.
    std::array<uint64_t, 4> filter{};
  };

  void Add(const index::Snapshot& snapshot, const QueryNode& node, SearchBudget* budget);
  void AddPhrase(Field* field, const QueryNode& node, uint32_t part);
  Wanted& Want(Field* field, std::string_view token);
  void WantPart(Field* field, std::string_view token, uint32_t part);
  uint32_t PartOf(QueryKind kind, std::string text);
  static bool MarkPhrase(const Phrase& phrase, std::span<const Place> places, SearchBudget* budget,
                         std::vector<WordMark>* marks);

  std::vector<Field> fields_;
  std::map<std::string, uint32_t> parts_;
  std::set<std::pair<size_t, uint32_t>> expanded_;  // fields and parts whose words are known already
};

}  // namespace freshdex::score

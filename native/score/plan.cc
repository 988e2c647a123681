#include "native/score/plan.h"

#include <algorithm>

#include "native/score/group_matchers.h"

namespace freshdex::score {
namespace {

// Beyond this many parts, comparing the parts' documents one by one costs more than scoring whole windows.
constexpr size_t kFewParts = 8;

std::string TextOf(const QueryNode& node) {
  std::string text;
  for (const QueryToken& token : node.tokens) {
    if (!text.empty()) text += ' ';
    text += token.text;
  }
  return text;
}

}  // namespace

Expansion ExpansionOf(const index::Snapshot& snapshot, index::FieldId field, const QueryNode& node, size_t limit,
                      SearchBudget* budget) {
  switch (node.kind) {
    case QueryKind::kPrefix:
      return ExpandPrefix(snapshot, field, node.text, limit, budget);
    case QueryKind::kNearPrefix:
      return ExpandNearPrefix(snapshot, field, node.text, node.edits, limit, budget);
    default:
      return ExpandFuzzy(snapshot, field, node.text, node.edits, limit, budget);
  }
}

bool VanishesInFields(const QueryNode& node) {
  return std::any_of(node.children.begin(), node.children.end(), [](const QueryNode& child) {
    const bool has_tokens = child.kind == QueryKind::kWord || child.kind == QueryKind::kPhrase;
    return has_tokens ? child.tokens.empty() : child.text.empty();
  });
}

Plan::Plan(const index::Snapshot& snapshot, const Scoring& scoring, const QueryNode& query, const Options& options,
           SearchBudget* budget)
    : snapshot_(snapshot), scoring_(scoring), options_(options), budget_(budget), scorers_(snapshot.fields.size()) {
  root_ = Build(query, 1, true);
  if (!root_) root_ = std::make_unique<EmptyMatcher>();
}

LeafContext Plan::Context(size_t field, double boost) {
  if (!scorers_[field]) scorers_[field] = std::make_unique<FieldScorer>(scoring_, snapshot_.fields[field]);
  return {&snapshot_, scorers_[field].get(), static_cast<index::FieldId>(field),
          Capped(boost * scoring_.field_boosts[field])};
}

// A leaf costs about as much as scoring this many documents: its terms are looked up, its lists opened.
constexpr uint64_t kLeafCost = 16;

MatcherPtr Plan::Build(const QueryNode& node, double boost, bool is_root) {
  return budget_->Spend(kLeafCost * (1 + node.tokens.size())) ? BuildKind(node, boost, is_root) : nullptr;
}

MatcherPtr Plan::BuildKind(const QueryNode& node, double boost, bool is_root) {
  const double product = Capped(boost * node.boost);
  switch (node.kind) {
    case QueryKind::kWord:
      return BuildWord(node, product, is_root);
    case QueryKind::kPhrase:
      return node.tokens.size() == 1 ? BuildWord(node, product, is_root) : BuildPhrase(node, product);
    case QueryKind::kPrefix:
    case QueryKind::kFuzzy:
    case QueryKind::kNearPrefix:
      return BuildExpansion(node, product);
    case QueryKind::kAnd:
      return BuildAnd(node, product);
    case QueryKind::kOr:
      return BuildOr(node, product, is_root);
    case QueryKind::kNot: {
      MatcherPtr part = Build(node.children.front(), 1, false);
      return part ? std::make_unique<ComplementMatcher>(snapshot_, std::move(part), budget_) : nullptr;
    }
    case QueryKind::kTiers:
      return BuildTiers(node, product);
    case QueryKind::kFields:
      return BuildFields(node, product, is_root);
    case QueryKind::kNothing:
      return nullptr;
    case QueryKind::kAll:
      return std::make_unique<AllMatcher>(snapshot_, product, options_.passing, budget_);
  }
  return nullptr;
}

MatcherPtr Plan::AnyOf(std::vector<MatcherPtr> parts, bool is_root) const {
  if (parts.empty()) return std::make_unique<EmptyMatcher>();
  if (parts.size() == 1) return std::move(parts.front());
  const bool by_window = !options_.is_for_explaining && (is_root || parts.size() > kFewParts);
  if (by_window) return std::make_unique<WindowOrMatcher>(std::move(parts), budget_);
  return std::make_unique<OrMatcher>(std::move(parts), budget_);
}

MatcherPtr Plan::BuildWord(const QueryNode& node, double boost, bool is_root) {
  std::vector<MatcherPtr> tokens;
  for (const QueryToken& token : node.tokens) {
    std::vector<MatcherPtr> fields;
    for (size_t f = 0; f < snapshot_.fields.size(); ++f) {
      const index::TermId term =
          Selects(node, f) ? snapshot_.FindTerm(static_cast<index::FieldId>(f), token.text) : index::kNoTerm;
      if (term != index::kNoTerm) fields.push_back(std::make_unique<TermMatcher>(Context(f, boost), term, budget_));
    }
    tokens.push_back(AnyOf(std::move(fields), is_root && node.tokens.size() == 1));
  }
  if (tokens.empty()) return nullptr;
  if (tokens.size() == 1) return std::move(tokens.front());
  return std::make_unique<AndMatcher>(std::move(tokens), std::vector<MatcherPtr>(), budget_);
}

MatcherPtr Plan::BuildPhrase(const QueryNode& node, double boost) {
  if (node.tokens.empty()) return nullptr;
  std::vector<MatcherPtr> fields;
  for (size_t f = 0; f < snapshot_.fields.size(); ++f) {
    if (!Selects(node, f)) continue;
    std::vector<index::TermId> terms;
    std::vector<uint32_t> offsets;
    for (const QueryToken& token : node.tokens) {
      const index::TermId term = snapshot_.FindTerm(static_cast<index::FieldId>(f), token.text);
      if (term == index::kNoTerm) break;
      terms.push_back(term);
      offsets.push_back(token.position);
    }
    if (terms.size() != node.tokens.size()) continue;
    fields.push_back(std::make_unique<PhraseMatcher>(Context(f, boost), terms, offsets, TextOf(node), budget_));
  }
  return AnyOf(std::move(fields), false);
}

MatcherPtr Plan::BuildExpansion(const QueryNode& node, double boost) {
  if (node.text.empty()) return nullptr;
  const char* const kind = node.kind == QueryKind::kFuzzy ? "fuzzy" : "prefix";
  std::vector<MatcherPtr> fields;
  for (size_t f = 0; f < snapshot_.fields.size(); ++f) {
    if (!Selects(node, f)) continue;
    std::shared_ptr<const ExpandedPostings> expanded = Expand(node, f);
    if (expanded->df == 0) continue;
    fields.push_back(std::make_unique<ExpansionMatcher>(Context(f, boost), std::move(expanded), kind, node.text));
  }
  // A misspelt word that nothing is like takes nothing away from the other words of the query.
  if (fields.empty() && node.kind == QueryKind::kFuzzy) return nullptr;
  return AnyOf(std::move(fields), false);
}

std::shared_ptr<const ExpandedPostings> Plan::Expand(const QueryNode& node, size_t f) {
  std::shared_ptr<const ExpandedPostings>& expanded = expanded_[{f, node.kind, node.edits, node.text}];
  if (expanded) return expanded;
  const index::FieldId field = static_cast<index::FieldId>(f);
  const Expansion expansion = ExpansionOf(snapshot_, field, node, options_.max_expansions, budget_);
  is_truncated_ |= expansion.is_truncated;
  expanded = std::make_shared<const ExpandedPostings>(GatherPostings(snapshot_, expansion, budget_));
  return expanded;
}

MatcherPtr Plan::BuildAnd(const QueryNode& node, double boost) {
  std::vector<MatcherPtr> required, excluded;
  for (const QueryNode& child : node.children) {
    const bool is_not = child.kind == QueryKind::kNot;
    MatcherPtr part = is_not ? Build(child.children.front(), 1, false) : Build(child, boost, false);
    if (part) (is_not ? excluded : required).push_back(std::move(part));
  }
  if (required.empty() && excluded.empty()) return nullptr;
  if (required.empty()) required.push_back(std::make_unique<ComplementMatcher>(snapshot_, nullptr, budget_));
  if (required.size() == 1 && excluded.empty()) return std::move(required.front());
  return std::make_unique<AndMatcher>(std::move(required), std::move(excluded), budget_);
}

MatcherPtr Plan::BuildOr(const QueryNode& node, double boost, bool is_root) {
  std::vector<MatcherPtr> parts;
  for (const QueryNode& child : node.children) {
    if (MatcherPtr part = Build(child, boost, false)) parts.push_back(std::move(part));
  }
  return parts.empty() ? nullptr : AnyOf(std::move(parts), is_root);
}

MatcherPtr Plan::BuildFields(const QueryNode& node, double boost, bool is_root) {
  if (VanishesInFields(node)) return nullptr;
  std::vector<MatcherPtr> parts;
  for (const QueryNode& child : node.children) {
    if (MatcherPtr part = Build(child, boost, false)) parts.push_back(std::move(part));
  }
  return parts.empty() ? nullptr : AnyOf(std::move(parts), is_root);
}

MatcherPtr Plan::BuildTiers(const QueryNode& node, double boost) {
  std::vector<MatcherPtr> parts;
  for (const QueryNode& child : node.children) {
    if (MatcherPtr part = Build(child, boost, false)) parts.push_back(std::move(part));
  }
  if (parts.empty()) return nullptr;
  return std::make_unique<FirstOfMatcher>(std::move(parts), budget_);
}

}  // namespace freshdex::score

#include "native/index/frequency_order.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "native/analysis/analyzer.h"
#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

// Calls visit(token) for the tokens of a field.
template <typename Visit>
void VisitInput(AnalysisKind analysis, const FieldInput& input, analysis::TokenList* scratch, Visit visit) {
  if (input.is_tokens) {
    for (size_t at = 0; at < input.bytes.size();) {
      const size_t length = LoadUnaligned<uint16_t>(input.bytes.data() + at);
      visit(input.bytes.substr(at + sizeof(uint16_t), length));
      at += sizeof(uint16_t) + length;
    }
    return;
  }
  scratch->Clear();
  analysis::Analyze(PresetOf(analysis), input.bytes, scratch);
  for (const auto& token : scratch->tokens) visit(scratch->text(token));
}

}  // namespace

Status AddTermsByFrequency(AnalysisKind analysis, size_t fields, const Batch& batch, BatchTerms* terms) {
  const TermDict none(0);
  BatchTerms counted(none, 0);
  std::vector<uint64_t> counts;
  analysis::TokenList tokens;
  bool has_room = true;
  size_t bytes = 0;
  for (const PutInput& put : batch.puts) {
    for (size_t f = 0; f < fields; ++f) {
      const FieldInput& input = batch.fields[put.first_field + f];
      bytes += input.bytes.size();
      if (bytes > kCountedBytes) break;
      VisitInput(analysis, input, &tokens, [&](std::string_view token) {
        const TermId term = counted.FindOrAdd(static_cast<FieldId>(f), token);
        has_room = has_room && term != kNoTerm;
        if (!has_room) return;
        if (term == counts.size()) counts.push_back(0);
        ++counts[term];
      });
    }
    if (bytes > kCountedBytes || !has_room) break;
  }
  std::vector<TermId> order(counts.size());
  std::iota(order.begin(), order.end(), TermId{0});
  std::stable_sort(order.begin(), order.end(), [&](TermId a, TermId b) { return counts[a] > counts[b]; });
  for (const TermId term : order) {
    has_room = terms->FindOrAdd(counted.FieldOf(term), counted.added().Text(term)) != kNoTerm && has_room;
  }
  return has_room ? Status()
                  : Status(Code::kTooManyTerms, "the index holds the largest number of distinct terms it can");
}

}  // namespace freshdex::index

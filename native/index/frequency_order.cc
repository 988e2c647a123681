#include "native/index/frequency_order.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "native/analysis/analyzer.h"
#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

// Calls visit(token, is_unstemmed) for the tokens of a field; see analysis::AnalyzeWords().
template <typename Visit>
void VisitInput(AnalysisKind analysis, const FieldInput& input, analysis::TokenList* scratch, Visit visit) {
  if (input.is_tokens) {
    for (size_t at = 0; at < input.bytes.size();) {
      const size_t length = LoadUnaligned<uint16_t>(input.bytes.data() + at);
      visit(input.bytes.substr(at + sizeof(uint16_t), length), false);
      at += sizeof(uint16_t) + length;
    }
    return;
  }
  scratch->Clear();
  analysis::AnalyzeWords(PresetOf(analysis), input.bytes, scratch);
  for (const auto& token : scratch->tokens) visit(scratch->text(token), token.is_unstemmed);
}

}  // namespace

Status AddTermsByFrequency(const AnalysisKinds& analysis, size_t fields, const Batch& batch, BatchTerms* terms) {
  const TermDict none(0);
  const SpellingTable no_spellings;
  BatchTerms counted(none, no_spellings, 0);
  std::vector<uint64_t> counts;
  analysis::TokenList tokens;
  bool has_room = true;
  size_t bytes = 0;
  for (const PutInput& put : batch.puts) {
    for (size_t f = 0; f < fields; ++f) {
      const FieldInput& input = batch.fields[put.first_field + f];
      bytes += input.bytes.size();
      if (bytes > kCountedBytes) break;
      VisitInput(analysis[f], input, &tokens, [&](std::string_view word, bool is_unstemmed) {
        const FieldId field = static_cast<FieldId>(f);
        const TermId term = is_unstemmed ? counted.FindOrAddWord(field, word) : counted.FindOrAdd(field, word);
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
  const SpellingTable& spellings = counted.added_spellings();
  std::vector<TermId> numbers(counts.size());
  for (const TermId term : order) {
    numbers[term] = terms->FindOrAdd(counted.FieldOf(term), counted.added().Text(term), spellings.IsSpeltAsIs(term));
    has_room = has_room && numbers[term] != kNoTerm;
  }
  for (SpellingId spelling = 0; has_room && spelling < spellings.size(); ++spelling)
    has_room = terms->AddSpelling(numbers[spellings.TermOf(spelling)], spellings.Text(spelling));
  return has_room ? Status()
                  : Status(Code::kTooManyTerms, "the index holds the largest number of distinct terms it can");
}

}  // namespace freshdex::index

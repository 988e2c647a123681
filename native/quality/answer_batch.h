// The answer lists of many queries at once: what FindAnswers() gives for each, in a third of the time or less, since
// queries share words and a word is decoded once for all of them.
//
// Queries are taken in groups, documents in ranges. In a range, each word of the group becomes a bit for each document
// and the scores of the documents that have it; a query is the AND of its words' bits. So an index of any size needs
// the same memory: kRangeDocs / 8 bytes for a word beside its scores, and kGroupAnswers answers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "native/index/snapshot.h"
#include "native/quality/answer_list.h"
#include "native/quality/epoch.h"

namespace freshdex::quality {

struct AnswerBatchLimits {
  size_t range_docs = 1u << 14;     // a multiple of 64, at most 2^16
  size_t group_answers = 1u << 22;  // as far as document frequencies can tell; one query may have more
  size_t group_words = 1u << 13;
};

// Calls `visit` for each of `queries`, in their order, with all its answers, documents ascending. The span is good for
// the call. `terms`: by slot of the epoch, as Epoch::FindTerms() has them; empty: they are looked up.
void VisitAnswers(const index::Snapshot& snapshot, const Epoch& epoch, std::span<const QueryNumber> queries,
                  const std::function<void(QueryNumber, std::span<const Answer>)>& visit,
                  const AnswerBatchLimits& limits = {}, std::span<const index::TermId> terms = {});

}  // namespace freshdex::quality

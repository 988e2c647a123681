#include "native/index/check_index.h"

#include <algorithm>
#include <unordered_set>

#include "native/index/column_segments.h"
#include "native/index/length_norm.h"
#include "native/index/phrase_list_builder.h"
#include "native/index/rebuilt_lists.h"

namespace freshdex::index {
namespace {

class Checker {
 public:
  Checker(const Snapshot& snapshot, CheckLevel level) : s_(snapshot), level_(level) {}

  CheckReport Run() {
    report_.documents = s_.documents;
    report_.terms = s_.term_count;
    report_.postings = s_.postings;
    const bool is_as_written = CheckSegments();
    if (level_ >= CheckLevel::kStructure) CheckStructures(is_as_written);
    CheckDamageLog();
    return std::move(report_);
  }

 private:
  // Notes a fault unless `holds`; returns `holds`.
  bool Expect(bool holds, const char* invariant, const std::string& message) {
    if (!holds && report_.faults.size() < kMaxFaults) report_.faults.push_back({invariant, message});
    return holds;
  }
  static std::string Of(const char* what, uint64_t number) { return std::string(what) + " " + std::to_string(number); }

  bool CheckSegments() {
    bool ok = true;
    const auto check = [&](const std::shared_ptr<const SegmentFile>& segment) {
      if (!segment) return;
      const Status status = segment->VerifyAgain();
      ok &= Expect(status.ok(), "C1", status.message());
    };
    for (const PostingSet* set : {static_cast<const PostingSet*>(&s_), static_cast<const PostingSet*>(&s_.phrases)}) {
      for (const auto& partition : set->partitions) check(partition->segment());
      for (const auto& run : set->runs) check(run->segment());
    }
    if (s_.phrases.registry) check(s_.phrases.registry->segment());
    for (const auto& owner : s_.vocabulary->owners) check(owner);
    if (!s_.table) return ok;
    check(s_.table->segment());
    for (const auto& segment : s_.table->record_segments()) check(segment);
    for (const auto& segment : s_.word_segments) check(segment);
    for (const auto& segment : PageSegmentsOf(s_)) check(segment);
    return ok;
  }

  // What the walks of this check met, or a reader before it. Of damage in several places the log has the first.
  void CheckDamageLog() {
    if (!s_.damage || !s_.damage->has_damage()) return;
    const std::string message = s_.damage->first().message();
    const auto is_same = [&](const Fault& fault) { return fault.message == message; };
    if (std::none_of(report_.faults.begin(), report_.faults.end(), is_same)) Expect(false, "C1", message);
  }

  void CheckStructures(bool is_as_written) {
    const bool has_phrases = s_.phrases.registry != nullptr;
    const TermId lists = has_phrases ? s_.phrases.registry->lists() : 0;
    bool is_readable =
        CheckPartitions(s_) & CheckRuns(s_, s_.term_count) & CheckRecords() & CheckTerms() & CheckSpellings();
    if (has_phrases) {
      is_readable &= CheckPartitions(s_.phrases) & CheckRuns(s_.phrases, lists) &
                     Expect(s_.phrases.registry->head().term_count <= s_.term_count, "S7", "terms of the registry");
    } else {
      Expect(s_.phrases.partitions.empty() && s_.phrases.runs.empty(), "S7", "lists of phrases without a registry");
    }
    CheckWords();
    CheckSorted(s_.terms(), s_.sorted_terms, s_.term_count, "term");
    CheckSorted(s_.spellings(), s_.sorted_spellings, s_.spelling_count, "spelling");
    // The walks below follow the structures above: they would run wild on broken ones, and find the rest of a damaged
    // one at fault.
    if (!is_readable || !is_as_written) return;
    if (level_ >= CheckLevel::kCross) {
      const RebuiltLists postings(s_.term_count, [&](auto visit) { VisitDocuments(visit); });
      report_.postings = postings.postings();
      Expect(report_.postings == s_.postings, "S4", "number of postings");
      CheckLists(s_, postings, "S2", "postings differ from the forward records, term");
      if (has_phrases) {
        const RebuiltLists phrases(lists, [&](auto visit) { VisitPhrasePostings(s_, visit); });
        CheckLists(s_.phrases, phrases, "S7", "a list of phrases differs from the forward records, list");
      }
    }
    CheckDeltas(s_, s_.term_count);
    CheckBlocks(s_, s_.term_count);
    if (!has_phrases) return;
    CheckDeltas(s_.phrases, lists);
    CheckBlocks(s_.phrases, lists);
  }

  bool CheckPartitions(const PostingSet& set) {
    bool ok = true;
    TermId next = 0;
    for (const auto& partition : set.partitions) {
      ok &= Expect(partition->term_begin() == next && partition->term_begin() < partition->term_end(), "S1",
                   Of("partition from term", next));
      ok &=
          Expect(partition->IsWellFormed(), "P1", Of("partition from term", partition->term_begin()) + " is malformed");
      next = partition->term_end();
    }
    return ok & Expect(next == kNoTerm, "S1", "partitions do not cover all terms");
  }

  bool CheckRuns(const PostingSet& set, TermId lists) {
    bool ok = true;
    uint64_t last_sequence = 0;
    for (const auto& run : set.runs) {
      ok &= Expect(run->sequence() > last_sequence && run->sequence() <= s_.sequence, "S2",
                   Of("run out of order at batch", run->sequence()));
      last_sequence = run->sequence();
      for (size_t i = 0; i < run->terms().size(); ++i) {
        const TermId term = run->terms()[i];
        ok &= Expect(term < lists && (i == 0 || run->terms()[i - 1] < term), "R1", Of("term", term));
        const TermDeltas deltas = run->At(i);
        ok &= Expect(!deltas.docs.empty(), "R1", Of("no deltas of term", term));
        int64_t df_delta = 0;
        for (size_t d = 0; d < deltas.docs.size(); ++d) {
          ok &= Expect(deltas.docs[d] < s_.doc_limit && (d == 0 || deltas.docs[d - 1] < deltas.docs[d]), "R1",
                       Of("documents of term", term));
          ok &= Expect(deltas.old_tfs[d] != deltas.new_tfs[d], "R2", Of("empty delta of term", term));
          df_delta += (deltas.old_tfs[d] == 0) - (deltas.new_tfs[d] == 0);
        }
        Expect(df_delta == deltas.df_delta, "R3", Of("term", term));
      }
    }
    return ok;
  }

  bool CheckRecords() {
    bool ok = true;
    std::vector<FieldTotals> totals(s_.fields.size());
    uint64_t documents = 0, forward_bytes = 0, stored_bytes = 0, value_bytes = 0;
    for (DocId doc = 0; doc < s_.doc_limit; ++doc) {
      const auto record = s_.Record(doc);
      if (!record) {
        Expect(!s_.IsVisible(doc), "S3", Of("record of document", doc));
        for (const NormTable& norms : s_.norms) Expect(norms[doc] == 0, "S3", Of("norm of invisible document", doc));
        Expect(s_.weights[doc] == 0, "S3", Of("weight of invisible document", doc));
        if (!s_.IsVisible(doc)) CheckValues(doc, "");
        continue;
      }
      ++documents;
      forward_bytes += record->forward.size();
      stored_bytes += record->stored.size();
      value_bytes += record->values.size();
      CheckValues(doc, record->values);
      const ForwardView forward(record->forward);
      if (!Expect(forward.IsWellFormed() && forward.fields() <= s_.fields.size(), "S3",
                  Of("forward record of document", doc))) {
        ok = false;
        continue;
      }
      Expect(s_.FindKey(s_.vocabulary->keys.KeyOf(doc)) == doc, "S3", Of("key of document", doc));
      Expect(record->weight == s_.weights[doc], "S3", Of("weight of document", doc));
      for (size_t f = 0; f < totals.size(); ++f) {
        const uint32_t tokens = forward.extent(f).tokens;
        totals[f].documents += tokens > 0;
        totals[f].tokens += tokens;
        Expect(s_.norms[f][doc] == EncodeLength(tokens), "S3", Of("length norm of document", doc));
      }
    }
    for (size_t doc = s_.doc_limit; doc < s_.records.limit(); ++doc) {
      Expect(!s_.IsVisible(static_cast<DocId>(doc)), "S3", Of("behind the last document, document", doc));
    }
    Expect(documents == s_.documents, "S4", "number of documents");
    Expect(forward_bytes == s_.forward_bytes && stored_bytes == s_.stored_bytes && value_bytes == s_.value_bytes, "S4",
           "bytes of records");
    for (size_t f = 0; f < totals.size(); ++f) {
      Expect(totals[f].documents == s_.fields[f].documents && totals[f].tokens == s_.fields[f].tokens, "S4",
             Of("totals of field", f));
    }
    return ok;
  }

  // V1 and V2. `bytes` is empty for an invisible document.
  void CheckValues(DocId doc, std::string_view bytes) {
    const auto values = ReadValues(bytes, kinds_);
    if (!Expect(values.has_value(), "V1", Of("values in the record of document", doc))) return;
    for (size_t c = 0; c < kinds_.size(); ++c) {
      const Column& column = s_.columns[c];
      bool is_same = true;
      if (kinds_[c] == ColumnKind::kKeyword) {
        std::vector<std::string_view> words;
        for (const uint32_t ordinal : column.Ordinals(doc)) {
          if (Expect(ordinal < column.ordinal_count(), "V2", Of("ordinal of document", doc)))
            words.push_back(column.Word(ordinal));
        }
        std::ranges::sort(words);
        is_same = words == (*values)[c].words;
      } else {
        is_same = std::ranges::equal(column.Numbers(doc), (*values)[c].numbers);
      }
      Expect(is_same, "V1", Of("values of document", doc) + Of(" in column", c));
    }
  }

  // Every word is found by its ordinal.
  void CheckWords() {
    for (const Column& column : s_.columns) {
      if (column.kind() != ColumnKind::kKeyword) continue;
      for (uint32_t ordinal = 0; ordinal < column.ordinal_count(); ++ordinal)
        Expect(column.FindWord(column.Word(ordinal)) == ordinal, "D2", Of("keyword", ordinal));
    }
  }

  bool CheckTerms() {
    bool ok = true;
    for (TermId term = 0; term < s_.term_count; ++term) {
      ok &= Expect(s_.terms().FieldOf(term) < s_.fields.size(), "I2", Of("field of term", term));
      Expect(s_.terms().Find(s_.terms().FieldOf(term), s_.terms().Text(term)) == term, "I2", Of("term", term));
    }
    return ok;
  }

  bool CheckSpellings() {
    bool ok = true;
    std::vector<bool> is_spelt(s_.term_count, false);
    std::unordered_set<std::string> seen;
    const auto note = [&](FieldId field, std::string_view text) {
      return seen.insert(std::string(1, static_cast<char>(field)).append(text)).second;
    };
    for (TermId term = 0; term < s_.term_count; ++term) {
      is_spelt[term] = s_.spellings().IsSpeltAsIs(term);
      if (is_spelt[term]) note(s_.terms().FieldOf(term), s_.terms().Text(term));
    }
    for (SpellingId spelling = 0; spelling < s_.spelling_count; ++spelling) {
      const TermId term = s_.spellings().TermOf(spelling);
      const FieldId field = s_.spellings().FieldOf(spelling);
      const bool is_of_term =
          Expect(term < s_.term_count && s_.terms().FieldOf(term) == field, "L3", Of("term of spelling", spelling));
      ok &= is_of_term;
      Expect(note(field, s_.spellings().Text(spelling)), "L2", Of("spelling", spelling));
      if (is_of_term) is_spelt[term] = true;
    }
    Expect(std::find(is_spelt.begin(), is_spelt.end(), false) == is_spelt.end(), "L4", "a term has no spelling");
    return ok;
  }

  template <typename Dict>
  void CheckSorted(const Dict& dict, const SortedWords<Dict>& sorted, uint32_t count, const char* what) {
    std::vector<bool> seen(count, false);
    for (const auto& tier : sorted.tiers()) {
      for (size_t i = 0; i < tier->size(); ++i) {
        const uint32_t number = (*tier)[i];
        if (!Expect(number < count && !seen[number], "S5", Of(what, number))) continue;
        seen[number] = true;
        const bool is_next =
            i == 0 || SortedWords<Dict>::LowerBound(dict, *tier, dict.FieldOf(number), dict.Text(number)) == i;
        Expect(is_next, "S5", Of((std::string("order of ") + what).c_str(), number));
      }
    }
    Expect(std::find(seen.begin(), seen.end(), false) == seen.end(), "S5", std::string("a ") + what + " is in no tier");
  }

  template <typename Visit>
  void VisitDocuments(Visit visit) {
    std::vector<uint32_t> counts(s_.term_count, 0);
    std::vector<TermId> touched;
    for (DocId doc = 0; doc < s_.doc_limit; ++doc) {
      const auto record = s_.Record(doc);
      if (!record) continue;
      const ForwardView forward(record->forward);
      for (size_t f = 0; f < forward.fields(); ++f) {
        VisitTokens(forward.codes(f), 0, [&](TermId term, uint64_t) {
          if (!Expect(term < s_.term_count && s_.terms().FieldOf(term) == f, "S2",
                      Of("forward record has a wrong term, document", doc)))
            return;
          if (counts[term]++ == 0) touched.push_back(term);
        });
      }
      Expect(touched.size() == forward.distinct_terms(), "S3", Of("distinct terms of document", doc));
      for (TermId term : touched) {
        visit(doc, term, std::min(counts[term], kMaxTf));
        counts[term] = 0;
      }
      touched.clear();
    }
  }

  void CheckLists(const PostingSet& set, const RebuiltLists& rebuilt, const char* invariant, const char* message) {
    for (TermId list = 0; list < rebuilt.lists(); ++list)
      Expect(rebuilt.IsSame(set, s_.doc_limit, list), invariant, Of(message, list));
  }

  // Every delta starts from the frequency that the base and the older runs give.
  void CheckDeltas(const PostingSet& set, TermId lists) {
    std::vector<std::pair<DocId, uint32_t>> state, next;
    for (TermId term = 0; term < lists; ++term) {
      const BasePartition& partition = set.PartitionOf(term);
      state.clear();
      bool is_loaded = false;
      for (const auto& run : set.runs) {
        if (run->sequence() <= partition.folded_through()) continue;
        const TermDeltas deltas = run->Find(term);
        if (deltas.docs.empty()) continue;
        if (!is_loaded) LoadBase(partition, term, &state);
        is_loaded = true;
        next.clear();
        size_t i = 0;
        for (size_t d = 0; d < deltas.docs.size(); ++d) {
          while (i < state.size() && state[i].first < deltas.docs[d]) next.push_back(state[i++]);
          const bool has = i < state.size() && state[i].first == deltas.docs[d];
          Expect((has ? state[i].second : 0) == deltas.old_tfs[d], "S2", Of("old frequency in a delta of term", term));
          i += has;
          if (deltas.new_tfs[d] != 0) next.emplace_back(deltas.docs[d], deltas.new_tfs[d]);
        }
        next.insert(next.end(), state.begin() + static_cast<std::ptrdiff_t>(i), state.end());
        state.swap(next);
      }
    }
  }

  static void LoadBase(const BasePartition& partition, TermId term, std::vector<std::pair<DocId, uint32_t>>* state) {
    PostingList list;
    partition.Find(term, &list);
    DocId docs[kBlockPostings];
    uint32_t tfs[kBlockPostings];
    for (size_t b = 0; b < (list.is_single ? 1 : list.block_count); ++b) {
      const size_t count = partition.Decode(list, b, docs, tfs);
      for (size_t i = 0; i < count; ++i) state->emplace_back(docs[i], tfs[i]);
    }
  }

  static bool IsDominated(uint32_t tf, uint8_t norm, const uint8_t* pairs) {
    for (size_t i = 0; i < kImpactBytes; i += 2) {
      if ((pairs[i] == 255 || pairs[i] >= tf) && pairs[i + 1] <= norm) return true;
    }
    return false;
  }

  // Null for a list that is never scored.
  const NormTable* NormsOfList(const PostingSet& set, TermId list) const {
    return &set == &s_ ? &s_.norms[s_.terms().FieldOf(list)] : NormsOf(s_, *s_.phrases.registry, list);
  }

  void CheckBlocks(const PostingSet& set, TermId lists) {
    DocId docs[kBlockPostings];
    uint32_t tfs[kBlockPostings];
    // The batches that wrote the texts of documents; of those without a record one that is newer than all.
    std::vector<uint64_t> written(s_.doc_limit, UINT64_MAX);
    for (DocId doc = 0; doc < s_.doc_limit; ++doc) {
      if (const auto record = s_.Record(doc)) written[doc] = record->sequence;
    }
    for (TermId term = 0; term < lists; ++term) {
      const BasePartition& partition = set.PartitionOf(term);
      PostingList list;
      partition.Find(term, &list);
      const NormTable* norms = NormsOfList(set, term);
      for (size_t b = 0; b < list.block_count; ++b) {
        const BlockEntry& block = list.blocks[b];
        const size_t count = partition.Decode(list, b, docs, tfs);
        if (count == 0) continue;  // damaged: the log says so
        Expect(docs[count - 1] == block.last_doc, "P2", Of("last document of a block, term", term));
        Expect(std::min<uint32_t>(*std::max_element(tfs, tfs + count), 255) == block.max_tf, "P2",
               Of("max tf of a block, term", term));
        for (size_t i = 0; norms && i < count; ++i) {
          const bool is_as_folded = docs[i] < s_.doc_limit && written[docs[i]] <= partition.folded_through();
          const uint8_t norm = (*norms)[docs[i]];
          Expect(!is_as_folded || norm >= block.min_norm, "P3", Of("min norm of a block, term", term));
          Expect(!is_as_folded || !list.impacts || IsDominated(tfs[i], norm, list.impacts + b * kImpactBytes), "P4",
                 Of("impacts of a block, term", term));
        }
      }
    }
  }

  const Snapshot& s_;
  const ColumnKinds kinds_ = KindsOf(s_.columns);
  const CheckLevel level_;
  CheckReport report_;
};

}  // namespace

CheckReport CheckIndex(const Snapshot& snapshot, CheckLevel level) { return Checker(snapshot, level).Run(); }

}  // namespace freshdex::index

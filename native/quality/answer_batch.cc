#include "native/quality/answer_batch.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <vector>

#include "native/index/posting_cursor.h"

namespace freshdex::quality {
namespace {

using index::DocId;
using Visitor = std::function<void(QueryNumber, std::span<const Answer>)>;

constexpr size_t kNoPlace = SIZE_MAX;

// std::popcount() is a call where the compiler may not take the processor's instruction for granted.
inline size_t CountBits(uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
  return static_cast<size_t>(bits * 0x0101010101010101 >> 56);
}

// Where a word of the workload is found, and how often.
struct WordTerms {
  std::vector<std::pair<size_t, index::TermId>> terms;  // field and term
  uint64_t df = 0;                                      // of all fields together: at least the documents that have it
  bool is_known = false;
};

// The words of one group of queries in one range of documents after another.
class DecodedWords {
 public:
  DecodedWords(const index::Snapshot& snapshot, const Epoch& epoch, size_t range_docs)
      : snapshot_(snapshot), epoch_(epoch), sums_(range_docs, 0.0) {}

  void Add(WordNumber word, const WordTerms& terms) {
    begins_.push_back(cursors_.size());
    for (const auto& [field, term] : terms.terms) {
      slots_.push_back({epoch_.SlotOf(word, field), field});
      cursors_.emplace_back(snapshot_, term);
    }
  }
  size_t size() const { return begins_.size(); }

  // REQUIRES: ranges come one after another; all words were added before the first.
  void Decode(DocId first, DocId end) {
    first_ = first;
    blocks_ = (end - first + 63) / 64;
    bits_.assign(size() * blocks_, 0);
    before_.resize(size() * blocks_);
    scores_.clear();
    score_begins_.clear();
    for (size_t place = 0; place < size(); ++place) DecodeWord(place, end);
  }

  DocId first() const { return first_; }
  size_t blocks() const { return blocks_; }
  // One bit for each document of the range that has the word.
  const uint64_t* Bits(size_t place) const { return bits_.data() + place * blocks_; }
  // What the word gives to the scores of the documents that have it, in their order.
  const double* Scores(size_t place) const { return scores_.data() + score_begins_[place]; }
  // What the word gives to the score of the document of a bit that is set.
  double Score(size_t place, size_t block, uint64_t below) const {
    const size_t at = place * blocks_ + block;
    return scores_[score_begins_[place] + before_[at] + CountBits(bits_[at] & below)];
  }

 private:
  struct SlotField {
    Epoch::Slot slot;
    size_t field;
  };

  // Fields are added up in their order, as FindAnswers() does: the sums are the same to the last bit.
  void DecodeWord(size_t place, DocId end) {
    uint64_t* const bits = bits_.data() + place * blocks_;
    const size_t cursors_end = place + 1 < size() ? begins_[place + 1] : cursors_.size();
    for (size_t at = begins_[place]; at < cursors_end; ++at) AddPostings(at, end, bits);
    score_begins_.push_back(scores_.size());
    uint16_t* const before = before_.data() + place * blocks_;
    size_t count = 0;
    for (size_t block = 0; block < blocks_; ++block) {
      before[block] = static_cast<uint16_t>(count);
      for (uint64_t left = bits[block]; left != 0; left &= left - 1) {
        double& sum = sums_[block * 64 + static_cast<size_t>(std::countr_zero(left))];
        scores_.push_back(sum);
        sum = 0;
        ++count;
      }
    }
  }

  void AddPostings(size_t at, DocId end, uint64_t* bits) {
    const auto [slot, field] = slots_[at];
    const auto& norms = snapshot_.norms[field];
    index::PostingCursor& cursor = cursors_[at];
    for (; cursor.doc() < end; cursor.Next()) {
      const DocId doc = cursor.doc();
      const size_t in_range = doc - first_;
      bits[in_range / 64] |= uint64_t{1} << (in_range % 64);
      sums_[in_range] += epoch_.Score(slot, field, cursor.tf(), norms[doc]);
    }
  }

  const index::Snapshot& snapshot_;
  const Epoch& epoch_;
  std::vector<size_t> begins_;                // by place: of its cursors
  std::deque<index::PostingCursor> cursors_;  // they cannot move
  std::vector<SlotField> slots_;              // by cursor
  DocId first_ = 0;
  size_t blocks_ = 0;
  std::vector<uint64_t> bits_;    // by place and 64 documents
  std::vector<uint16_t> before_;  // by place and 64 documents: how many bits of the place are set before
  std::vector<double> scores_;    // by place and bit that is set
  std::vector<size_t> score_begins_;
  std::vector<double> sums_;  // by document of the range; all 0 between words
};

class AnswerBatch {
 public:
  AnswerBatch(const index::Snapshot& snapshot, const Epoch& epoch, const AnswerBatchLimits& limits,
              std::span<const index::TermId> terms)
      : snapshot_(snapshot),
        epoch_(epoch),
        workload_(epoch.workload()),
        limits_(limits),
        terms_(terms),
        words_(workload_.words()),
        places_(workload_.words(), kNoPlace) {}

  void Run(std::span<const QueryNumber> queries, const Visitor& visit) {
    for (QueryNumber query : queries) {
      for (WordNumber word : workload_.words(query)) Know(word);
    }
    CountProbes(queries);
    for (size_t begin = 0; begin < queries.size();) {
      const size_t end = EndOfGroup(queries, begin);
      VisitGroup(queries.subspan(begin, end - begin), visit);
      begin = end;
    }
  }

 private:
  // How the answers of a query are found.
  enum class Way : uint8_t { kNone, kAlone, kTogether };

  void Know(WordNumber word) {
    WordTerms& known = words_[word];
    if (known.is_known) return;
    known.is_known = true;
    for (size_t field = 0; field < epoch_.fields(); ++field) {
      const index::TermId term = terms_.empty()
                                     ? snapshot_.FindTerm(static_cast<index::FieldId>(field), workload_.text(word))
                                     : terms_[epoch_.SlotOf(word, field)];
      if (term == index::kNoTerm) continue;
      known.terms.emplace_back(field, term);
      known.df += snapshot_.DocumentFrequency(term);
    }
  }

  // At least the number of answers.
  uint64_t MostAnswers(QueryNumber query) const {
    uint64_t least = UINT64_MAX;
    for (WordNumber word : workload_.words(query)) least = std::min(least, words_[word].df);
    return least;
  }

  // How often a word would be looked up, were its queries answered one by one.
  void CountProbes(std::span<const QueryNumber> queries) {
    probes_.assign(words_.size(), 0);
    for (QueryNumber query : queries) {
      const uint64_t most = MostAnswers(query);
      for (WordNumber word : workload_.words(query)) probes_[word] += most;
    }
  }

  // A word that is decoded for a few rare words beside it costs more than it saves.
  bool IsWalked(QueryNumber query) const {
    const std::span<const WordNumber> words = workload_.words(query);
    return std::any_of(words.begin(), words.end(),
                       [&](WordNumber word) { return words_[word].df > kProbeCost * probes_[word]; });
  }
  // Postings that are decoded in the time of one that is searched for.
  static constexpr uint64_t kProbeCost = 16;

  size_t EndOfGroup(std::span<const QueryNumber> queries, size_t begin) const {
    uint64_t answers = 0, words = 0;
    size_t end = begin;
    while (end < queries.size()) {
      answers += MostAnswers(queries[end]);
      words += workload_.words(queries[end]).size();
      if (end > begin && (answers > limits_.group_answers || words > limits_.group_words)) break;
      ++end;
    }
    return end;
  }

  void VisitGroup(std::span<const QueryNumber> group, const Visitor& visit) {
    DecodedWords decoded(snapshot_, epoch_, limits_.range_docs);
    ways_.clear();
    for (QueryNumber query : group) {
      ways_.push_back(MostAnswers(query) == 0 ? Way::kNone : IsWalked(query) ? Way::kAlone : Way::kTogether);
      if (ways_.back() != Way::kTogether) continue;
      for (WordNumber word : workload_.words(query)) {
        if (places_[word] != kNoPlace) continue;
        places_[word] = decoded.size();
        decoded.Add(word, words_[word]);
      }
    }
    // Lists wait for the last range. Where that is the first one, they need not be kept.
    const bool waits = snapshot_.doc_limit > limits_.range_docs;
    answers_.resize(waits ? group.size() : 1);
    for (DocId first = 0; waits && first < snapshot_.doc_limit;) {
      first = DecodeFrom(first, &decoded);
      for (size_t at = 0; at < group.size(); ++at) {
        if (ways_[at] == Way::kTogether) FindInRange(group[at], decoded, &answers_[at]);
      }
    }
    if (!waits) DecodeFrom(0, &decoded);
    for (size_t at = 0; at < group.size(); ++at) {
      std::vector<Answer>& answers = answers_[waits ? at : 0];
      if (!waits) answers.clear();
      if (ways_[at] == Way::kAlone) FindAnswers(snapshot_, epoch_, group[at], &answers);
      if (ways_[at] == Way::kTogether && !waits) FindInRange(group[at], decoded, &answers);
      visit(group[at], answers);
      if (waits) std::vector<Answer>().swap(answers);
      for (WordNumber word : workload_.words(group[at])) used_.push_back(word);
    }
    for (WordNumber word : used_) places_[word] = kNoPlace;
    used_.clear();
  }

  // Returns the end of the range.
  DocId DecodeFrom(DocId first, DecodedWords* decoded) const {
    const uint64_t end = std::min<uint64_t>(snapshot_.doc_limit, uint64_t{first} + limits_.range_docs);
    decoded->Decode(first, static_cast<DocId>(end));
    return static_cast<DocId>(end);
  }

  void FindInRange(QueryNumber query, const DecodedWords& decoded, std::vector<Answer>* answers) {
    query_places_.clear();
    for (WordNumber word : workload_.words(query)) query_places_.push_back(places_[word]);
    if (query_places_.size() == 1) return TakeAll(query_places_[0], decoded, answers);
    for (size_t block = 0; block < decoded.blocks(); ++block) {
      uint64_t both = ~uint64_t{0};
      for (size_t place : query_places_) both &= decoded.Bits(place)[block];
      for (; both != 0; both &= both - 1) {
        const int bit = std::countr_zero(both);
        const uint64_t below = (uint64_t{1} << bit) - 1;
        double sum = 0;
        for (size_t place : query_places_) sum += decoded.Score(place, block, below);
        const DocId doc = decoded.first() + static_cast<DocId>(block * 64 + static_cast<size_t>(bit));
        const float score = epoch_.Combine(sum, snapshot_.weights[doc]);
        if (score > 0) answers->push_back({doc, score});
      }
    }
  }

  // Of a query of one word: its scores lie in the order of the documents.
  void TakeAll(size_t place, const DecodedWords& decoded, std::vector<Answer>* answers) const {
    const double* next = decoded.Scores(place);
    for (size_t block = 0; block < decoded.blocks(); ++block) {
      for (uint64_t left = decoded.Bits(place)[block]; left != 0; left &= left - 1) {
        const auto in_range = static_cast<DocId>(block * 64 + static_cast<size_t>(std::countr_zero(left)));
        const DocId doc = decoded.first() + in_range;
        const float score = epoch_.Combine(*next++, snapshot_.weights[doc]);
        if (score > 0) answers->push_back({doc, score});
      }
    }
  }

  const index::Snapshot& snapshot_;
  const Epoch& epoch_;
  const Workload& workload_;
  const AnswerBatchLimits limits_;
  const std::span<const index::TermId> terms_;
  std::vector<WordTerms> words_;  // by word
  std::vector<uint64_t> probes_;  // by word
  std::vector<size_t> places_;    // by word: in the group's DecodedWords
  std::vector<Way> ways_;         // by query of the group
  std::vector<std::vector<Answer>> answers_;
  std::vector<size_t> query_places_;
  std::vector<WordNumber> used_;
};

}  // namespace

void VisitAnswers(const index::Snapshot& snapshot, const Epoch& epoch, std::span<const QueryNumber> queries,
                  const std::function<void(QueryNumber, std::span<const Answer>)>& visit,
                  const AnswerBatchLimits& limits, std::span<const index::TermId> terms) {
  AnswerBatch(snapshot, epoch, limits, terms).Run(queries, visit);
}

}  // namespace freshdex::quality

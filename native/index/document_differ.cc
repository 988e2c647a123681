#include "native/index/document_differ.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <new>

#include "native/base/xxh64.h"

namespace freshdex::index {
namespace {

// Above this share of new bytes, matching saves less than it costs (the old counts need a scan of their own).
constexpr double kMostlyNew = 0.6;

// Whole codes, every term one of the field.
bool AreCodesSound(std::string_view codes, FieldId field, const BatchTerms& terms) {
  if (!AreWholeCodes(codes)) return false;
  bool is_sound = true;
  VisitSymbols(codes, [&](Symbol symbol) {
    if (IsHole(symbol)) return;
    is_sound = is_sound && TermOf(symbol) < terms.size() && terms.FieldOf(TermOf(symbol)) == field;
  });
  return is_sound;
}

uint16_t Saturate(uint32_t count) { return static_cast<uint16_t>(std::min(count, kMaxTf)); }

}  // namespace

uint64_t DocumentDiffer::TextHash(std::span<const FieldInput> input) const {
  uint64_t hash = seed_;
  // Each field's hash seeds the next, and its length is part of it, so text moved between fields is not "identical".
  for (const FieldInput& field : input) {
    if (!field.is_kept) hash = Xxh64(field.bytes, hash + 0x9E3779B97F4A7C15ULL);
  }
  return hash;
}

uint32_t& DocumentDiffer::SlotOf(Symbol symbol) {
  if (symbol >= touched_slot_.size()) touched_slot_.resize(std::max<size_t>(symbol + 1, touched_slot_.size() * 2), 0);
  return touched_slot_[symbol];
}

DocumentDiffer::TouchedTerm& DocumentDiffer::Touch(TermId term) {
  uint32_t& slot = SlotOf(SymbolOf(term));
  if (slot == 0 || slot >= kFollowed) {
    touched_.push_back({term, 0, 0, 0, slot});
    slot = static_cast<uint32_t>(touched_.size());
  }
  return touched_[slot - 1];
}

void DocumentDiffer::ClearTouched() {
  for (const TouchedTerm& entry : touched_) touched_slot_[SymbolOf(entry.term)] = entry.untouched_slot;
  touched_.clear();
  followed_touched_.clear();
  followed_kept_count_ = 0;
}

void DocumentDiffer::Follow(TermId term, uint32_t place) {
  assert(place < kMaxFollowed);
  ClearTouched();
  SlotOf(SymbolOf(term)) = kFollowed + place;
}

void DocumentDiffer::Unfollow(TermId term) {
  ClearTouched();
  SlotOf(SymbolOf(term)) = 0;
}

void DocumentDiffer::ForgetTermsFrom(TermId term) noexcept {
  words_.Clear();
  ClearTouched();
  if (touched_slot_.size() <= SymbolOf(term)) return;
  touched_slot_.resize(SymbolOf(term));
  try {
    touched_slot_.shrink_to_fit();
  } catch (const std::bad_alloc&) {
    // It stays as large as it was.
  }
}

void DocumentDiffer::LoadOldChunks(const std::optional<ForwardView>& old) {
  chunks_.resize(fields_);
  std::optional<ChunkReader> entries;
  std::string_view codes;
  if (old) {
    entries.emplace(old->chunks());
    codes = old->codes();
  }
  for (size_t f = 0; f < fields_; ++f) {
    FieldChunks& field = chunks_[f];
    field.old_chunks.clear();
    field.new_chunks.clear();
    const uint32_t old_count = old ? old->extent(f).chunks : 0;
    for (uint32_t i = 0; i < old_count; ++i) {
      const ChunkEntry entry = entries->Next();
      field.old_chunks.push_back({entry.hash, codes.substr(0, entry.code_bytes), false});
      codes.remove_prefix(entry.code_bytes);
    }
  }
}

void DocumentDiffer::CutNewChunks(std::span<const FieldInput> input) {
  for (size_t f = 0; f < fields_; ++f) {
    cut_.clear();
    if (input[f].is_kept) {
      KeepChunks(&chunks_[f]);
    } else if (input[f].is_tokens) {
      ChunkTokens(input[f].bytes, seed_, &cut_);
    } else {
      ChunkText(input[f].bytes, seed_, &cut_);
    }
    for (const Chunk& chunk : cut_) chunks_[f].new_chunks.push_back({chunk, 0});
  }
}

void DocumentDiffer::KeepChunks(FieldChunks* field) {
  for (uint32_t i = 0; i < field->old_chunks.size(); ++i) {
    field->old_chunks[i].is_kept = true;
    field->new_chunks.push_back({{{}, field->old_chunks[i].hash}, i + 1});
  }
}

bool DocumentDiffer::ReadPieces(std::string_view pieces, const BatchTerms& terms) {
  ByteReader reader(pieces);
  for (size_t f = 0; f < chunks_.size(); ++f) {
    // A row from before the index had the field ends before it.
    if (f > 0 && reader.ok() && reader.remaining() == 0) break;
    FieldChunks& field = chunks_[f];
    for (uint32_t left = reader.ReadVarint(); left > 0 && reader.ok();) {
      const uint32_t count = reader.ReadVarint();
      if (count == 0) {
        const uint64_t hash = reader.Read<uint32_t>() | uint64_t{reader.Read<uint16_t>()} << 32;
        const std::string_view codes = reader.ReadBytes(reader.ReadVarint());
        if (!reader.ok() || !AreCodesSound(codes, static_cast<FieldId>(f), terms)) return false;
        field.new_chunks.push_back({{codes, hash}, 0, true});
        --left;
        continue;
      }
      const uint32_t first = reader.ReadVarint();
      if (!reader.ok() || count > left || first > field.old_chunks.size() || count > field.old_chunks.size() - first)
        return false;
      for (uint32_t i = first; i < first + count; ++i) {
        if (field.old_chunks[i].is_kept) return false;
        field.old_chunks[i].is_kept = true;
        field.new_chunks.push_back({{{}, field.old_chunks[i].hash}, i + 1});
      }
      left -= count;
    }
  }
  return reader.ok() && reader.remaining() == 0;
}

// Writes the piece that begins with new chunk `at`: a run of old chunks as long as it goes, or the codes just made.
void DocumentDiffer::WritePieces(const FieldChunks& chunks, size_t at, std::string* pieces) const {
  const NewChunk& chunk = chunks.new_chunks[at];
  if (chunk.old_plus_1 == 0) {
    AppendVarint(pieces, 0);
    AppendChunkHash(pieces, chunk.chunk.hash);
    AppendVarint(pieces, static_cast<uint32_t>(codes_.size()));
    pieces->append(codes_);
    return;
  }
  if (at > 0 && chunks.new_chunks[at - 1].old_plus_1 != 0 &&
      chunks.new_chunks[at - 1].old_plus_1 + 1 == chunk.old_plus_1)
    return;
  uint32_t count = 1;
  while (at + count < chunks.new_chunks.size() && chunks.new_chunks[at + count].old_plus_1 == chunk.old_plus_1 + count)
    ++count;
  AppendVarint(pieces, count);
  AppendVarint(pieces, chunk.old_plus_1 - 1);
}

void DocumentDiffer::MatchChunks(FieldChunks* field) {
  auto& olds = field->old_chunks;
  auto& news = field->new_chunks;
  auto match = [&](size_t o, size_t n) {
    news[n].old_plus_1 = static_cast<uint32_t>(o + 1);
    olds[o].is_kept = true;
  };
  size_t prefix = 0;
  while (prefix < olds.size() && prefix < news.size() && olds[prefix].hash == news[prefix].chunk.hash) {
    match(prefix, prefix);
    ++prefix;
  }
  size_t suffix = 0;
  while (prefix + suffix < olds.size() && prefix + suffix < news.size() &&
         olds[olds.size() - 1 - suffix].hash == news[news.size() - 1 - suffix].chunk.hash) {
    match(olds.size() - 1 - suffix, news.size() - 1 - suffix);
    ++suffix;
  }
  if (prefix + suffix < olds.size() && prefix + suffix < news.size()) MatchRest(field, prefix, suffix);
}

// A hash table of the old chunks in between, equal ones chained: linear even when a page repeats one line a thousand
// times.
void DocumentDiffer::MatchRest(FieldChunks* field, size_t prefix, size_t suffix) {
  auto& olds = field->old_chunks;
  auto& news = field->new_chunks;
  const size_t old_end = olds.size() - suffix;
  bucket_.assign(std::bit_ceil((old_end - prefix) * 2), 0);
  next_same_.assign(olds.size(), 0);
  const size_t mask = bucket_.size() - 1;
  auto find = [&](uint64_t hash) -> uint32_t& {
    size_t at = hash & mask;
    while (bucket_[at] != 0 && olds[bucket_[at] - 1].hash != hash) at = (at + 1) & mask;
    return bucket_[at];
  };
  for (size_t o = old_end; o-- > prefix;) {
    uint32_t& head = find(olds[o].hash);
    next_same_[o] = head;
    head = static_cast<uint32_t>(o + 1);
  }
  for (size_t n = prefix; n < news.size() - suffix; ++n) {
    uint32_t& head = find(news[n].chunk.hash);
    if (head == 0 || olds[head - 1].is_kept) continue;
    news[n].old_plus_1 = head;
    olds[head - 1].is_kept = true;
    // The head stays even when its chain is used up: emptying the slot would break the probe sequences that run through
    // it.
    if (next_same_[head - 1] != 0) head = next_same_[head - 1];
  }
}

bool DocumentDiffer::IsMostlyNew() const {
  uint64_t total = 0, unmatched = 0;
  for (const FieldChunks& field : chunks_) {
    for (const NewChunk& chunk : field.new_chunks) {
      total += chunk.chunk.bytes.size();
      if (chunk.old_plus_1 == 0) unmatched += chunk.chunk.bytes.size();
    }
  }
  return static_cast<double>(unmatched) > kMostlyNew * static_cast<double>(total);
}

// Looks the words of tokens_ up in words_, and fetches what looking up the others will read.
void DocumentDiffer::LookUpWords(FieldId field, const BatchTerms& terms) {
  if (words_of_ != &terms.published()) words_.Clear();
  words_of_ = &terms.published();
  hashes_.clear();
  for (const auto& token : tokens_.tokens) {
    hashes_.push_back(terms.Hash(field, tokens_.text(token)));
    words_.Prefetch(hashes_.back());
  }
  known_.clear();
  unknown_.clear();
  for (size_t i = 0; i < hashes_.size(); ++i) {
    const analysis::TokenList::Token& token = tokens_.tokens[i];
    known_.push_back(words_.Find(field, token.is_unstemmed, tokens_.text(token), hashes_[i]));
    if (known_.back() == kNoTerm) unknown_.push_back(hashes_[i]);
  }
  terms.Prefetch(unknown_);
}

// Of a word that is not in words_. What is found among published words goes there; a word of this batch does not, since
// the batch may come to nothing.
TermId DocumentDiffer::TermOfWord(FieldId field, const analysis::TokenList::Token& token, uint64_t hash,
                                  BatchTerms* terms) {
  const std::string_view word = tokens_.text(token);
  const TermId term =
      token.is_unstemmed ? terms->FindPublishedWord(field, word, hash) : terms->FindPublished(field, word, hash);
  if (term != kNoTerm) {
    words_.Put(field, token.is_unstemmed, word, hash, term);
    return term;
  }
  return token.is_unstemmed ? terms->FindOrAddWord(field, word, hash) : terms->FindOrAdd(field, word, true, hash);
}

Status DocumentDiffer::TokenizeChunk(FieldId field, bool is_tokens, std::string_view bytes, BatchTerms* terms,
                                     DiffOutcome* outcome) {
  codes_.clear();
  added_tokens_ = 0;
  auto add = [&](TermId term) {
    if (term == kNoTerm) return false;
    AppendTerm(&codes_, term);
    ++Touch(term).added;
    ++added_tokens_;
    return true;
  };
  const Status full(Code::kTooManyTerms, "the index holds the largest number of distinct terms it can");
  if (is_tokens) {
    for (size_t at = 0; at < bytes.size();) {
      const size_t length = LoadUnaligned<uint16_t>(bytes.data() + at);
      if (!add(terms->FindOrAdd(field, bytes.substr(at + 2, length)))) return full;
      at += 2 + length;
    }
  } else {
    tokens_.Clear();
    analysis::AnalyzeWords(PresetOf(analysis_[field]), bytes, &tokens_);
    LookUpWords(field, *terms);
    for (size_t i = 0; i < tokens_.tokens.size(); ++i) {
      const analysis::TokenList::Token& token = tokens_.tokens[i];
      AppendHoles(&codes_, token.holes_before);
      const TermId known = known_[i];
      if (!add(known == kNoTerm ? TermOfWord(field, token, hashes_[i], terms) : known)) return full;
    }
    AppendHoles(&codes_, tokens_.trailing_holes);
    outcome->tokens_truncated += tokens_.truncated;
  }
  outcome->tokens_tokenized += added_tokens_;
  return {};
}

Status DocumentDiffer::BuildField(FieldId field, bool is_tokens, uint32_t old_tokens, BatchTerms* terms,
                                  DiffOutcome* outcome) {
  FieldChunks& chunks = chunks_[field];
  uint32_t tokens = old_tokens;
  for (const OldChunk& chunk : chunks.old_chunks) {
    if (chunk.is_kept) continue;
    VisitSymbols(chunk.codes, [&](Symbol symbol) {
      if (IsHole(symbol)) return;
      ++Touch(TermOf(symbol)).removed;
      --tokens;
    });
  }
  if (wants_pieces_) AppendVarint(&outcome->pieces, static_cast<uint32_t>(chunks.new_chunks.size()));
  for (size_t i = 0; i < chunks.new_chunks.size(); ++i) {
    const NewChunk& chunk = chunks.new_chunks[i];
    if (chunk.old_plus_1 != 0) {
      const OldChunk& same = chunks.old_chunks[chunk.old_plus_1 - 1];
      builder_.AddChunk(field, same.hash, same.codes);
    } else if (chunk.has_codes) {
      VisitSymbols(chunk.chunk.bytes, [&](Symbol symbol) {
        if (IsHole(symbol)) return;
        ++Touch(TermOf(symbol)).added;
        ++tokens;
      });
      builder_.AddChunk(field, chunk.chunk.hash, chunk.chunk.bytes);
    } else {
      Status status = TokenizeChunk(field, is_tokens, chunk.chunk.bytes, terms, outcome);
      if (!status.ok()) return status;
      tokens += added_tokens_;
      builder_.AddChunk(field, chunk.chunk.hash, codes_);
    }
    if (wants_pieces_ && !chunk.has_codes) WritePieces(chunks, i, &outcome->pieces);
  }
  builder_.SetTokens(field, tokens);
  outcome->tokens += tokens;
  return {};
}

// Whether a token is followed cannot be foreseen, so its place is always written and only kept if it is; touched ones
// are few.
void DocumentDiffer::CountOld(const ForwardView& old) {
  // A symbol takes at least a byte. One more: the place of a hole behind the last token is written too.
  const size_t places = size_t{old.totals().code_bytes} + 1;
  if (followed_kept_.size() < places) followed_kept_.resize(places);
  const size_t known = touched_slot_.size();
  const uint32_t* const slots = touched_slot_.data();
  TouchedTerm* const touched = touched_.data();
  uint32_t* next = followed_kept_.data();
  VisitSymbols(old.codes(), [&](Symbol symbol) {
    if (symbol >= known) [[unlikely]]
      return;
    const uint32_t slot = slots[symbol];
    *next = slot - kFollowed;
    next += slot >= kFollowed;
    if (slot - 1 < kFollowed - 1) ++touched[slot - 1].old_count;
  });
  followed_kept_count_ = static_cast<size_t>(next - followed_kept_.data());
}

uint32_t DocumentDiffer::EmitDeltas(DocId doc, std::vector<PostingDelta>* deltas, uint32_t old_distinct) {
  uint32_t distinct = old_distinct;
  for (const TouchedTerm& entry : touched_) {
    assert(entry.removed <= entry.old_count);
    const uint16_t before = Saturate(entry.old_count);
    const uint16_t after = Saturate(entry.old_count - entry.removed + entry.added);
    if (entry.untouched_slot != 0) followed_touched_.push_back({entry.untouched_slot - kFollowed, before, after});
    if (before == after) continue;
    if (before == 0) ++distinct;
    if (after == 0) --distinct;
    deltas->push_back({entry.term, doc, before, after});
  }
  return distinct;
}

Status DocumentDiffer::Diff(DocId doc, const std::optional<ForwardView>& old, std::span<const FieldInput> input,
                            uint64_t text_hash, BatchTerms* terms, std::vector<PostingDelta>* deltas,
                            DiffOutcome* outcome) {
  assert(input.size() == fields_);
  ClearTouched();
  LoadOldChunks(old);
  CutNewChunks(input);
  if (old) {
    bool keeps_any = false;
    for (size_t f = 0; f < fields_; ++f) {
      keeps_any = keeps_any || input[f].is_kept;
      if (!input[f].is_kept) MatchChunks(&chunks_[f]);
    }
    // What is kept has no text from which it could be written anew.
    outcome->is_rewritten = !keeps_any && IsMostlyNew();
    if (outcome->is_rewritten) {
      for (FieldChunks& field : chunks_) {
        for (OldChunk& chunk : field.old_chunks) chunk.is_kept = false;
        for (NewChunk& chunk : field.new_chunks) chunk.old_plus_1 = 0;
      }
    }
  }
  return Finish(doc, old, input, text_hash, terms, deltas, outcome);
}

Status DocumentDiffer::Replay(DocId doc, const std::optional<ForwardView>& old, std::string_view pieces,
                              uint64_t text_hash, const BatchTerms& terms, std::vector<PostingDelta>* deltas,
                              DiffOutcome* outcome) {
  ClearTouched();
  LoadOldChunks(old);
  if (!ReadPieces(pieces, terms))
    return Status(Code::kCorrupt, "a log row does not fit document " + std::to_string(doc));
  return Finish(doc, old, {}, text_hash, nullptr, deltas, outcome);
}

Status DocumentDiffer::Finish(DocId doc, const std::optional<ForwardView>& old, std::span<const FieldInput> input,
                              uint64_t text_hash, BatchTerms* terms, std::vector<PostingDelta>* deltas,
                              DiffOutcome* outcome) {
  builder_.Start(fields_);
  for (size_t f = 0; f < fields_; ++f) {
    const uint32_t old_tokens = old ? old->extent(f).tokens : 0;
    const bool is_tokens = !input.empty() && input[f].is_tokens;
    Status status = BuildField(static_cast<FieldId>(f), is_tokens, old_tokens, terms, outcome);
    if (!status.ok()) return status;
  }
  if (outcome->is_rewritten) {
    // Every old token was taken away one by one, so the removals are the old counts.
    for (TouchedTerm& entry : touched_) entry.old_count = entry.removed;
  } else if (old && !touched_.empty()) {
    CountOld(*old);
  }
  has_followed_ = !old || !touched_.empty();
  const uint32_t distinct = EmitDeltas(doc, deltas, old ? old->distinct_terms() : 0);
  outcome->forward = builder_.Finish(text_hash, distinct);
  return {};
}

void DocumentDiffer::Remove(DocId doc, const ForwardView& old, std::vector<PostingDelta>* deltas) {
  ClearTouched();
  VisitSymbols(old.codes(), [&](Symbol symbol) {
    if (IsHole(symbol)) return;
    TouchedTerm& entry = Touch(TermOf(symbol));
    ++entry.old_count;
    ++entry.removed;
  });
  has_followed_ = true;
  EmitDeltas(doc, deltas, old.distinct_terms());
}

}  // namespace freshdex::index

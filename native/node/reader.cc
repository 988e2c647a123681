#include "native/node/reader.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "native/base/bytes.h"
#include "native/node/failure.h"
#include "native/score/search.h"

namespace freshdex::node {
namespace {

// Bounds of our own on what comes in, far above those of the TypeScript side.
constexpr double kMaxHits = 1 << 24;
constexpr double kMaxDeadlineMs = 1e9;
constexpr double kMaxCount = 9007199254740991;

enum SearchFlags : uint32_t { kWantDocs = 1, kWantExplanations = 2 };
enum ResultFlags : uint32_t {
  kPartial = 1,
  kTruncated = 2,
  kHasDocs = 4,
  kHasExplanations = 8,
  kAsciiKeys = 16,
  kMoreThanTotal = 32,
  kHasColumns = 64,
};

// An argument as a number; 0 for what is none, since the TypeScript side passes nothing but numbers.
double NumberOf(const Napi::CallbackInfo& info, size_t argument) {
  double number = 0;
  return napi_get_value_double(info.Env(), info[argument], &number) == napi_ok ? number : 0;
}

// One column of variable-length bytes: where each ends, and the bytes themselves.
struct ByteColumn {
  std::string ends;
  std::string bytes;

  void Add(std::string_view value) {
    bytes.append(value);
    AppendValue(&ends, static_cast<uint32_t>(bytes.size()));
  }
};

bool IsAscii(std::string_view text) {
  uint64_t bits = 0;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) bits |= LoadUnaligned<uint64_t>(text.data() + at);
  for (; at < text.size(); ++at) bits |= static_cast<uint8_t>(text[at]);
  return (bits & 0x8080808080808080) == 0;
}

uint32_t FlagsOf(const score::SearchOutcome& outcome) {
  return (outcome.is_partial ? kPartial : 0u) | (outcome.is_truncated ? kTruncated : 0u) |
         (outcome.is_total_exact ? 0u : kMoreThanTotal);
}

void AppendColumnValue(std::string* out, const score::ColumnValue& value) {
  AppendValue(out, static_cast<uint8_t>(value.index()));
  if (const double* number = std::get_if<double>(&value)) AppendValue(out, *number);
  if (const std::string* text = std::get_if<std::string>(&value)) {
    AppendValue(out, static_cast<uint32_t>(text->size()));
    out->append(*text);
  }
}

void AppendColumnValues(std::string* out, const std::vector<score::ColumnValue>& values) {
  AppendValue(out, static_cast<uint32_t>(values.size()));
  for (const score::ColumnValue& value : values) AppendColumnValue(out, value);
}

void AppendColumns(std::string* out, const score::ColumnOutcome& columns) {
  AppendValue(out, uint8_t{columns.last.has_value()});
  if (columns.last) {
    AppendValue(out, columns.last->document);
    AppendColumnValues(out, columns.last->values);
  }
  AppendValue(out, static_cast<uint32_t>(columns.facets.size()));
  for (const score::FacetCounts& facet : columns.facets) {
    AppendColumnValues(out, facet.values);
    AppendValue(out, static_cast<uint32_t>(facet.counts.size()));
    for (const uint64_t count : facet.counts) AppendValue(out, static_cast<double>(count));
  }
  AppendColumnValues(out, columns.groups);
  for (const uint32_t group : columns.group_of) AppendValue(out, group);
}

std::string EncodeOutcome(const index::Snapshot& snapshot, const score::SearchOutcome& outcome, bool want_docs,
                          const std::vector<std::string>* explanations) {
  ByteColumn keys, docs, texts;
  std::string numbers;
  for (const score::Hit& hit : outcome.hits) {
    AppendValue(&numbers, hit.doc);
    keys.Add(snapshot.vocabulary->keys.KeyOf(hit.doc));
    const auto record = want_docs ? snapshot.Record(hit.doc) : std::nullopt;
    if (want_docs) docs.Add(record ? record->stored : std::string_view());
  }
  if (explanations) {
    for (const std::string& text : *explanations) texts.Add(text);
  }
  const uint32_t flags = FlagsOf(outcome) | (want_docs ? kHasDocs : 0u) | (explanations ? kHasExplanations : 0u) |
                         (IsAscii(keys.bytes) ? kAsciiKeys : 0u) | (outcome.columns ? kHasColumns : 0u);
  std::string out, columns;
  if (outcome.columns) AppendColumns(&columns, *outcome.columns);
  AppendValue(&out, static_cast<uint32_t>(outcome.hits.size()));
  AppendValue(&out, flags);
  AppendValue(&out, static_cast<double>(outcome.total));
  for (const score::Hit& hit : outcome.hits) AppendValue(&out, hit.score);
  return out + numbers + keys.ends + docs.ends + texts.ends + keys.bytes + docs.bytes + texts.bytes + columns;
}

// The same without documents and explanations, into memory of the caller; false when there is too little of it.
bool EncodeInto(const index::Snapshot& snapshot, const score::SearchOutcome& outcome, std::span<char> room) {
  const size_t count = outcome.hits.size();
  size_t keys_end = 16 + 16 * count;
  if (keys_end > room.size()) return false;
  for (const score::Hit& hit : outcome.hits) snapshot.vocabulary->keys.Prefetch(hit.doc);
  bool is_ascii = true;
  const auto put = [&](size_t at, auto value) { std::memcpy(room.data() + at, &value, sizeof(value)); };
  const size_t keys_begin = keys_end;
  for (size_t i = 0; i < count; ++i) {
    const score::Hit& hit = outcome.hits[i];
    const std::string_view key = snapshot.vocabulary->keys.KeyOf(hit.doc);
    if (key.size() > room.size() - keys_end) return false;
    std::copy(key.begin(), key.end(), room.begin() + static_cast<std::ptrdiff_t>(keys_end));
    keys_end += key.size();
    is_ascii = is_ascii && IsAscii(key);
    put(16 + 8 * i, hit.score);
    put(16 + 8 * count + 4 * i, hit.doc);
    put(16 + 12 * count + 4 * i, static_cast<uint32_t>(keys_end - keys_begin));
  }
  put(0, static_cast<uint32_t>(count));
  put(4, FlagsOf(outcome) | (is_ascii ? kAsciiKeys : 0u));
  put(8, static_cast<double>(outcome.total));
  return true;
}

Napi::Value Numbers(Napi::Env env, const std::vector<index::FieldTotals>& fields,
                    uint64_t index::FieldTotals::* member) {
  Napi::Float64Array array = Napi::Float64Array::New(env, fields.size());
  if (array.IsEmpty()) return env.Undefined();
  for (size_t i = 0; i < fields.size(); ++i) array[i] = static_cast<double>(fields[i].*member);
  return array;
}

}  // namespace

// The calls that make JavaScript values fail while a worker is being terminated, at any point of a long search: what
// they give is looked at before it is used.
Napi::Value ToArrayBuffer(Napi::Env env, std::string_view bytes) {
  Napi::ArrayBuffer buffer = Napi::ArrayBuffer::New(env, bytes.size());
  if (buffer.IsEmpty()) return env.Undefined();
  if (!bytes.empty()) std::memcpy(buffer.Data(), bytes.data(), bytes.size());
  return buffer;
}

bool BytesOf(const Napi::CallbackInfo& info, size_t argument, std::string_view* bytes) {
  const Napi::Value value = info[argument];
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    Napi::TypeError::New(info.Env(), "expected a Uint8Array").ThrowAsJavaScriptException();
    return false;
  }
  const Napi::Uint8Array array = value.As<Napi::Uint8Array>();
  *bytes = {reinterpret_cast<const char*>(array.Data()), array.ByteLength()};
  return true;
}

Napi::Value ToBytes(Napi::Env env, std::string_view bytes) {
  const Napi::Value buffer = ToArrayBuffer(env, bytes);
  if (!buffer.IsArrayBuffer()) return env.Undefined();
  return Napi::Uint8Array::New(env, bytes.size(), buffer.As<Napi::ArrayBuffer>(), 0);
}

std::function<bool()> EndIn(double deadline_ms) {
  if (!(deadline_ms > 0)) return {};
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double, std::milli>(std::min(deadline_ms, kMaxDeadlineMs)));
  return [end] { return Clock::now() >= end; };
}

bool ReadSearchCall(const Napi::CallbackInfo& info, SearchCall* call) {
  if (!BytesOf(info, 0, &call->wire)) return false;
  score::SearchRequest& request = call->request;
  request.limit = static_cast<uint32_t>(std::clamp(NumberOf(info, 1), 0.0, kMaxHits));
  request.offset = static_cast<uint32_t>(std::clamp(NumberOf(info, 2), 0.0, kMaxHits));
  call->flags = static_cast<uint32_t>(std::clamp(NumberOf(info, 3), 0.0, 3.0));
  const double deadline_ms = NumberOf(info, 4);
  request.max_scored = static_cast<uint64_t>(std::clamp(NumberOf(info, 5), 0.0, kMaxCount));
  // Beyond what a number counts exactly there is no bound.
  const double count_up_to = NumberOf(info, 6);
  if (count_up_to < kMaxCount) request.count_up_to = static_cast<uint64_t>(std::max(count_up_to, 0.0));
  call->is_out_of_time = EndIn(deadline_ms);
  if (!info[9].IsUndefined() && !BytesOf(info, 9, &call->columns_wire)) return false;
  if (info[7].IsUndefined()) return true;
  std::string_view pinned;
  if (!BytesOf(info, 7, &pinned)) return false;
  for (size_t at = 0; at + sizeof(index::DocId) <= pinned.size(); at += sizeof(index::DocId)) {
    request.pinned.push_back(LoadUnaligned<index::DocId>(pinned.data() + at));
  }
  return true;
}

Failure AnswerSearch(const Core& core, const index::Snapshot& snapshot, SearchCall* call, score::SearchCache* cache,
                     std::span<char> room, std::optional<std::string>* encoded) {
  const auto query = score::DecodeQuery(call->wire, core.config.analysis);
  if (!query.ok()) return Failure::From(query.status());
  score::ColumnRequest columns;
  // One budget for all that the call asks for.
  score::SearchBudget budget(call->is_out_of_time);
  score::SearchRequest request = call->request;
  request.budget = &budget;
  if (!call->columns_wire.empty()) {
    auto decoded = score::DecodeColumnRequest(call->columns_wire, snapshot.columns);
    if (!decoded.ok()) return Failure::From(decoded.status());
    columns = std::move(decoded.value());
    request.columns = &columns;
  }
  score::SearchOutcome outcome = score::Search(snapshot, core.scoring, query.value(), request, cache);
  if (call->flags != 0 || outcome.columns || !EncodeInto(snapshot, outcome, room)) {
    std::vector<std::string> explanations;
    const bool want_explanations = (call->flags & kWantExplanations) != 0;
    if (want_explanations)
      explanations = score::Explain(snapshot, core.scoring, query.value(), outcome.hits, &budget, columns.boosts);
    outcome.is_partial |= budget.is_spent();
    *encoded =
        EncodeOutcome(snapshot, outcome, (call->flags & kWantDocs) != 0, want_explanations ? &explanations : nullptr);
  }
  // Whatever was read from a damaged segment reads as absent: the answer may be wrong, so there is none.
  return snapshot.damage->has_damage() ? Failure::From(snapshot.damage->first()) : Failure{};
}

Napi::Value SearchIn(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot,
                     score::SearchCache* cache) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    SearchCall call;
    if (!ReadSearchCall(info, &call)) return {};
    std::string_view room;
    if (!info[8].IsUndefined() && !BytesOf(info, 8, &room)) return {};
    std::optional<std::string> encoded;
    // The memory belongs to the caller, who lends it for this.
    Failure failure =
        AnswerSearch(core, snapshot, &call, cache, {const_cast<char*>(room.data()), room.size()}, &encoded);
    if (!failure.failed() && encoded) *value = ToArrayBuffer(info.Env(), *encoded);
    return failure;
  });
}

Napi::Value DocumentsIn(const Napi::CallbackInfo& info, const index::Snapshot& snapshot, score::SearchCache* cache) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view wire;
    if (!BytesOf(info, 0, &wire)) return {};
    const auto columns = score::DecodeColumnRequest(wire, snapshot.columns);
    if (!columns.ok()) return Failure::From(columns.status());
    score::SearchBudget budget({});
    const score::SharedDocuments passing =
        cache->filters.Passing(snapshot, columns.value().filter_wire, columns.value().filter, &budget);
    std::string numbers;
    for (index::DocId doc = passing->NextFrom(0); doc != index::kNoDoc; doc = passing->NextFrom(doc + 1))
      AppendValue(&numbers, doc);
    if (snapshot.damage->has_damage()) return Failure::From(snapshot.damage->first());
    *value = ToArrayBuffer(info.Env(), numbers);
    return {};
  });
}

Napi::Value GetFrom(const Napi::CallbackInfo& info, const index::Snapshot& snapshot) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view key;
    if (!BytesOf(info, 0, &key)) return {};
    const index::DocId doc = snapshot.FindKey(key);
    if (doc == index::kNoDoc) return {};
    const auto record = snapshot.Record(doc);
    if (!record) return Failure::From(snapshot.damage->first());
    *value = ToBytes(info.Env(), record->stored);
    return {};
  });
}

Napi::Value HasIn(const Napi::CallbackInfo& info, const index::Snapshot& snapshot) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view key;
    if (!BytesOf(info, 0, &key)) return {};
    *value = Napi::Boolean::New(info.Env(), snapshot.FindKey(key) != index::kNoDoc);
    return {};
  });
}

Napi::Value NumberIn(const Napi::CallbackInfo& info, const index::Snapshot& snapshot) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    std::string_view key;
    if (!BytesOf(info, 0, &key)) return {};
    const index::DocId doc = snapshot.FindKey(key);
    if (doc != index::kNoDoc) *value = Napi::Number::New(info.Env(), doc);
    return {};
  });
}

Napi::Value ListIn(const Napi::CallbackInfo& info, const index::Snapshot& snapshot) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const double from = std::clamp(NumberOf(info, 0), 0.0, static_cast<double>(index::kNoDoc));
    const size_t limit = static_cast<size_t>(std::clamp(NumberOf(info, 1), 0.0, kMaxHits));
    score::SearchOutcome outcome;
    for (index::DocId doc = static_cast<index::DocId>(from); doc < snapshot.doc_limit && outcome.hits.size() < limit;
         ++doc) {
      if (!snapshot.IsVisible(doc)) continue;
      score::Hit hit;
      hit.doc = doc;
      hit.score = 0;
      outcome.hits.push_back(hit);
    }
    outcome.total = snapshot.documents;
    const std::string encoded = EncodeOutcome(snapshot, outcome, true, nullptr);
    if (snapshot.damage->has_damage()) return Failure::From(snapshot.damage->first());
    *value = ToArrayBuffer(info.Env(), encoded);
    return {};
  });
}

Napi::Value StatsOf(const Napi::CallbackInfo& info, const index::Snapshot& snapshot) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    const Napi::Env env = info.Env();
    uint64_t posting_bytes = 0, unflushed_bytes = 0, pending = 0;
    const auto add = [&](const auto& part) {
      posting_bytes += part->MemoryBytes();
      if (!part->segment()) unflushed_bytes += part->MemoryBytes();
    };
    for (const auto& partition : snapshot.partitions) add(partition);
    for (const auto& run : snapshot.runs) {
      pending += run->size();
      add(run);
    }
    const uint64_t table_bytes = snapshot.table ? snapshot.table->segment()->size() : 0;
    Napi::Object stats = Napi::Object::New(env);
    if (stats.IsEmpty()) return {};
    const auto set = [&](const char* name, uint64_t number) {
      stats.Set(name, Napi::Number::New(env, static_cast<double>(number)));
    };
    set("documents", snapshot.documents);
    set("documentLimit", snapshot.doc_limit);
    set("terms", snapshot.term_count);
    set("postings", snapshot.postings);
    set("pendingPostings", pending);
    set("partitions", snapshot.partitions.size());
    set("runs", snapshot.runs.size());
    set("forwardBytes", snapshot.forward_bytes);
    set("storedBytes", snapshot.stored_bytes);
    set("postingBytes", posting_bytes);
    set("memoryBytes", snapshot.memory.held());
    set("termBytes", snapshot.memory.terms);
    set("keyBytes", snapshot.memory.keys);
    set("documentBytes", snapshot.memory.documents);
    set("heldPostingBytes", snapshot.memory.postings);
    set("mappedBytes", snapshot.memory.mapped);
    set("sequence", snapshot.sequence);
    set("tableBytes", table_bytes);
    set("unflushedBytes", unflushed_bytes);
    stats.Set("fieldDocuments", Numbers(env, snapshot.fields, &index::FieldTotals::documents));
    stats.Set("fieldTokens", Numbers(env, snapshot.fields, &index::FieldTotals::tokens));
    *value = stats;
    return {};
  });
}

}  // namespace freshdex::node

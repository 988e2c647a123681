// The reading verbs, the same for an index (on its current snapshot) and for a snapshot held by JavaScript.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "native/index/snapshot.h"
#include "native/node/core.h"
#include "native/node/failure.h"
#include "native/score/search.h"

namespace freshdex::node {

// The bytes of a Uint8Array, valid during the call; false (and a pending TypeError) for anything else.
bool BytesOf(const Napi::CallbackInfo& info, size_t argument, std::string_view* bytes);

// A copy as Uint8Array; undefined when the environment is ending and gives no memory any more.
Napi::Value ToBytes(Napi::Env env, std::string_view bytes);

// The same as ArrayBuffer.
Napi::Value ToArrayBuffer(Napi::Env env, std::string_view bytes);

// A search as JavaScript asks for it: wire, limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned?, room?,
// columns?. The pinned documents are u32 numbers; columns: native/score/column_request.h.
struct SearchCall {
  std::string_view wire;          // memory of the caller
  std::string_view columns_wire;  // the same; empty: nothing is asked of columns
  score::SearchRequest request;
  uint32_t flags = 0;
  std::function<bool()> is_out_of_time;  // asked now and then; empty: no limit
};

// Whether so many milliseconds are over, counted from now; empty for 0, which stands for no limit.
std::function<bool()> EndIn(double deadline_ms);

// False, and a pending TypeError, for other arguments than these.
bool ReadSearchCall(const Napi::CallbackInfo& info, SearchCall* call);
// The answer, laid out as src/core/hits.ts reads it: in `room` where it fits, else in *encoded. Any thread.
Failure AnswerSearch(const Core& core, const index::Snapshot& snapshot, SearchCall* call, score::SearchCache* cache,
                     std::span<char> room, std::optional<std::string>* encoded);

// search(the arguments of a SearchCall) -> ArrayBuffer, or undefined when the result is in `room` instead. The cache is
// kept from one search to the next.
Napi::Value SearchIn(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot,
                     score::SearchCache* cache);
// documentsOf(columns) -> ArrayBuffer: the numbers of the documents that pass the filter, ascending, u32 each
Napi::Value DocumentsIn(const Napi::CallbackInfo& info, const index::Snapshot& snapshot, score::SearchCache* cache);
// get(key) -> Uint8Array | undefined
Napi::Value GetFrom(const Napi::CallbackInfo& info, const index::Snapshot& snapshot);
// has(key) -> boolean
Napi::Value HasIn(const Napi::CallbackInfo& info, const index::Snapshot& snapshot);
// numberOf(key) -> number | undefined: the document's number in this snapshot
Napi::Value NumberIn(const Napi::CallbackInfo& info, const index::Snapshot& snapshot);
// list(from, limit) -> ArrayBuffer, laid out as that of search, with documents and scores of 0: visible documents in
// order of their numbers, the first being `from`; fewer than `limit` only at the end.
Napi::Value ListIn(const Napi::CallbackInfo& info, const index::Snapshot& snapshot);
// stats() -> object
Napi::Value StatsOf(const Napi::CallbackInfo& info, const index::Snapshot& snapshot);

}  // namespace freshdex::node

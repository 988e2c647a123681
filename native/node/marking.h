// What snippets and similar documents are made of: the places of a query's words in texts, and the terms of a document.
#pragma once

#include <napi.h>

#include "native/index/snapshot.h"
#include "native/node/core.h"

namespace freshdex::node {

// mark(wire, texts, deadlineMs) -> ArrayBuffer of u32. `texts` are entries, little endian:
//
//   u32 field | u8 form | u32 bytes | payload
//
// Form 0: UTF-8 text that the core analyses. Form 1: { u32 begin, u32 end, u16 length, bytes } … are tokens with the
// UTF-16 units that they stand for; `begin` never falls. The result has for each entry the number of its marks and, for
// each mark, begin, end, part of the query, and end of the occurrence that it belongs to, all but the part in UTF-16
// units. It ends before the first entry that the time was not enough for; a deadline of 0 is none.
Napi::Value MarkIn(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot);

// termsOf(key, fieldMask, limit, deadlineMs) -> Uint8Array of { u8 field, u8 length, f64 score, u32 tf, u32 df, bytes }
// …; undefined when there is no such document.
Napi::Value TermsIn(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot);

}  // namespace freshdex::node

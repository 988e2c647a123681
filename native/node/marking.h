// What snippets, similar documents and suggestions are made of: the places of a query's words in texts, the terms of a
// document, and the words that begin like another.
#pragma once

#include <napi.h>

#include "native/index/snapshot.h"
#include "native/node/core.h"
#include "native/score/completions.h"

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

// complete(word, fieldMask, edits, limit, isWhole, deadlineMs) -> Uint8Array of { u32 df, u8 edits, u8 length, bytes }
// …: the words that begin like this one, which has at most 255 bytes, or nearly so, or with `isWhole` those that are
// like it as a whole, edits being 1 or 2; those that were found by the deadline, of which 0 is none. `kept` are those
// that were asked for before.
Napi::Value CompleteIn(const Napi::CallbackInfo& info, const Core& core, const index::Snapshot& snapshot,
                       score::CompletionCache* kept);

// tokens(text, field) -> Uint8Array of { u32 begin, u32 end, u16 bytes, u16 holes before, UTF-8 } …: the tokens that a
// text has in a field, and where in the text they stand, in UTF-16 units.
Napi::Value TokensIn(const Napi::CallbackInfo& info, const Core& core);

}  // namespace freshdex::node

// The Porter2 stemmer for English (M. Porter, "The English (Porter2) stemming algorithm", snowballstem.org), in the
// form that stood unchanged from 2006 on. The exceptions that later Snowball releases added are not followed: stems are
// part of an index, and the long-standing form is the one that independent implementations agree on.
#pragma once

#include <cstddef>

namespace freshdex::analysis {

// Stems in place, without allocation, and returns the new length, never more than the old. Linear in length.
// REQUIRES: only a to z and the ASCII apostrophe; the buffer is readable up to the next multiple of eight bytes, since
// the word is read in steps of eight.
size_t StemEnglish(char* word, size_t length);

}  // namespace freshdex::analysis

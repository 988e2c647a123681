// Numbers for the terms of an index's first documents, frequent ones first.
//
// Terms have numbers in order of first sight, and small numbers have short codes (term_codes.h). The order in which
// words happen to come is a poor one to begin with: so the first documents of an empty index are analysed twice, once
// to count.
#pragma once

#include "native/base/status.h"
#include "native/index/batch.h"
#include "native/index/document_differ.h"

namespace freshdex::index {

// Adds the terms of the first documents of the batch, of kCountedBytes at most, to the terms in order of their
// frequency. Fails only with kTooManyTerms.
inline constexpr size_t kCountedBytes = 4u << 20;
Status AddTermsByFrequency(const AnalysisKinds& analysis, size_t fields, const Batch& batch, BatchTerms* terms);

}  // namespace freshdex::index

// Loops over the postings of a block: scores in single precision, by which most documents are dismissed, and searches.
//
// Each has a scalar twin that gives the same values, and is chosen by the level of vector instructions.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "native/base/simd.h"
#include "native/index/document_table.h"
#include "native/index/ids.h"
#include "native/score/similarity.h"

namespace freshdex::score {

// weight * tf / (tf + part) under BM25, weight * sqrt(tf) * part under TF-IDF, where `part` is that of the norm.
inline float ScoreRough(Model model, float part, float weight, float tf) {
  if (model == Model::kBm25) return weight * (tf / (tf + part));
  return weight * std::sqrt(tf) * part;
}

// The length norms of documents, one byte each. REQUIRES: docs ascending.
void GatherNorms(const index::NormTable& norms, const index::DocId* docs, size_t count, uint8_t* out);

// ScoreRough() of each posting.
void ScorePostings(Model model, const float* parts, float weight, const uint32_t* tfs, const uint8_t* norms,
                   size_t count, float* scores, Simd simd = kSimd);

// For each block the best score that its impacts allow (base_partition.h).
void BoundBlocks(Model model, const float* parts, float weight, const uint8_t* impacts, size_t blocks, float* bounds,
                 Simd simd = kSimd);

// The places of the scores that are at least `limit`, ascending; returns how many. REQUIRES: count <= 65,536.
size_t AtLeast(const float* scores, size_t count, float limit, uint16_t* places, Simd simd = kSimd);

// The Keep functions write groups of this many values: what they write to has room for so many more.
inline constexpr size_t kKeepSlack = 16;

// Copies the postings whose frequency is at least `least`; returns how many.
size_t KeepFrequent(const index::DocId* docs, const uint32_t* tfs, size_t count, uint32_t least,
                    index::DocId* kept_docs, uint32_t* kept_tfs, Simd simd = kSimd);

// Scores postings and moves those that score at least `least` to the front of all four columns; returns how many.
size_t KeepScores(Model model, const float* parts, float weight, float least, size_t count, index::DocId* docs,
                  uint32_t* tfs, uint8_t* norms, float* scores, Simd simd = kSimd);

// The places of the sums that a posting of a block may lift to `limit`, by the impacts of the block and the norms of
// the documents; returns how many. REQUIRES: room for kPlaceSlack places more.
size_t KeepBounded(Model model, const float* parts, float weight, const uint8_t* pairs, const uint8_t* norms,
                   const float* sums, size_t count, float limit, uint16_t* places, Simd simd = kSimd);

// The place of the largest value; of several, any. REQUIRES: count > 0, no NaN.
size_t LargestPlace(const float* values, size_t count, Simd simd = kSimd);

// The number of scores above 0.
size_t CountPositive(const float* scores, size_t count, Simd simd = kSimd);

// Where documents of one list stand in another: the places in both of each document that both have. Returns how many.
// REQUIRES: wanted and docs ascending and at most kMaxDocs, room for kPlaceSlack places more than there are wanted
// ones.
inline constexpr size_t kPlaceSlack = 16;
size_t Intersect(const index::DocId* wanted, size_t wanted_count, const index::DocId* docs, size_t count,
                 uint16_t* wanted_places, uint16_t* places, Simd simd = kSimd);

// The first place from `at` on whose document is >= target, or `count`. REQUIRES: docs ascending.
size_t SkipTo(const index::DocId* docs, size_t at, size_t count, index::DocId target, Simd simd = kSimd);

}  // namespace freshdex::score

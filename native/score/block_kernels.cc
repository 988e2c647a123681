#include "native/score/block_kernels.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "native/base/intrinsics.h"
#include "native/index/base_partition.h"

namespace freshdex::score {
namespace {

using index::DocId;

void ScoreScalar(Model model, const float* parts, float weight, const uint32_t* tfs, const uint8_t* norms, size_t begin,
                 size_t end, float* scores) {
  for (size_t i = begin; i < end; ++i)
    scores[i] = ScoreRough(model, parts[norms[i]], weight, static_cast<float>(tfs[i]));
}

#if FRESHDEX_X86

#define FRESHDEX_SCORE_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define FRESHDEX_SCORE_AVX2 __attribute__((target("avx2")))

FRESHDEX_SCORE_AVX512 inline __m512 Score512(Model model, __m512 part, __m512 weight, __m512 tf) {
  if (model == Model::kBm25) return _mm512_mul_ps(weight, _mm512_div_ps(tf, _mm512_add_ps(tf, part)));
  return _mm512_mul_ps(_mm512_mul_ps(weight, _mm512_sqrt_ps(tf)), part);
}

FRESHDEX_SCORE_AVX512 void ScorePostings512(Model model, const float* parts, float weight, const uint32_t* tfs,
                                            const uint8_t* norms, size_t count, float* scores) {
  const __m512 weights = _mm512_set1_ps(weight);
  for (size_t i = 0; i < count; i += 16) {
    const __mmask16 lanes = count - i >= 16 ? __mmask16{0xFFFF} : static_cast<__mmask16>((1u << (count - i)) - 1);
    const __m512i norm = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(lanes, norms + i));
    const __m512 tf = _mm512_cvtepu32_ps(_mm512_maskz_loadu_epi32(lanes, tfs + i));
    const __m512 part = _mm512_i32gather_ps(norm, parts, 4);
    _mm512_mask_storeu_ps(scores + i, lanes, Score512(model, part, weights, tf));
  }
}

// Four blocks at a time: their 16 pairs, and the best of every four.
FRESHDEX_SCORE_AVX512 size_t BoundBlocks512(Model model, const float* parts, float weight, const uint8_t* impacts,
                                            size_t blocks, float* bounds) {
  const __m512 weights = _mm512_set1_ps(weight);
  const __m512i firsts = _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 8, 4, 0);
  size_t b = 0;
  for (; b + 4 <= blocks; b += 4, impacts += 4 * index::kImpactBytes) {
    const __m512i pairs = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(impacts)));
    const __m512i tf = _mm512_and_si512(pairs, _mm512_set1_epi32(255));
    const __m512i whole = _mm512_mask_mov_epi32(tf, _mm512_cmpeq_epi32_mask(tf, _mm512_set1_epi32(255)),
                                                _mm512_set1_epi32(index::kMaxTf));
    const __m512 part = _mm512_i32gather_ps(_mm512_srli_epi32(pairs, 8), parts, 4);
    __m512 best = Score512(model, part, weights, _mm512_cvtepu32_ps(whole));
    best = _mm512_max_ps(best, _mm512_permute_ps(best, 0xB1));
    best = _mm512_max_ps(best, _mm512_permute_ps(best, 0x4E));
    _mm_storeu_ps(bounds + b, _mm512_castps512_ps128(_mm512_permutexvar_ps(firsts, best)));
  }
  return b;
}

FRESHDEX_SCORE_AVX512 size_t AtLeast512(const float* scores, size_t count, float limit, uint16_t* places) {
  const __m512 limits = _mm512_set1_ps(limit);
  size_t kept = 0;
  for (size_t i = 0; i < count; i += 16) {
    const __mmask16 lanes = count - i >= 16 ? __mmask16{0xFFFF} : static_cast<__mmask16>((1u << (count - i)) - 1);
    uint32_t found = _mm512_mask_cmp_ps_mask(lanes, _mm512_maskz_loadu_ps(lanes, scores + i), limits, _CMP_GE_OQ);
    for (; found != 0; found &= found - 1)
      places[kept++] = static_cast<uint16_t>(i + static_cast<size_t>(std::countr_zero(found)));
  }
  return kept;
}

// Appends the places of the lanes that are set; writes 16 values whatever their number.
FRESHDEX_SCORE_AVX512 inline size_t AppendPlaces(size_t first, __mmask16 lanes, uint16_t* places) {
  const __m512i all = _mm512_add_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                                       _mm512_set1_epi32(static_cast<int>(first)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(places),
                      _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(lanes, all)));
  return static_cast<size_t>(std::popcount(static_cast<uint32_t>(lanes)));
}

// The lanes below `left`.
FRESHDEX_SCORE_AVX512 inline __mmask16 LanesBelow(size_t left) {
  return left >= 16 ? __mmask16{0xFFFF} : static_cast<__mmask16>((1u << left) - 1);
}

FRESHDEX_SCORE_AVX512 size_t KeepFrequent512(const DocId* docs, const uint32_t* tfs, size_t count, uint32_t least,
                                             DocId* kept_docs, uint32_t* kept_tfs) {
  const __m512i leasts = _mm512_set1_epi32(static_cast<int>(least));
  size_t kept = 0;
  for (size_t i = 0; i < count; i += 16) {
    const __mmask16 lanes = LanesBelow(count - i);
    const __m512i tf = _mm512_maskz_loadu_epi32(lanes, tfs + i), doc = _mm512_maskz_loadu_epi32(lanes, docs + i);
    const __mmask16 found = _mm512_mask_cmpge_epu32_mask(lanes, tf, leasts);
    _mm512_storeu_si512(kept_docs + kept, _mm512_maskz_compress_epi32(found, doc));
    _mm512_storeu_si512(kept_tfs + kept, _mm512_maskz_compress_epi32(found, tf));
    kept += static_cast<size_t>(std::popcount(static_cast<uint32_t>(found)));
  }
  return kept;
}

// Stores of whole vectors begin where at most as much was kept as was read: they overwrite nothing unread.
FRESHDEX_SCORE_AVX512 size_t KeepScores512(Model model, const float* parts, float weight, float least, size_t count,
                                           DocId* docs, uint32_t* tfs, uint8_t* norms, float* scores) {
  const __m512 weights = _mm512_set1_ps(weight), leasts = _mm512_set1_ps(least);
  size_t kept = 0;
  for (size_t i = 0; i < count; i += 16) {
    const __mmask16 lanes = LanesBelow(count - i);
    const __m512i norm = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(lanes, norms + i));
    const __m512i tf = _mm512_maskz_loadu_epi32(lanes, tfs + i), doc = _mm512_maskz_loadu_epi32(lanes, docs + i);
    const __m512 score = Score512(model, _mm512_i32gather_ps(norm, parts, 4), weights, _mm512_cvtepu32_ps(tf));
    const __mmask16 found = _mm512_mask_cmp_ps_mask(lanes, score, leasts, _CMP_GE_OQ);
    _mm512_storeu_si512(docs + kept, _mm512_maskz_compress_epi32(found, doc));
    _mm512_storeu_si512(tfs + kept, _mm512_maskz_compress_epi32(found, tf));
    _mm512_storeu_ps(scores + kept, _mm512_maskz_compress_ps(found, score));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(norms + kept),
                     _mm512_cvtepi32_epi8(_mm512_maskz_compress_epi32(found, norm)));
    kept += static_cast<size_t>(std::popcount(static_cast<uint32_t>(found)));
  }
  return kept;
}

FRESHDEX_SCORE_AVX512 size_t KeepBounded512(Model model, const float* parts, float weight, const uint8_t* pairs,
                                            const uint8_t* norms, const float* sums, size_t count, float limit,
                                            uint16_t* places) {
  const __m512 weights = _mm512_set1_ps(weight), limits = _mm512_set1_ps(limit);
  size_t kept = 0;
  for (size_t i = 0; i < count; i += 16) {
    const __mmask16 lanes = LanesBelow(count - i);
    const __m512i norm = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(lanes, norms + i));
    __m512i most = _mm512_setzero_si512();
    for (size_t p = 0; p < index::kImpactBytes; p += 2) {
      const int tf = pairs[p] == 255 ? static_cast<int>(index::kMaxTf) : pairs[p];
      const __mmask16 covers = _mm512_cmpge_epu32_mask(norm, _mm512_set1_epi32(pairs[p + 1]));
      most = _mm512_mask_max_epu32(most, covers, most, _mm512_set1_epi32(tf));
    }
    const __m512 bound = Score512(model, _mm512_i32gather_ps(norm, parts, 4), weights, _mm512_cvtepu32_ps(most));
    const __m512 sum = _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, sums + i), bound);
    const __mmask16 found = _mm512_mask_cmp_ps_mask(lanes, sum, limits, _CMP_GE_OQ);
    kept += AppendPlaces(i, found, places + kept);
  }
  return kept;
}

FRESHDEX_SCORE_AVX512 size_t LargestPlace512(const float* values, size_t count) {
  const __m512 least = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
  __m512 best = least;
  for (size_t i = 0; i < count; i += 16)
    best = _mm512_max_ps(best, _mm512_mask_loadu_ps(least, LanesBelow(count - i), values + i));
  const __m512 largest = _mm512_set1_ps(_mm512_reduce_max_ps(best));
  for (size_t i = 0; i < count; i += 16) {
    const uint32_t found =
        _mm512_cmp_ps_mask(_mm512_mask_loadu_ps(least, LanesBelow(count - i), values + i), largest, _CMP_EQ_OQ);
    if (found != 0) return i + static_cast<size_t>(std::countr_zero(found));
  }
  return 0;
}

FRESHDEX_SCORE_AVX512 size_t CountPositive512(const float* scores, size_t count) {
  size_t positive = 0;
  for (size_t i = 0; i < count; i += 16) {
    const __mmask16 lanes = count - i >= 16 ? __mmask16{0xFFFF} : static_cast<__mmask16>((1u << (count - i)) - 1);
    const uint32_t found =
        _mm512_mask_cmp_ps_mask(lanes, _mm512_maskz_loadu_ps(lanes, scores + i), _mm512_setzero_ps(), _CMP_GT_OQ);
    positive += static_cast<size_t>(std::popcount(found));
  }
  return positive;
}

FRESHDEX_SCORE_AVX512 size_t SkipTo512(const DocId* docs, size_t at, size_t count, DocId target) {
  const __m512i targets = _mm512_set1_epi32(static_cast<int>(target));
  for (; at < count; at += 16) {
    const __mmask16 lanes = count - at >= 16 ? __mmask16{0xFFFF} : static_cast<__mmask16>((1u << (count - at)) - 1);
    const uint32_t found = _mm512_mask_cmpge_epu32_mask(lanes, _mm512_maskz_loadu_epi32(lanes, docs + at), targets);
    if (found != 0) return at + static_cast<size_t>(std::countr_zero(found));
  }
  return count;
}

// Which lanes of `a` hold a value that `b` holds too.
FRESHDEX_SCORE_AVX512 inline __mmask16 LanesIn(__m512i a, __m512i b) {
  uint32_t lanes = 0;
  const __m512i halves = _mm512_shuffle_i64x2(b, b, 0x4E), quarters = _mm512_shuffle_i64x2(b, b, 0x39),
                others = _mm512_shuffle_i64x2(b, b, 0x93);
  for (const __m512i& turned : {b, halves, quarters, others}) {
    lanes |= _mm512_cmpeq_epi32_mask(a, turned);
    lanes |= _mm512_cmpeq_epi32_mask(a, _mm512_shuffle_epi32(turned, _MM_PERM_ADCB));
    lanes |= _mm512_cmpeq_epi32_mask(a, _mm512_shuffle_epi32(turned, _MM_PERM_BADC));
    lanes |= _mm512_cmpeq_epi32_mask(a, _mm512_shuffle_epi32(turned, _MM_PERM_CBAD));
  }
  return static_cast<__mmask16>(lanes);
}

// One wanted document after the other: each waits for the place of the one before.
FRESHDEX_SCORE_AVX512 size_t IntersectSparse512(const DocId* wanted, size_t wanted_count, const DocId* docs,
                                                size_t count, uint16_t* wanted_places, uint16_t* places) {
  size_t found = 0;
  for (size_t i = 0, at = 0; i < wanted_count; ++i) {
    const __m512i targets = _mm512_set1_epi32(static_cast<int>(wanted[i]));
    for (;;) {
      if (at >= count) return found;
      const __mmask16 lanes = count - at >= 16 ? __mmask16{0xFFFF} : static_cast<__mmask16>((1u << (count - at)) - 1);
      const uint32_t reached = _mm512_mask_cmpge_epu32_mask(lanes, _mm512_maskz_loadu_epi32(lanes, docs + at), targets);
      if (reached != 0) {
        at += static_cast<size_t>(std::countr_zero(reached));
        break;
      }
      at += 16;
    }
    wanted_places[found] = static_cast<uint16_t>(i);
    places[found] = static_cast<uint16_t>(at);
    found += docs[at] == wanted[i];
  }
  return found;
}

// Sixteen against sixteen, whichever side ends first going on. Both sides are in order, so that the n-th lane that is
// found on the one is the n-th on the other.
FRESHDEX_SCORE_AVX512 size_t IntersectDense512(const DocId* wanted, size_t wanted_count, const DocId* docs,
                                               size_t count, uint16_t* wanted_places, uint16_t* places) {
  // No document has these numbers, and they differ, so that lanes behind the end match nothing.
  const __m512i no_wanted = _mm512_set1_epi32(-1), no_doc = _mm512_set1_epi32(-2);
  const auto rest = [](size_t left) {
    return left >= 16 ? __mmask16{0xFFFF} : static_cast<__mmask16>((1u << left) - 1);
  };
  size_t wanted_found = 0, found = 0, i = 0, at = 0;
  __mmask16 wanted_lanes = 0, lanes = 0;
  __m512i left = _mm512_mask_loadu_epi32(no_wanted, rest(wanted_count), wanted);
  __m512i right = _mm512_mask_loadu_epi32(no_doc, rest(count), docs);
  for (;;) {
    const __mmask16 both = LanesIn(left, right);
    if (both != 0) {
      wanted_lanes = static_cast<__mmask16>(wanted_lanes | both);
      lanes = static_cast<__mmask16>(lanes | LanesIn(right, left));
    }
    const DocId left_last = wanted[std::min(i + 16, wanted_count) - 1], right_last = docs[std::min(at + 16, count) - 1];
    if (left_last <= right_last) {
      wanted_found += AppendPlaces(i, wanted_lanes, wanted_places + wanted_found);
      wanted_lanes = 0;
      i += 16;
      if (i >= wanted_count) break;
      left = _mm512_mask_loadu_epi32(no_wanted, rest(wanted_count - i), wanted + i);
    }
    if (right_last <= left_last) {
      found += AppendPlaces(at, lanes, places + found);
      lanes = 0;
      at += 16;
      if (at >= count) break;
      right = _mm512_mask_loadu_epi32(no_doc, rest(count - at), docs + at);
    }
  }
  // One side has ended, and the other may still hold what was found last.
  if (wanted_found < found) wanted_found += AppendPlaces(i, wanted_lanes, wanted_places + wanted_found);
  if (found < wanted_found) found += AppendPlaces(at, lanes, places + found);
  return found;
}

// Which of 64 documents is the target.
FRESHDEX_SCORE_AVX512 inline uint64_t PlaceBits(const __m512i* groups, __m512i target) {
  const __mmask32 low =
      _mm512_kunpackw(_mm512_cmpeq_epi32_mask(groups[1], target), _mm512_cmpeq_epi32_mask(groups[0], target));
  const __mmask32 high =
      _mm512_kunpackw(_mm512_cmpeq_epi32_mask(groups[3], target), _mm512_cmpeq_epi32_mask(groups[2], target));
  return _mm512_kunpackd(high, low);
}

// Few wanted documents, each against all of a block: none waits for the one before.
FRESHDEX_SCORE_AVX512 size_t IntersectFew512(const DocId* wanted, size_t wanted_count, const DocId* docs, size_t count,
                                             uint16_t* wanted_places, uint16_t* places) {
  __m512i groups[8];
  // No document has this number.
  for (size_t g = 0; g < 8; ++g) {
    groups[g] = g * 16 < count
                    ? _mm512_mask_loadu_epi32(_mm512_set1_epi32(-1), LanesBelow(count - g * 16), docs + g * 16)
                    : _mm512_set1_epi32(-1);
  }
  size_t found = 0;
  for (size_t i = 0; i < wanted_count; ++i) {
    const __m512i target = _mm512_set1_epi32(static_cast<int>(wanted[i]));
    const uint64_t low = PlaceBits(groups, target), high = PlaceBits(groups + 4, target);
    wanted_places[found] = static_cast<uint16_t>(i);
    places[found] = static_cast<uint16_t>(low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high));
    found += (low | high) != 0;
  }
  return found;
}

FRESHDEX_SCORE_AVX512 size_t Intersect512(const DocId* wanted, size_t wanted_count, const DocId* docs, size_t count,
                                          uint16_t* wanted_places, uint16_t* places) {
  if (wanted_count <= 12 && count <= 128 && count > 32)
    return IntersectFew512(wanted, wanted_count, docs, count, wanted_places, places);
  const bool is_dense = wanted_count * 6 > count && count > 0;
  return (is_dense ? IntersectDense512 : IntersectSparse512)(wanted, wanted_count, docs, count, wanted_places, places);
}

FRESHDEX_SCORE_AVX2 inline __m256 Score256(Model model, __m256 part, __m256 weight, __m256 tf) {
  if (model == Model::kBm25) return _mm256_mul_ps(weight, _mm256_div_ps(tf, _mm256_add_ps(tf, part)));
  return _mm256_mul_ps(_mm256_mul_ps(weight, _mm256_sqrt_ps(tf)), part);
}

// Whole groups of eight; returns how many postings that were. A tf is at most 65,535, so that it is no negative int.
FRESHDEX_SCORE_AVX2 size_t ScorePostings256(Model model, const float* parts, float weight, const uint32_t* tfs,
                                            const uint8_t* norms, size_t count, float* scores) {
  const __m256 weights = _mm256_set1_ps(weight);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i norm = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(norms + i)));
    const __m256 tf = _mm256_cvtepi32_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(tfs + i)));
    _mm256_storeu_ps(scores + i, Score256(model, _mm256_i32gather_ps(parts, norm, 4), weights, tf));
  }
  return i;
}

FRESHDEX_SCORE_AVX2 size_t AtLeast256(const float* scores, size_t count, float limit, uint16_t* places, size_t* done) {
  const __m256 limits = _mm256_set1_ps(limit);
  size_t kept = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    uint32_t found =
        static_cast<uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(scores + i), limits, _CMP_GE_OQ)));
    for (; found != 0; found &= found - 1)
      places[kept++] = static_cast<uint16_t>(i + static_cast<size_t>(std::countr_zero(found)));
  }
  *done = i;
  return kept;
}

FRESHDEX_SCORE_AVX2 size_t CountPositive256(const float* scores, size_t count, size_t* done) {
  size_t positive = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    const int found = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(scores + i), _mm256_setzero_ps(), _CMP_GT_OQ));
    positive += static_cast<size_t>(std::popcount(static_cast<uint32_t>(found)));
  }
  *done = i;
  return positive;
}

FRESHDEX_SCORE_AVX2 size_t SkipTo256(const DocId* docs, size_t at, size_t count, DocId target) {
  // Unsigned comparison: x >= y exactly when max(x, y) is x.
  const __m256i targets = _mm256_set1_epi32(static_cast<int>(target));
  for (; at + 8 <= count; at += 8) {
    const __m256i group = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(docs + at));
    const __m256i is_reached = _mm256_cmpeq_epi32(_mm256_max_epu32(group, targets), group);
    const uint32_t found = static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(is_reached)));
    if (found != 0) return at + static_cast<size_t>(std::countr_zero(found));
  }
  return at;
}

#endif

}  // namespace

void GatherNorms(const index::NormTable& norms, const DocId* docs, size_t count, uint8_t* out) {
  constexpr size_t kPage = index::NormTable::kElementsPerPage;
  for (size_t i = 0; i < count;) {
    const size_t number = docs[i] / kPage;
    const uint8_t* page = norms.page(number);
    const uint64_t end = (uint64_t{number} + 1) * kPage;
    for (; i < count && docs[i] < end; ++i) out[i] = page ? page[docs[i] % kPage] : 0;
  }
}

void ScorePostings(Model model, const float* parts, float weight, const uint32_t* tfs, const uint8_t* norms,
                   size_t count, float* scores, [[maybe_unused]] Simd simd) {
  size_t done = 0;
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return ScorePostings512(model, parts, weight, tfs, norms, count, scores);
  if (simd == Simd::kAvx2) done = ScorePostings256(model, parts, weight, tfs, norms, count, scores);
#endif
  ScoreScalar(model, parts, weight, tfs, norms, done, count, scores);
}

void BoundBlocks(Model model, const float* parts, float weight, const uint8_t* impacts, size_t blocks, float* bounds,
                 [[maybe_unused]] Simd simd) {
  size_t b = 0;
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) b = BoundBlocks512(model, parts, weight, impacts, blocks, bounds);
#endif
  for (; b < blocks; ++b) {
    const uint8_t* pairs = impacts + b * index::kImpactBytes;
    float best = 0;
    for (size_t i = 0; i < index::kImpactBytes; i += 2) {
      const float tf = pairs[i] == 255 ? static_cast<float>(index::kMaxTf) : pairs[i];
      best = std::max(best, ScoreRough(model, parts[pairs[i + 1]], weight, tf));
    }
    bounds[b] = best;
  }
}

size_t AtLeast(const float* scores, size_t count, float limit, uint16_t* places, [[maybe_unused]] Simd simd) {
  size_t kept = 0, done = 0;
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return AtLeast512(scores, count, limit, places);
  if (simd == Simd::kAvx2) kept = AtLeast256(scores, count, limit, places, &done);
#endif
  for (size_t i = done; i < count; ++i) {
    places[kept] = static_cast<uint16_t>(i);
    kept += scores[i] >= limit;
  }
  return kept;
}

size_t KeepFrequent(const DocId* docs, const uint32_t* tfs, size_t count, uint32_t least, DocId* kept_docs,
                    uint32_t* kept_tfs, [[maybe_unused]] Simd simd) {
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return KeepFrequent512(docs, tfs, count, least, kept_docs, kept_tfs);
#endif
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    kept_docs[kept] = docs[i];
    kept_tfs[kept] = tfs[i];
    kept += tfs[i] >= least;
  }
  return kept;
}

size_t KeepScores(Model model, const float* parts, float weight, float least, size_t count, DocId* docs, uint32_t* tfs,
                  uint8_t* norms, float* scores, [[maybe_unused]] Simd simd) {
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return KeepScores512(model, parts, weight, least, count, docs, tfs, norms, scores);
#endif
  ScorePostings(model, parts, weight, tfs, norms, count, scores, simd);
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const float score = scores[i];
    docs[kept] = docs[i];
    tfs[kept] = tfs[i];
    norms[kept] = norms[i];
    scores[kept] = score;
    kept += score >= least;
  }
  return kept;
}

size_t KeepBounded(Model model, const float* parts, float weight, const uint8_t* pairs, const uint8_t* norms,
                   const float* sums, size_t count, float limit, uint16_t* places, [[maybe_unused]] Simd simd) {
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return KeepBounded512(model, parts, weight, pairs, norms, sums, count, limit, places);
#endif
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    uint8_t most = 0;
    for (size_t p = 0; p < index::kImpactBytes; p += 2) {
      if (pairs[p + 1] <= norms[i]) most = std::max(most, pairs[p]);
    }
    const float tf = most == 255 ? static_cast<float>(index::kMaxTf) : most;
    places[kept] = static_cast<uint16_t>(i);
    kept += sums[i] + ScoreRough(model, parts[norms[i]], weight, tf) >= limit;
  }
  return kept;
}

size_t LargestPlace(const float* values, size_t count, [[maybe_unused]] Simd simd) {
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return LargestPlace512(values, count);
#endif
  return static_cast<size_t>(std::max_element(values, values + count) - values);
}

size_t CountPositive(const float* scores, size_t count, [[maybe_unused]] Simd simd) {
  size_t positive = 0, done = 0;
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return CountPositive512(scores, count);
  if (simd == Simd::kAvx2) positive = CountPositive256(scores, count, &done);
#endif
  for (size_t i = done; i < count; ++i) positive += scores[i] > 0;
  return positive;
}

size_t Intersect(const DocId* wanted, size_t wanted_count, const DocId* docs, size_t count, uint16_t* wanted_places,
                 uint16_t* places, [[maybe_unused]] Simd simd) {
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return Intersect512(wanted, wanted_count, docs, count, wanted_places, places);
#endif
  size_t found = 0;
  for (size_t i = 0, at = 0; i < wanted_count; ++i) {
    at = SkipTo(docs, at, count, wanted[i], simd);
    if (at == count) break;
    wanted_places[found] = static_cast<uint16_t>(i);
    places[found] = static_cast<uint16_t>(at);
    found += docs[at] == wanted[i];
  }
  return found;
}

size_t SkipTo(const DocId* docs, size_t at, size_t count, DocId target, [[maybe_unused]] Simd simd) {
#if FRESHDEX_X86
  if (simd == Simd::kAvx512) return SkipTo512(docs, at, count, target);
  if (simd == Simd::kAvx2) at = SkipTo256(docs, at, count, target);
#endif
  while (at < count && docs[at] < target) ++at;
  return at;
}

}  // namespace freshdex::score

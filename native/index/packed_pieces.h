// Long strings in pieces, each packed by itself (code_packing.h), so that one is read without the others.
//
//   u32   bytes of the piece
//   u32   bytes of what follows; as many as the piece has: as they are
//   ...   the piece, packed without a dictionary
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "native/index/code_packing.h"

namespace freshdex::index {

class PiecePacker {
 public:
  // REQUIRES: no more than kMostPieceBytes.
  void Append(std::string_view piece, std::string* out);

 private:
  CodePacker packer_{std::string_view()};
};

inline constexpr size_t kMostPieceBytes = size_t{1} << 24;

// Appends the first piece and takes it away from *pieces; false when it makes no sense. REQUIRES: kPackedSlack bytes
// readable behind the pieces.
bool UnpackPiece(std::string_view* pieces, std::string* out);

// All of a string in pieces of the same length, and back.
std::string PackPieces(std::string_view bytes);
bool UnpackPieces(std::string_view pieces, std::string* out);

}  // namespace freshdex::index

#include "native/index/packed_pieces.h"

#include <algorithm>
#include <cassert>

#include "native/base/bytes.h"

namespace freshdex::index {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 17;

}  // namespace

void PiecePacker::Append(std::string_view piece, std::string* out) {
  assert(piece.size() <= kMostPieceBytes);
  std::string packed;
  packer_.Pack(piece, &packed);
  const std::string_view shorter = packed.size() < piece.size() ? std::string_view(packed) : piece;
  AppendValue(out, static_cast<uint32_t>(piece.size()));
  AppendValue(out, static_cast<uint32_t>(shorter.size()));
  out->append(shorter);
}

bool UnpackPiece(std::string_view* pieces, std::string* out) {
  ByteReader reader(*pieces);
  const size_t bytes = reader.Read<uint32_t>();
  const std::string_view packed = reader.ReadBytes(reader.Read<uint32_t>());
  if (!reader.ok() || bytes > kMostPieceBytes || packed.size() > bytes) return false;
  pieces->remove_prefix(pieces->size() - reader.remaining());
  if (packed.size() == bytes) {
    out->append(packed);
    return true;
  }
  const size_t before = out->size();
  out->resize(before + bytes + kPackedSlack);
  const bool is_sound = UnpackCodes(packed, {}, bytes, out->data() + before);
  out->resize(is_sound ? before + bytes : before);
  return is_sound;
}

std::string PackPieces(std::string_view bytes) {
  std::string pieces;
  PiecePacker packer;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kPieceBytes)))
    packer.Append(bytes.substr(0, kPieceBytes), &pieces);
  return pieces;
}

bool UnpackPieces(std::string_view pieces, std::string* out) {
  while (!pieces.empty()) {
    if (!UnpackPiece(&pieces, out)) return false;
  }
  return true;
}

}  // namespace freshdex::index

#include "native/index/segment_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "native/base/bytes.h"
#include "native/base/xxh64.h"

namespace freshdex::index {
namespace {

constexpr char kSegmentMagic[8] = {'f', 'd', 'e', 'x', 's', 'e', 'g', '\0'};
constexpr uint16_t kSegmentVersion = 7;
constexpr size_t kHeaderBytes = 40;
constexpr size_t kSectionEntryBytes = 24;
constexpr size_t kFooterBytes = 32;

std::string InvertedSegmentMagic() {
  std::string inverted(kSegmentMagic, sizeof(kSegmentMagic));
  for (char& c : inverted) c = static_cast<char>(~c);
  return inverted;
}

size_t BlocksOf(uint64_t bytes) { return (bytes + kSegmentBlockBytes - 1) / kSegmentBlockBytes; }

uint32_t BlockHash(std::string_view block, uint64_t number) { return static_cast<uint32_t>(Xxh64(block, number)); }

}  // namespace

std::string SegmentFileName(uint64_t number) {
  char name[32];
  std::snprintf(name, sizeof(name), "%016llx.seg", static_cast<unsigned long long>(number));
  return name;
}

SegmentWriter::SegmentWriter(const SegmentName& name) : name_(name) {
  data_.append(kSegmentMagic, sizeof(kSegmentMagic));
  AppendValue(&data_, kSegmentVersion);
  AppendValue(&data_, static_cast<uint16_t>(name.kind));
  AppendValue(&data_, uint32_t{0});
  AppendValue(&data_, name.index.low);
  AppendValue(&data_, name.index.high);
  AppendValue(&data_, name.number);
}

void SegmentWriter::Add(uint32_t id, std::string_view bytes) {
  data_.resize((data_.size() + 7) / 8 * 8, '\0');
  sections_.push_back({id, data_.size(), bytes.size()});
  data_.append(bytes);
}

Status SegmentWriter::WriteTo(FileSystem* files, const std::string& path) {
  std::string tail;
  for (const Section& section : sections_) {
    AppendValue(&tail, section.id);
    AppendValue(&tail, uint32_t{0});
    AppendValue(&tail, section.offset);
    AppendValue(&tail, section.bytes);
  }
  for (size_t at = 0; at < data_.size(); at += kSegmentBlockBytes) {
    AppendValue(&tail, BlockHash(std::string_view(data_).substr(at, kSegmentBlockBytes), name_.number));
  }
  AppendValue(&tail, static_cast<uint64_t>(data_.size()));
  AppendValue(&tail, static_cast<uint32_t>(sections_.size()));
  AppendValue(&tail, static_cast<uint32_t>(BlocksOf(data_.size())));
  AppendValue(&tail, Xxh64(tail, name_.number));
  tail += InvertedSegmentMagic();

  auto file = files->Create(path);
  if (!file.ok()) return file.status();
  for (const std::string_view part : {std::string_view(data_), std::string_view(tail)}) {
    Status status = file.value()->Append(part);
    if (!status.ok()) return status;
  }
  return file.value()->Sync();
}

Result<std::shared_ptr<const SegmentFile>> SegmentFile::Open(FileSystem* files, const std::string& path,
                                                             const SegmentName& name,
                                                             std::shared_ptr<DamageLog> damage) {
  auto mapped = files->Map(path);
  if (!mapped.ok()) return mapped.status();
  std::shared_ptr<SegmentFile> segment(new SegmentFile(path, name, std::move(mapped.value()), std::move(damage)));
  Status status = segment->Load();
  if (!status.ok()) return status;
  return std::shared_ptr<const SegmentFile>(std::move(segment));
}

Status SegmentFile::Corrupt(uint64_t offset, const std::string& what) const {
  return Status(Code::kCorrupt, "'" + path_ + "' is damaged at byte " + std::to_string(offset) + ": " + what, path_,
                offset);
}

Status SegmentFile::Load() {
  const std::string_view bytes = file_->bytes();
  if (bytes.size() < kHeaderBytes + kFooterBytes) return Corrupt(bytes.size(), "shorter than any segment");
  const uint64_t footer = bytes.size() - kFooterBytes;
  Status status = file_->Fetch(0, kHeaderBytes);
  if (status.ok()) status = file_->Fetch(footer, kFooterBytes);
  if (!status.ok()) return status;
  ByteReader header(bytes);
  if (header.ReadBytes(sizeof(kSegmentMagic)) != std::string_view(kSegmentMagic, sizeof(kSegmentMagic)))
    return Corrupt(0, "not a segment");
  if (header.Read<uint16_t>() != kSegmentVersion) return Corrupt(8, "unknown format version");
  if (header.Read<uint16_t>() != static_cast<uint16_t>(name_.kind)) return Corrupt(10, "another kind of segment");
  if (header.Read<uint32_t>() != 0) return Corrupt(12, "unknown flags");
  const IndexId index{LoadUnaligned<uint64_t>(bytes.data() + 16), LoadUnaligned<uint64_t>(bytes.data() + 24)};
  if (index != name_.index) return Corrupt(16, "a segment of another index");
  if (LoadUnaligned<uint64_t>(bytes.data() + 32) != name_.number) return Corrupt(32, "another segment's number");

  if (bytes.substr(footer + 24) != InvertedSegmentMagic()) return Corrupt(footer + 24, "no end mark: cut off");
  data_bytes_ = LoadUnaligned<uint64_t>(bytes.data() + footer);
  section_count_ = LoadUnaligned<uint32_t>(bytes.data() + footer + 8);
  block_count_ = LoadUnaligned<uint32_t>(bytes.data() + footer + 12);
  const uint64_t table_bytes = kSectionEntryBytes * uint64_t{section_count_} + 4 * uint64_t{block_count_};
  if (data_bytes_ < kHeaderBytes || data_bytes_ > footer || footer - data_bytes_ != table_bytes ||
      BlocksOf(data_bytes_) != block_count_) {
    return Corrupt(footer, "lengths in the footer");
  }
  status = file_->Fetch(data_bytes_, table_bytes);
  if (!status.ok()) return status;
  const std::string_view hashed = bytes.substr(data_bytes_, table_bytes + 16);
  if (Xxh64(hashed, name_.number) != LoadUnaligned<uint64_t>(bytes.data() + footer + 16))
    return Corrupt(footer + 16, "checksum of the tables");

  section_table_ = bytes.data() + data_bytes_;
  block_table_ = section_table_ + kSectionEntryBytes * section_count_;
  for (size_t i = 0; i < section_count_; ++i) {
    const char* entry = section_table_ + kSectionEntryBytes * i;
    const uint64_t offset = LoadUnaligned<uint64_t>(entry + 8);
    const uint64_t length = LoadUnaligned<uint64_t>(entry + 16);
    if (offset % 8 != 0 || offset > data_bytes_ || length > data_bytes_ - offset)
      return Corrupt(data_bytes_, "section table");
  }
  verified_ = std::vector<std::atomic<uint8_t>>(block_count_);
  // Every byte of the header was compared above. Its block is not verified yet: what lies in the others can be read
  // without it.
  return {};
}

std::string_view SegmentFile::Section(uint32_t id) const {
  for (size_t i = 0; i < section_count_; ++i) {
    const char* entry = section_table_ + kSectionEntryBytes * i;
    if (LoadUnaligned<uint32_t>(entry) != id) continue;
    return file_->bytes().substr(LoadUnaligned<uint64_t>(entry + 8), LoadUnaligned<uint64_t>(entry + 16));
  }
  return {};
}

bool SegmentFile::IsSound(const void* at, size_t bytes) const {
  const Status status = Verify({static_cast<const char*>(at), bytes});
  if (status.ok()) return true;
  damage_->Note(status);
  return false;
}

bool SegmentFile::NoteDamage(const void* at, const char* what) const {
  damage_->Note(Corrupt(OffsetOf(at), what));
  return false;
}

bool SegmentFile::IsBlockSound(size_t block, std::string_view bytes) const {
  return BlockHash(bytes, name_.number) == LoadUnaligned<uint32_t>(block_table_ + 4 * block);
}

Status SegmentFile::Verify(std::string_view bytes) const {
  if (bytes.empty()) return {};
  const size_t begin = static_cast<size_t>(bytes.data() - file_->bytes().data());
  for (size_t block = begin / kSegmentBlockBytes; block * kSegmentBlockBytes < begin + bytes.size(); ++block) {
    // What is read and not mapped is written by the thread that verifies it.
    if (verified_[block].load(std::memory_order_acquire) != 0) continue;
    const auto [at, count] = PlaceOf(block);
    Status status = file_->Fetch(at, count);
    if (!status.ok()) return status;
    if (!IsBlockSound(block, file_->bytes().substr(at, count)))
      return Corrupt(block * kSegmentBlockBytes, "checksum of the block");
    verified_[block].store(1, std::memory_order_release);
  }
  return {};
}

Status SegmentFile::VerifyAgain() const {
  std::string room;
  for (size_t block = 0; block < block_count_; ++block) {
    const auto [at, count] = PlaceOf(block);
    const auto bytes = file_->Reread(at, count, &room);
    if (!bytes.ok()) return bytes.status();
    if (!IsBlockSound(block, bytes.value())) return Corrupt(block * kSegmentBlockBytes, "checksum of the block");
  }
  return {};
}

}  // namespace freshdex::index

// A segment: an immutable, checksummed file of arrays, mapped into memory for reading.
//
// Little endian:
//
//   OFFSET  SIZE    MEANING
//   0       8       magic "fdexseg" and a zero byte
//   8       2       format version, 7
//   10      2       kind (SegmentKind)
//   12      4       zero
//   16      16      id of the index, the same in all its files: a file of another index is noticed
//   32      8       number of the file, as in its name: a file under another's name is noticed
//   40      ...     sections, each starting at a multiple of 8, gaps filled with zeros
//   D       24*S    section table: u32 id, u32 zero, u64 offset, u64 bytes
//   ...     4*B     block table: for each 16 KiB of [0, D) the low half of XXH64(block, seed = file number)
//   E       8       D
//   E+8     4       S
//   E+12    4       B
//   E+16    8       XXH64 of both tables and of the 16 bytes before, seed = file number
//   E+24    8       magic with all bits inverted: the last bytes of the file
//
// Header (byte by byte), footer and tables are verified when the file is opened; a block when it is first touched
// (Verify). A decoder still checks every length it reads: a checksum says that bytes are as they were written, not that
// they make sense.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "native/base/files.h"
#include "native/base/status.h"

namespace freshdex::index {

// On disk: do not renumber.
enum class SegmentKind : uint16_t {
  kPartition = 1,
  kRun = 2,
  kRecords = 3,
  kTerms = 4,
  kDocuments = 5,
  kPhraseRegistry = 6,
  kPhrasePartition = 7,
  kPhraseRun = 8,
  kColumns = 9,
  kWords = 10,
};
inline constexpr SegmentKind kLastSegmentKind = SegmentKind::kWords;

struct IndexId {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const IndexId&) const = default;
};

struct SegmentName {
  IndexId index;
  SegmentKind kind;
  uint64_t number = 0;
};

inline constexpr size_t kSegmentBlockBytes = 16384;

// "0000000000000007.seg": names come from numbers only, never from what a user wrote.
std::string SegmentFileName(uint64_t number);

// Collects sections and writes them as one file: created, written, synced. The folder is the caller's to sync.
class SegmentWriter {
 public:
  explicit SegmentWriter(const SegmentName& name);

  // Sections are told apart by ids of the kind's own choosing.
  void Add(uint32_t id, std::string_view bytes);
  template <typename T>
  void AddArray(uint32_t id, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    Add(id, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  Status WriteTo(FileSystem* files, const std::string& path);

 private:
  struct Section {
    uint32_t id;
    uint64_t offset;
    uint64_t bytes;
  };

  const SegmentName name_;
  std::string data_;
  std::vector<Section> sections_;
};

// Where readers of one index note the damage they meet. Once there is an entry, no answer of the index is to be
// trusted: whoever answers a user looks here first. Any thread.
class DamageLog {
 public:
  void Note(const Status& status) {
    std::lock_guard lock(mutex_);
    if (first_.ok()) first_ = status;
    has_damage_.store(true, std::memory_order_release);
  }
  bool has_damage() const { return has_damage_.load(std::memory_order_acquire); }
  Status first() const {
    std::lock_guard lock(mutex_);
    return first_;
  }

 private:
  mutable std::mutex mutex_;
  Status first_;
  std::atomic<bool> has_damage_{false};
};

// An open segment. Any thread.
class SegmentFile {
 public:
  // kCorrupt, with file and offset, when anything about the file is not as `name` and the format say.
  static Result<std::shared_ptr<const SegmentFile>> Open(FileSystem* files, const std::string& path,
                                                         const SegmentName& name, std::shared_ptr<DamageLog> damage);

  // The bytes of a section; empty when there is none of this id. Nothing is verified yet.
  std::string_view Section(uint32_t id) const;
  // The same as elements; bytes that make no whole element are left out.
  template <typename T>
  std::span<const T> Array(uint32_t id) const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);
    const std::string_view bytes = Section(id);
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  // kCorrupt when a block that overlaps these bytes of the file is damaged. Each block is hashed once.
  Status Verify(std::string_view bytes) const;
  Status VerifyAll() const { return Verify(file_->bytes().substr(0, data_bytes_)); }
  // The same as the disk has it now, blocks that were sound before included.
  Status VerifyAgain() const;
  // For readers in the middle of a search, who cannot return a Status: false, and an entry in the damage log, for
  // damaged bytes.
  bool IsSound(const void* at, size_t bytes) const;
  // Enters damage that a decoder found; returns false.
  bool NoteDamage(const void* at, const char* what) const;
  void Note(const Status& status) const { damage_->Note(status); }
  uint64_t OffsetOf(const void* at) const {
    return static_cast<uint64_t>(static_cast<const char*>(at) - file_->bytes().data());
  }
  Status Corrupt(uint64_t offset, const std::string& what) const;

  size_t size() const { return file_->bytes().size(); }
  // Whether the operating system takes its memory back when it needs it.
  bool is_mapped() const { return file_->is_mapped(); }
  const std::string& path() const { return path_; }
  const SegmentName& name() const { return name_; }

 private:
  SegmentFile(std::string path, const SegmentName& name, std::shared_ptr<const MappedFile> file,
              std::shared_ptr<DamageLog> damage)
      : path_(std::move(path)), name_(name), file_(std::move(file)), damage_(std::move(damage)) {}
  Status Load();
  struct Place {
    size_t at;
    size_t count;
  };
  Place PlaceOf(size_t block) const {
    const size_t at = block * kSegmentBlockBytes;
    return {at, std::min(kSegmentBlockBytes, data_bytes_ - at)};
  }
  bool IsBlockSound(size_t block, std::string_view bytes) const;

  const std::string path_;
  const SegmentName name_;
  const std::shared_ptr<const MappedFile> file_;
  const std::shared_ptr<DamageLog> damage_;
  uint64_t data_bytes_ = 0;
  size_t section_count_ = 0;
  size_t block_count_ = 0;
  const char* section_table_ = nullptr;
  const char* block_table_ = nullptr;
  mutable std::vector<std::atomic<uint8_t>> verified_;  // per block
};

}  // namespace freshdex::index

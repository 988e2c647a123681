// The only error channel of the core: functions that can fail on what came from outside return Status or Result<T>.
// Asserts are for our own bugs, never for input. No exception is used as control flow; std::bad_alloc is caught once,
// in node/.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace freshdex {

// The names given by CodeName() are part of the public interface (FreshdexError.code).
enum class Code {
  kOk,
  kBatchTooLarge,
  kCorrupt,
  kDiskFull,
  kDocumentTooLarge,
  kDuplicateKey,
  kInternal,
  kInvalidKey,
  kIo,
  kLocked,
  kMalformed,  // bytes from the TypeScript side that break their own format: always a bug or a hostile caller
  kQueryTooComplex,
  kSnapshotInTheWay,  // a replay needs a document number that a living snapshot still shows
  kTermsRenumbered,   // a row of the log has numbers of terms that only newer segments know
  kTooManyTerms,
};

const char* CodeName(Code code);

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {}

  // A failure that belongs to a place in a file.
  Status(Code code, std::string message, std::string file, uint64_t offset)
      : code_(code), message_(std::move(message)), file_(std::move(file)), offset_(offset) {}

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  // Empty when the failure belongs to no file.
  const std::string& file() const { return file_; }
  uint64_t offset() const { return offset_; }

 private:
  Code code_ = Code::kOk;
  std::string message_;
  std::string file_;
  uint64_t offset_ = 0;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}                                  // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }  // NOLINT

  bool ok() const { return status_.ok(); }
  const Status& status() const { return status_; }
  // REQUIRES: ok().
  T& value() {
    assert(value_);
    return *value_;
  }
  const T& value() const {
    assert(value_);
    return *value_;
  }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace freshdex

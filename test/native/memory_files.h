// A file system in memory that remembers every operation, so that a test can fail the n-th one, or ask what a disk
// could look like if the power had gone after the k-th.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/base/files.h"
#include "test/native/exact_block.h"
#include "test/native/random.h"

namespace freshdex::test {

enum class FileOperation { kCreate, kAppend, kSync, kMap, kRemove, kList, kSyncFolder };

class MemoryFiles final : public FileSystem {
 public:
  struct Plan {
    uint64_t at = UINT64_MAX;   // operations from now on that still work
    bool for_ever = false;      // and every later one fails too
    bool writes_short = false;  // an append that fails has written its first half
    bool is_full = false;       // a full disk: from there on appends fail, and nothing else does
  };

  void Fail(const Plan& plan) {
    plan_ = plan;
    plan_.at = plan.at == UINT64_MAX ? plan.at : plan.at + operations_.size();
  }
  void StopFailing() { plan_ = {}; }

  size_t operations() const { return operations_.size(); }
  FileOperation kind(size_t operation) const { return operations_[operation].kind; }
  const std::map<std::string, std::shared_ptr<std::string>>& files() const { return files_; }
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& [path, bytes] : files_) names.insert(path);
    return names;
  }
  // For tests that damage a file: writes behind everybody's back. Who has the file mapped keeps the old bytes.
  void Overwrite(const std::string& path, std::string bytes) {
    base_[path] = bytes;
    files_[path] = std::make_shared<std::string>(std::move(bytes));
  }

  // A copy of the files as they are, without their past.
  std::shared_ptr<MemoryFiles> Copy() const {
    auto copy = std::make_shared<MemoryFiles>();
    for (const auto& [path, bytes] : files_) copy->Overwrite(path, *bytes);
    return copy;
  }

  // What could be found after a loss of power behind the first `count` operations: bytes that were not synced are
  // there, gone, cut off or zeros, and what a folder's sync did not cover happened or did not, each by chance.
  std::shared_ptr<MemoryFiles> AfterPowerLoss(size_t count, Random* random) const;

  Result<std::unique_ptr<WritableFile>> Create(const std::string& path) override {
    if (files_.contains(path)) return Status(Code::kIo, "create '" + path + "': it exists");
    if (!Begin(FileOperation::kCreate, path)) return Failure("create", path);
    files_[path] = std::make_shared<std::string>();
    return std::unique_ptr<WritableFile>(std::make_unique<Writer>(this, path, files_[path]));
  }

  // The bytes lie in a block of exactly their size, for the sanitizer, and outlive the file.
  Result<std::shared_ptr<const MappedFile>> Map(const std::string& path) override {
    if (!Begin(FileOperation::kMap, path)) return Failure("map", path);
    const auto found = files_.find(path);
    if (found == files_.end()) return Status(Code::kIo, "map '" + path + "': there is no such file");
    return std::shared_ptr<const MappedFile>(std::make_shared<Mapped>(*found->second));
  }

  Status Remove(const std::string& path) override {
    if (!Begin(FileOperation::kRemove, path)) return Failure("remove", path);
    return files_.erase(path) == 1 ? Status() : Status(Code::kIo, "remove '" + path + "': there is no such file");
  }

  Result<std::vector<std::string>> List(const std::string& folder) override {
    if (!Begin(FileOperation::kList, folder)) return Failure("list", folder);
    std::vector<std::string> names;
    for (const auto& [path, bytes] : files_) {
      if (path.starts_with(folder + "/")) names.push_back(path.substr(folder.size() + 1));
    }
    return names;
  }

  Status SyncFolder(const std::string& folder) override {
    return Begin(FileOperation::kSyncFolder, folder) ? Status() : Failure("sync", folder);
  }

 private:
  struct Operation {
    FileOperation kind;
    std::string path;
    std::string bytes;  // appended, also by an append that failed half-way
    bool is_done = true;
  };

  class Mapped final : public MappedFile {
   public:
    explicit Mapped(std::string_view bytes) : block_(bytes) { bytes_ = block_.view(); }

   private:
    const ExactBlock block_;
  };

  class Writer final : public WritableFile {
   public:
    Writer(MemoryFiles* files, std::string path, std::shared_ptr<std::string> bytes)
        : files_(files), path_(std::move(path)), bytes_(std::move(bytes)) {}

    Status Append(std::string_view bytes) override {
      const bool is_done = files_->Begin(FileOperation::kAppend, path_);
      if (!is_done) bytes = bytes.substr(0, files_->plan_.writes_short ? bytes.size() / 2 : 0);
      bytes_->append(bytes);
      files_->operations_.back().bytes = bytes;
      return is_done ? Status() : files_->Failure("write", path_);
    }

    Status Sync() override {
      return files_->Begin(FileOperation::kSync, path_) ? Status() : files_->Failure("sync", path_);
    }

   private:
    MemoryFiles* const files_;
    const std::string path_;
    const std::shared_ptr<std::string> bytes_;
  };

  // Notes the operation; false when it is to fail.
  bool Begin(FileOperation kind, const std::string& path) {
    const uint64_t number = operations_.size();
    const bool is_due = number == plan_.at || ((plan_.for_ever || plan_.is_full) && number > plan_.at);
    const bool fails = is_due && (!plan_.is_full || kind == FileOperation::kAppend);
    operations_.push_back({kind, path, {}, !fails});
    return !fails;
  }

  static Status Failure(const char* what, const std::string& path) {
    return Status(Code::kIo, std::string(what) + " '" + path + "': failed for a test");
  }

  std::map<std::string, std::shared_ptr<std::string>> files_;  // by path
  std::map<std::string, std::string> base_;                    // what was there before the first operation
  std::vector<Operation> operations_;
  Plan plan_;
};

inline std::shared_ptr<MemoryFiles> MemoryFiles::AfterPowerLoss(size_t count, Random* random) const {
  struct Content {
    explicit Content(std::string all = {}, size_t synced_bytes = 0) : bytes(std::move(all)), synced(synced_bytes) {}
    std::string bytes;
    size_t synced;
  };
  using State = std::shared_ptr<Content>;            // null: no such file
  std::map<std::string, std::vector<State>> states;  // by path: since its folder was last synced, oldest first
  for (const auto& [path, bytes] : base_) states[path].push_back(std::make_shared<Content>(bytes, bytes.size()));
  for (size_t i = 0; i < count; ++i) {
    const Operation& operation = operations_[i];
    if (operation.kind == FileOperation::kAppend) {
      states[operation.path].back()->bytes += operation.bytes;
    }
    if (!operation.is_done) continue;
    if (operation.kind == FileOperation::kCreate || operation.kind == FileOperation::kRemove) {
      std::vector<State>& history = states[operation.path];
      if (history.empty()) history.push_back(nullptr);
      history.push_back(operation.kind == FileOperation::kCreate ? std::make_shared<Content>() : nullptr);
    } else if (operation.kind == FileOperation::kSync) {
      Content& content = *states[operation.path].back();
      content.synced = content.bytes.size();
    } else if (operation.kind == FileOperation::kSyncFolder) {
      for (auto& [path, history] : states) {
        if (path.starts_with(operation.path + "/")) history.erase(history.begin(), history.end() - 1);
      }
    }
  }
  auto image = std::make_shared<MemoryFiles>();
  for (const auto& [path, history] : states) {
    const State& state = random->Pick(history);
    if (!state) continue;
    std::string bytes = state->bytes;
    const uint64_t fate = random->Below(4);
    const size_t torn = random->Between(state->synced, bytes.size());
    if (fate == 1) bytes.resize(state->synced);
    if (fate == 2) bytes.resize(torn);
    if (fate == 3) std::memset(bytes.data() + torn, 0, bytes.size() - torn);
    image->Overwrite(path, std::move(bytes));
  }
  return image;
}

}  // namespace freshdex::test

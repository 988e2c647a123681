#include "native/node/search_job.h"

#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "native/node/failure.h"
#include "native/node/reader.h"

namespace freshdex::node {
namespace {

// A smaller result is copied while the event loop waits.
constexpr size_t kCopiedAtOnce = size_t{1} << 20;

// Copies a large result into memory of JavaScript: a million hits would hold the event loop for some tens of
// milliseconds. Deletes itself when it is done.
class CopyJob : public Napi::AsyncWorker {
 public:
  // REQUIRES: the buffer has as many bytes, and nobody else knows of it.
  CopyJob(Napi::Env env, std::string bytes, Napi::ArrayBuffer buffer, const Napi::Promise::Deferred& deferred)
      : Napi::AsyncWorker(env, "freshdex copy"),
        bytes_(std::move(bytes)),
        data_(static_cast<char*>(buffer.Data())),
        buffer_(Napi::Persistent(buffer.As<Napi::Object>())),
        deferred_(deferred) {}

 protected:
  void Execute() override {
    std::memcpy(data_, bytes_.data(), bytes_.size());
    // Giving back so much memory takes time, too.
    std::string().swap(bytes_);
  }

  void OnOK() override {
    const Napi::HandleScope scope(Env());
    deferred_.Resolve(buffer_.Value());
  }

 private:
  std::string bytes_;
  char* const data_;
  const Napi::ObjectReference buffer_;
  const Napi::Promise::Deferred deferred_;
};

// Deletes itself when it is done.
class SearchJob : public Napi::AsyncWorker {
 public:
  SearchJob(Napi::Env env, std::shared_ptr<const Core> core, std::shared_ptr<const index::Snapshot> snapshot,
            SearchCall call)
      : Napi::AsyncWorker(env, "freshdex search"),
        core_(std::move(core)),
        snapshot_(std::move(snapshot)),
        call_(std::move(call)),
        wire_(call_.wire),
        columns_wire_(call_.columns_wire),
        is_cancelled_(std::make_shared<std::atomic<bool>>(false)),
        deferred_(Napi::Promise::Deferred::New(env)) {
    // The caller's memory may change while the job waits.
    call_.wire = wire_;
    call_.columns_wire = columns_wire_;
    // Once it is cancelled, nobody wants the outcome any more.
    call_.is_out_of_time = [is_cancelled = is_cancelled_, is_late = std::move(call_.is_out_of_time)] {
      return is_cancelled->load() || (is_late && is_late());
    };
  }

  Napi::Promise promise() const { return deferred_.Promise(); }
  std::shared_ptr<std::atomic<bool>> is_cancelled() const { return is_cancelled_; }

 protected:
  void Execute() override {
    if (*is_cancelled_) return;
    failure_ = Catching([&]() -> Failure { return AnswerSearch(*core_, *snapshot_, &call_, nullptr, {}, &encoded_); });
  }

  void OnOK() override {
    const Napi::HandleScope scope(Env());
    if (*is_cancelled_) return deferred_.Resolve(Env().Undefined());
    if (failure_.failed()) return deferred_.Reject(ToError(Env(), failure_).Value());
    if (encoded_->size() > kCopiedAtOnce) return ResolveLater();
    const Napi::Value value = ToArrayBuffer(Env(), *encoded_);
    if (!value.IsEmpty()) deferred_.Resolve(value);
  }

  void ResolveLater() {
    const Napi::ArrayBuffer buffer = Napi::ArrayBuffer::New(Env(), encoded_->size());
    if (!buffer.IsEmpty()) (new CopyJob(Env(), *std::move(encoded_), buffer, deferred_))->Queue();
  }

 private:
  const std::shared_ptr<const Core> core_;
  const std::shared_ptr<const index::Snapshot> snapshot_;
  SearchCall call_;
  const std::string wire_;
  const std::string columns_wire_;
  const std::shared_ptr<std::atomic<bool>> is_cancelled_;
  const Napi::Promise::Deferred deferred_;
  Failure failure_;
  std::optional<std::string> encoded_;
};

}  // namespace

Napi::Value SearchAsyncIn(const Napi::CallbackInfo& info, std::shared_ptr<const Core> core,
                          std::shared_ptr<const index::Snapshot> snapshot) {
  return Guarded(info.Env(), [&](Napi::Value* value) -> Failure {
    SearchCall call;
    if (!ReadSearchCall(info, &call)) return {};
    Napi::Object result = Napi::Object::New(info.Env());
    if (result.IsEmpty()) return {};
    auto job = std::make_unique<SearchJob>(info.Env(), std::move(core), std::move(snapshot), std::move(call));
    const auto is_cancelled = job->is_cancelled();
    result.Set("promise", job->promise());
    result.Set("cancel",
               Napi::Function::New(info.Env(), [is_cancelled](const Napi::CallbackInfo&) { *is_cancelled = true; }));
    job.release()->Queue();
    *value = result;
    return {};
  });
}

}  // namespace freshdex::node

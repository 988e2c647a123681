// The one thread on which an index is written. JavaScript posts jobs and gets promises; folding and merging run here
// too, between jobs.
//
// The process stays alive while a job is outstanding and may end when none is. Shutdown() lets the running job end and
// drops the rest; it happens at close(), when the handle is collected, or when the environment ends, whichever is
// first.
#pragma once

#include <napi.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "native/node/failure.h"

namespace freshdex::node {

// What a job gives back. `make` runs on the JavaScript thread; it returns an empty value when the environment is
// ending. Without it the promise resolves to undefined.
struct JobResult {
  Failure failure;
  std::function<Napi::Value(Napi::Env)> make;
};

class WriterThread {
 public:
  using Work = std::function<JobResult()>;

  // `idle_work` runs after every job; it returns false when nothing is left to do. `on_settled` runs on the JavaScript
  // thread, `on_busy` and `on_idle` when the first job is posted and the last one settled.
  WriterThread(Napi::Env env, std::function<bool()> idle_work, std::function<void()> on_busy,
               std::function<void()> on_idle);
  ~WriterThread() { Shutdown(); }
  WriterThread(const WriterThread&) = delete;
  WriterThread& operator=(const WriterThread&) = delete;

  // JavaScript thread. REQUIRES: not shut down.
  Napi::Promise Post(Work work);
  // JavaScript thread; idempotent.
  void Shutdown();

 private:
  struct Job {
    explicit Job(Napi::Env env) : deferred(Napi::Promise::Deferred::New(env)) {}
    Napi::Promise::Deferred deferred;
    Work work;
    JobResult result;
  };

  void Start();
  void Loop();
  static void Settle(napi_env env, napi_value, void* context, void* data);
  static void OnEnvironmentEnd(void* self) { static_cast<WriterThread*>(self)->Shutdown(); }

  const Napi::Env env_;
  const std::function<bool()> idle_work_;
  const std::function<void()> on_busy_;
  const std::function<void()> on_idle_;

  // JavaScript thread only.
  napi_threadsafe_function settle_ = nullptr;
  std::thread thread_;
  size_t outstanding_ = 0;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::unique_ptr<Job>> queue_;  // guarded by mutex_
  bool is_stopping_ = false;                // guarded by mutex_
};

}  // namespace freshdex::node

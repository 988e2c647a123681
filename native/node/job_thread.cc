#include "native/node/job_thread.h"

#include "native/node/timed_observer.h"

namespace freshdex::node {

JobThread::JobThread(Napi::Env env, std::string name, IdleWork idle_work, std::function<void()> on_busy,
                     std::function<void()> on_idle)
    : env_(env),
      name_(std::move(name)),
      idle_work_(std::move(idle_work)),
      on_busy_(std::move(on_busy)),
      on_idle_(std::move(on_idle)) {}

// Called with the first job: an index that is only opened and closed costs no thread.
void JobThread::Start() {
  const Napi::String name = Napi::String::New(env_, name_);
  napi_create_threadsafe_function(env_, nullptr, nullptr, name, 0, 1, nullptr, nullptr, this, Settle, &settle_);
  // Only a job that somebody waits for keeps the process alive; a thread that is started for its idle work does not.
  napi_unref_threadsafe_function(env_, settle_);
  // Cleanup hooks run last in, first out: this one, being younger, before the environment takes the function away.
  napi_add_env_cleanup_hook(env_, OnEnvironmentEnd, this);
  thread_ = std::thread([this] { Loop(); });
}

Napi::Promise JobThread::Post(Work work) {
  if (!thread_.joinable()) Start();
  here_ms_ = 0;
  auto job = std::make_unique<Job>(env_);
  job->work = std::move(work);
  const Napi::Promise promise = job->deferred.Promise();
  if (outstanding_++ == 0) {
    napi_ref_threadsafe_function(env_, settle_);
    on_busy_();
  }
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(job));
  }
  wake_.notify_one();
  return promise;
}

Napi::Promise JobThread::RunOrPost(Work work) {
  if (here_ms_ > kMostHereMs || !IsResting()) return Post(std::move(work));
  const Stopwatch watch;
  Job job(env_);
  job.work = std::move(work);
  const Napi::Promise promise = job.deferred.Promise();
  Run(&job);
  SettleJob(&job);
  here_ms_ += watch.Ms();
  if (idle_work_.is_due()) {
    if (!thread_.joinable()) Start();
    {
      std::lock_guard lock(mutex_);
      wants_idle_work_ = true;
    }
    wake_.notify_one();
  }
  return promise;
}

bool JobThread::IsResting() {
  std::lock_guard lock(mutex_);
  return !is_working_ && !wants_idle_work_ && queue_.empty();
}

void JobThread::Run(Job* job) {
  job->result.failure = Catching([&]() -> Failure {
    job->result = job->work();
    return job->result.failure;
  });
  job->work = nullptr;  // frees what it holds here, not where the job is settled
}

void JobThread::Loop() {
  for (;;) {
    std::unique_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      is_working_ = false;
      wake_.wait(lock, [this] { return is_stopping_ || wants_idle_work_ || !queue_.empty(); });
      if (is_stopping_) return;
      is_working_ = true;
      wants_idle_work_ = false;
      if (!queue_.empty()) {
        job = std::move(queue_.front());
        queue_.pop_front();
      }
    }
    if (job) {
      Run(job.get());
      // Before whoever waits is told, so that the time of a job is known when its promise resolves.
      spent_us_ = ThreadCpuUs();
      if (napi_call_threadsafe_function(settle_, job.get(), napi_tsfn_nonblocking) == napi_ok) job.release();
    }
    for (;;) {
      {
        std::lock_guard lock(mutex_);
        if (is_stopping_) return;
      }
      // Work that memory is missing for is left: there is time for it after a later job.
      bool is_more = false;
      (void)Catching([&]() -> Failure {
        is_more = idle_work_.step();
        return {};
      });
      if (!is_more) break;
      spent_us_ = ThreadCpuUs();
    }
  }
}

void JobThread::Settle(napi_env env, napi_value, void* context, void* data) {
  const std::unique_ptr<Job> job(static_cast<Job*>(data));
  if (env == nullptr) return;  // the environment is ending: nobody waits for the promise
  JobThread* self = static_cast<JobThread*>(context);
  const Napi::Env napi(env);
  const Napi::HandleScope scope(napi);
  const bool is_last = --self->outstanding_ == 0;
  if (is_last) napi_unref_threadsafe_function(env, self->settle_);
  self->SettleJob(job.get());
  // Last, because it may let the handle, and this object with it, be collected.
  if (is_last) self->on_idle_();
}

void JobThread::SettleJob(Job* job) {
  JobResult& result = job->result;
  if (result.failure.failed()) {
    job->deferred.Reject(ToError(env_, result.failure).Value());
    return;
  }
  const Napi::Value value = result.make ? result.make(env_) : env_.Undefined();
  // Else the worker is being terminated: nobody waits for the promise.
  if (!value.IsEmpty()) job->deferred.Resolve(value);
}

void JobThread::Shutdown() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
  queue_.clear();
  napi_remove_env_cleanup_hook(env_, OnEnvironmentEnd, this);
  // Aborting drops calls that are queued but not yet delivered; their jobs come back to Settle() with a null
  // environment.
  napi_release_threadsafe_function(settle_, napi_tsfn_abort);
}

}  // namespace freshdex::node

// io: what is done with a file, in another thread.
#include <optional>
#include <unistd.h>

#include "files.h"

namespace thalweg::io {

using namespace tame::detail;

namespace {

class PoolCall final : public FileCall {
  public:
    explicit PoolCall(FileWork &&work) : work_(std::move(work)) { call_.emplace(Made{*this}); }
    ~PoolCall() {
        call_.reset();  // made, or taken back
        if (result_ && result_->fd >= 0)
            close(result_->fd);
        if (!result_ && work_.kind == FileWork::Kind::close)
            close(work_.fd);
    }
    std::coroutine_handle<> begin(std::coroutine_handle<> function) override { return call_->await_suspend(function); }
    void drop() noexcept override { delete this; }
    FileResult take() override {
        call_->await_resume();
        const FileResult result = *result_;
        result_->fd = -1;
        return result;
    }

  private:
    struct Made {
        PoolCall &own;
        void operator()() const { own.result_ = do_now(own.work_); }
    };

    FileWork work_;
    std::optional<FileResult> result_;  // none: it was not made
    std::optional<Blocking<Made>> call_;
};

}  // namespace

FileCallOwner make_pool_call(FileWork &&work) { return FileCallOwner(new PoolCall(std::move(work))); }

}  // namespace thalweg::io

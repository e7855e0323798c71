// driver: the standard input of several runs: all get the same bytes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/result.h"
#include "base/temporary.h"

namespace thalweg::driver {

// What a run reads of a pipe is gone for the next one. So what comes from there during the first run is kept in a file, which the
// others get. Nothing is read before a run wants it: a pipe into which nobody ever writes holds nothing up.
//
// | standard input, or the file of --stdin | the first run | the others |
// |---|---|---|
// | a file | the file from where it stands on | the same |
// | a pipe, a socket | a pipe, into which goes what comes | a file with what came |
// | a terminal | /dev/null: what is typed can't be given twice | /dev/null |
// | closed, /dev/null, another device | the device, /dev/null where it is closed | the same |
class KeptInput {
  public:
    // `named`: the word of --stdin; empty: our own standard input.
    static Result<KeptInput> of(const std::string &named);

    // The first run is to read from here; others open `path` once this is stopped.
    bool is_stream() const { return stream_ >= 0; }
    // Begins to hand on and to keep what comes. The result is a pipe's end for the first run, and stays ours.
    Result<int> start();
    // The first run has ended.
    Status stop();

    const std::string &path() const { return path_; }

    KeptInput(KeptInput &&other) noexcept;
    KeptInput &operator=(KeptInput &&) = delete;
    ~KeptInput();

  private:
    KeptInput() = default;

    class Tee;
    std::string path_ = "/dev/null";
    int stream_ = -1;  // what is handed on, as long as it isn't stopped
    std::optional<TemporaryFile> file_;  // with what came
    std::unique_ptr<Tee> tee_;
};

}  // namespace thalweg::driver

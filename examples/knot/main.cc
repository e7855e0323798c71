// examples: Knot, a web server for static files (paper tame-usenix07, section 8.1), a loop on each of its threads
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/io.h>

#include "knot/server.h"

namespace {

using namespace thalweg::tame;

struct Options {
    std::string root, address = "127.0.0.1";
    uint16_t port = 8080;
    unsigned threads = 1;
    size_t cache_mb = 256;
    knot::Limits limits;
};

// For the loop, its listener and the files that are read meanwhile.
constexpr size_t kOtherDescriptors = 24;

// A connection is a descriptor: as many as this process may have, dealt out to its threads.
size_t allow_all_descriptors(unsigned threads) {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    const size_t each = limit.rlim_cur / threads;
    return each > kOtherDescriptors ? each - kOtherDescriptors : 1;
}

// A loop, and the server that it runs; both are this thread's.
class Worker {
  public:
    Worker(const Options &options, uint16_t port)
        : server_(listener(options.address, port, {.reuse_port = options.threads > 1}), options.root,
                  options.cache_mb << 20, options.limits) {}

    uint16_t port() const { return server_.port(); }
    thalweg::Loop &loop() { return loop_; }
    void run() { loop_.run(); }
    tamed<> end() {
        rendezvous<> r;
        server_.stop(mkevent(r));
        co_await r;
        loop_.stop();
    }

  private:
    thalweg::Loop loop_;
    knot::Server server_;
};

// The others run in threads of their own, until they are told to end.
class OtherWorker {
  public:
    OtherWorker(const Options &options, uint16_t port) : thread_([&options, port, this] { run(options, port); }) {
        worker_ = made_.get_future().get();
    }
    OtherWorker(const OtherWorker &) = delete;
    OtherWorker &operator=(const OtherWorker &) = delete;
    ~OtherWorker() {
        if (worker_)
            worker_->loop().post([worker = worker_] { worker->end(); });
        thread_.join();
    }

  private:
    void run(const Options &options, uint16_t port) {
        std::optional<Worker> worker;
        try {
            worker.emplace(options, port);
        } catch (const std::exception &error) {
            std::fprintf(stderr, "knot: %s\n", error.what());
        }
        made_.set_value(worker ? &*worker : nullptr);
        if (worker)
            worker->run();
    }

    std::promise<Worker *> made_;
    std::thread thread_;
    Worker *worker_ = nullptr;
};

tamed<> wait_for_the_end(Worker &worker) {
    rendezvous<> r;
    wait_on_signal(SIGINT, mkevent(r));
    wait_on_signal(SIGTERM, mkevent(r));
    co_await r;
    r.cancel();
    worker.end();
}

int serve(Options options) {
    options.limits.connections = allow_all_descriptors(options.threads);
    Worker worker(options, options.port);
    wait_for_the_end(worker);  // before there are other threads, so that they have the signals blocked too
    std::vector<std::unique_ptr<OtherWorker>> others;
    for (unsigned i = 1; i < options.threads; ++i)
        others.push_back(std::make_unique<OtherWorker>(options, worker.port()));
    std::printf("knot: http://%s:%u/ serves %s (%s, %u thread%s)\n", options.address.c_str(),
                static_cast<unsigned>(worker.port()), options.root.c_str(),
                chosen_io().kind == io_kind::io_uring ? "io_uring" : "epoll", options.threads,
                options.threads == 1 ? "" : "s");
    std::fflush(stdout);
    worker.run();
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    Options options;
    CLI::App app("Knot serves the files of a folder.");
    app.add_option("--root", options.root, "the folder")->required()->check(CLI::ExistingDirectory);
    app.add_option("--port", options.port, "0: any that is free");
    app.add_option("--address", options.address, "a numeric address");
    app.add_option("--threads", options.threads, "a loop on each, at one port")->check(CLI::Range(1, 256));
    app.add_option("--cache", options.cache_mb, "MiB of files that each thread keeps in memory")
        ->check(CLI::Range(1, 1 << 20));
    app.add_option("--limit", options.limits.seconds, "seconds for a request, and for each 256 KiB of an answer")
        ->check(CLI::Range(1, 3600));
    app.footer("THALWEG_IO=epoll or io_uring decides what its loops use.");
    CLI11_PARSE(app, argc, argv);
    try {
        return serve(options);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "knot: %s\n", error.what());
        return 1;
    }
}

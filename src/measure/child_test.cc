// measure: tests of running a child, with real programs.
#include "measure/child.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

namespace thalweg::measure {
namespace {

class Child : public testing::Test {
  protected:
    Child() {
        char name[] = "/tmp/thalweg-child-XXXXXX";
        directory_ = mkdtemp(name);
    }
    ~Child() override { std::filesystem::remove_all(directory_); }

    Result<ChildRun> shell(const std::string &script, Command command = {}) {
        command.argv = {"/bin/sh", "-c", script};
        return run_child(command, out(), err());
    }
    std::string out() const { return directory_ + "/out"; }
    std::string err() const { return directory_ + "/err"; }
    static std::string content(const std::string &path) {
        std::stringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
    std::string directory_;
};

TEST_F(Child, the_time_in_which_others_ran_is_told_and_that_of_sleeping_is_not) {
    // Two on one processor: each is kept waiting for as long as the other runs.
    const Result<ChildRun> run =
        shell("taskset -p -c 0 $$ >/dev/null; (i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done) & "
              "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; wait");
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_GT(run->times.queued_s, run->times.user_s / 8);
    const Result<ChildRun> asleep = shell("sleep 0.3");
    ASSERT_TRUE(asleep) << asleep.error().message;
    EXPECT_GT(asleep->times.wall_s - asleep->times.queued_s, 0.2);
}

TEST_F(Child, its_output_and_its_exit_code_are_caught) {
    const Result<ChildRun> run = shell("echo seen; echo complaint >&2; exit 3");
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->exit_code, 3);
    EXPECT_EQ(ending_of(*run), "exit 3");
    EXPECT_EQ(content(out()), "seen\n");
    EXPECT_EQ(content(err()), "complaint\n");
}

TEST_F(Child, a_signal_is_told_from_an_exit_code) {
    const Result<ChildRun> run = shell("kill -SEGV $$");
    ASSERT_TRUE(run);
    EXPECT_EQ(run->signal, SIGSEGV);
    EXPECT_EQ(ending_of(*run), "signal 11 (Segmentation fault)");
}

TEST_F(Child, time_spent_is_time_counted) {
    const Result<ChildRun> busy = shell("i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done");
    const Result<ChildRun> asleep = shell("sleep 0.2");
    ASSERT_TRUE(busy && asleep);
    EXPECT_GT(busy->times.user_s, asleep->times.user_s);
    EXPECT_GE(asleep->times.wall_s, 0.2);
    EXPECT_GT(busy->times.max_rss_kib, 100u);
}

// Gone, or dead and waited for by nobody.
bool lives(const std::string &process) {
    std::ifstream stat("/proc/" + process + "/stat");
    std::string id, name, state;
    return (stat >> id >> name >> state) && state != "Z";
}

TEST_F(Child, one_that_hangs_is_killed_with_all_that_it_started) {
    Command command;
    command.timeout_s = 1;
    const Result<ChildRun> run = shell("sleep 60 & echo $!; sleep 60", command);
    ASSERT_TRUE(run);
    EXPECT_TRUE(run->timed_out);
    EXPECT_LT(run->times.wall_s, 30);
    const std::string started = content(out());
    ASSERT_NE(started, "");
    const std::string process = started.substr(0, started.find('\n'));
    for (int i = 0; i < 100 && lives(process); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(lives(process));
}

TEST_F(Child, one_that_ends_in_time_is_not_killed) {
    Command command;
    command.timeout_s = 60;
    const Result<ChildRun> run = shell("exit 0", command);
    ASSERT_TRUE(run);
    EXPECT_FALSE(run->timed_out);
}

TEST_F(Child, input_and_environment_reach_it) {
    std::ofstream(directory_ + "/in") << "from the file";
    Command command;
    command.stdin_path = directory_ + "/in";
    command.environment = {{"THALWEG_TEST_WORD", "from the environment"}};
    ASSERT_TRUE(shell("cat; echo; echo $THALWEG_TEST_WORD", command));
    EXPECT_EQ(content(out()), "from the file\nfrom the environment\n");
}

TEST_F(Child, a_program_that_is_not_there_is_an_error_in_words) {
    Command command;
    command.argv = {directory_ + "/nothing"};
    const Result<ChildRun> run = run_child(command, out(), err());
    ASSERT_FALSE(run);
    EXPECT_NE(run.error().message.find("nothing: No such file"), std::string::npos) << run.error().message;
}

}  // namespace
}  // namespace thalweg::measure

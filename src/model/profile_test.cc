// model: profiles are written and read back; damaged files are refused, never crash.
#include "model/profile.h"

#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/file.h"
#include "model/arbitrary_test.h"
#include "model/sqlite.h"

namespace thalweg::model {
namespace {

using testing::HasSubstr;

class Folder {
  public:
    Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("thalweg_profile_test_{}", getpid())) {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string operator/(const char *name) const { return path_ / name; }
    size_t files() const {
        return static_cast<size_t>(
            std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
    }

  private:
    std::filesystem::path path_;
};

Profile small_profile() {
    Profile profile{.program = "server", .build_id = "b1", .command = "./server"};
    profile.sites = {{"raise", 0, UINT64_MAX, SiteKind::event, {"a.cc", 1, 2}}};
    profile.symbols = {{"f", true, true, 7, 30, {}}, {"state", false, true, 0, 0, {}}};
    profile.events = {{"A", SiteKind::event, 10, 1}, {"B", SiteKind::event, 5, 0}};
    profile.edges = {{0, 1, RaiseMode::sync, 4}};
    profile.sequences = {{0, 0, {{0, 1, 8, 0}, {none, none, 0, 1}}, false, 10}};
    profile.nestings = {{0, 0, 1, 0, 1, 0, RaiseMode::sync, 5}};
    profile.guards = {{1, "A", 3, 1}};
    profile.functions = {{{"encode", UINT64_MAX, 60, {"a.c", 4, 0}, {1, 0}}, 40}, {{"put", 4, 9, {}, {}}, 0}};
    profile.facts = {{0, FactKind::load, 2, 8, Steers::call, {"a.c", 9, 1}, 12, false, {{0, 0, 8}, {none, 0, 4}}},
                     {1, FactKind::argument, 0, 4, Steers::choice, {}, 40, true, {}},
                     {1, FactKind::load, 0, 4, Steers::branch, {}, 3, false, {}, CallPlace{0, 5, {"a.c", 11, 7}}}};
    profile.coverage = {15, 15, 0, 1, 1, 1};
    return profile;
}

Profile with_system_calls() {
    Profile profile = small_profile();
    profile.sites.push_back({"copy", 0, 9, SiteKind::call, {}, "read"});
    profile.system_calls = {{1, 10, 0, 0, 0, 80, 80, 4, 900}};
    profile.system_call_edges = {{1, 1, 9, 9, 9, 0, 0, 3, 600, 150}};
    profile.call_clock = CallClock::probes;
    return profile;
}

std::string problem_of(std::string_view bytes) {
    Result<Profile> profile = profile_from_bytes(bytes);
    return profile ? "none" : profile.error().message;
}

TEST(Profile, reads_back_what_was_written_to_a_file) {
    Folder folder;
    ASSERT_TRUE(write_profile(small_profile(), folder / "day.profile"));
    Result<Profile> back = read_profile(folder / "day.profile");
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, small_profile());
    EXPECT_EQ(folder.files(), 1u);
}

TEST(Profile, any_valid_one_reads_back_and_has_the_same_bytes_twice) {
    EXPECT_TRUE(rc::check([] {
        Profile profile = arbitrary::profile();
        Result<std::string> bytes = profile_bytes(profile);
        RC_ASSERT(bool(bytes));
        RC_ASSERT(*profile_bytes(profile) == *bytes);
        Result<Profile> back = profile_from_bytes(*bytes);
        RC_ASSERT(bool(back));
        RC_ASSERT(*back == profile);
    }));
}

TEST(Profile, is_never_lost_when_the_new_one_cannot_be_written) {
    Folder folder;
    ASSERT_TRUE(write_profile(small_profile(), folder / "day.profile"));
    Profile larger = small_profile();
    larger.command.assign(500000, 'x');
    // The file size limit stands in for a full disk: writing fails half way.
    rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit tight{100000, before.rlim_max};
    auto *old = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight);
    Status status = write_profile(larger, folder / "day.profile");
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, old);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("day.profile: File too large"));
    EXPECT_EQ(*read_profile(folder / "day.profile"), small_profile());
    EXPECT_EQ(folder.files(), 1u);
}

TEST(Profile, cannot_be_written_where_no_file_can_be) {
    Status status = write_profile(small_profile(), "/proc/day.profile");
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr("/proc/day.profile"));
}

TEST(Profile, damaged_anywhere_is_refused_or_still_valid) {
    std::string bytes = *profile_bytes(small_profile());
    EXPECT_TRUE(rc::check([&] {
        std::string damaged = bytes;
        for (uint32_t i = 0, count = 1 + arbitrary::below(8); i < count; ++i)
            damaged[arbitrary::below(damaged.size())] = *rc::gen::arbitrary<char>();
        if (arbitrary::small() == 0)
            damaged.resize(arbitrary::below(damaged.size()));
        Result<Profile> profile = profile_from_bytes(damaged);
        if (profile)
            RC_ASSERT(bool(validate(*profile)));
    }));
}

TEST(Profile, that_is_no_profile_is_refused) {
    EXPECT_THAT(problem_of(""), HasSubstr("empty"));
    EXPECT_NE(problem_of(std::string(5000, 'x')), "none");
    sqlite::Database other;
    other.run("CREATE TABLE sites (id)");
    EXPECT_THAT(problem_of(other.bytes()), HasSubstr("not a profile of Thalweg"));
}

// What somebody could do to a profile with SQLite's own tool.
std::string tampered(const std::string &statements, const Profile &profile = small_profile()) {
    sqlite::Database database;
    std::string bytes = *profile_bytes(profile);
    auto *copy = static_cast<unsigned char *>(sqlite3_malloc64(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), copy);
    sqlite3_deserialize(database.handle(), "main", copy, static_cast<sqlite3_int64>(bytes.size()),
                        static_cast<sqlite3_int64>(bytes.size()),
                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
    database.run(statements);
    EXPECT_EQ(database.problem(), "");
    return database.bytes();
}

TEST(Profile, of_a_newer_version_is_read_as_long_as_it_says_that_it_can_be) {
    const std::string newer = fmt::format("PRAGMA user_version = {};", Profile::version + 1);
    EXPECT_EQ(problem_of(tampered(newer + "CREATE TABLE more (a)")), "none");
    const std::string needed =
        fmt::format("UPDATE meta SET value = {} WHERE key = 'minimum_reader'", Profile::version + 1);
    EXPECT_THAT(problem_of(tampered(newer + needed)), HasSubstr("use a newer tool"));
    EXPECT_THAT(problem_of(tampered("PRAGMA user_version = 0")), HasSubstr("record again"));
}

TEST(Profile, with_another_schema_is_refused_before_anything_of_it_runs) {
    EXPECT_THAT(
        problem_of(tampered("DROP TABLE sites; CREATE VIEW sites AS WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL "
                            "SELECT id + 1 FROM n) SELECT id, 'f', 0, 0, 0, '', 0, 0 FROM n")),
        HasSubstr("no table sites"));
    EXPECT_THAT(problem_of(tampered("ALTER TABLE sites ADD COLUMN more")), HasSubstr("sites is not ours"));
}

TEST(Profile, with_wrong_values_is_refused) {
    EXPECT_THAT(problem_of(tampered("UPDATE edges SET \"to\" = 7")), HasSubstr("edges[0]: to 7, but there are 2"));
    EXPECT_THAT(problem_of(tampered("UPDATE events SET raises = -1")), HasSubstr("out of range"));
    EXPECT_THAT(problem_of(tampered("UPDATE symbols SET name = x'00' WHERE id = 0")), HasSubstr("is not a text"));
    EXPECT_THAT(problem_of(tampered("UPDATE targets SET position = 5 WHERE position = 0")), HasSubstr("fits nowhere"));
    EXPECT_THAT(problem_of(tampered("UPDATE edges SET mode = 9")), HasSubstr("its mode is unknown"));
    EXPECT_THAT(problem_of(tampered("UPDATE targets SET function = 1")), HasSubstr("a variable, not a function"));
    EXPECT_THAT(problem_of(tampered("UPDATE coverage SET recorded = 16")), HasSubstr("recorded 16 of 15"));
    EXPECT_THAT(problem_of(tampered("UPDATE calls SET callee = 2")), HasSubstr("callee 2, but there are 2"));
    EXPECT_THAT(problem_of(tampered("UPDATE calls SET caller = 2")), HasSubstr("which is not there"));
    EXPECT_THAT(problem_of(tampered("UPDATE facts SET function = 2")), HasSubstr("function 2, but there are 2"));
    EXPECT_THAT(problem_of(tampered("UPDATE facts SET kind = 3")), HasSubstr("kind is unknown"));
    EXPECT_THAT(problem_of(tampered("UPDATE facts SET varies = 1 WHERE id = 0")), HasSubstr("has 2 values"));
    EXPECT_THAT(problem_of(tampered("UPDATE facts SET width = 4")), HasSubstr("an address has 8 bytes"));
    EXPECT_THAT(problem_of(tampered("UPDATE fact_values SET symbol = 2")), HasSubstr("symbol 2, but there are 2"));
    EXPECT_THAT(problem_of(tampered("UPDATE fact_values SET fact = 3")), HasSubstr("which is not there"));
    EXPECT_THAT(problem_of(tampered("UPDATE fact_calls SET fact = 3")), HasSubstr("which is not there"));
    EXPECT_THAT(
        problem_of(tampered(
            "INSERT INTO fact_calls SELECT id + 1, fact, caller, ordinal, file, line, \"column\" FROM fact_calls")),
        HasSubstr("fits nowhere"));
    EXPECT_THAT(problem_of(tampered("UPDATE fact_calls SET fact = 1")), HasSubstr("only what is loaded"));
    EXPECT_THAT(problem_of(tampered("UPDATE fact_calls SET caller = 2")), HasSubstr("caller 2, but there are 2"));
}

Profile with_times() {
    Profile profile = with_system_calls();
    profile.events[0].time = {7, 900, 80, 600, 90};
    return profile;
}

TEST(Profile, keeps_the_times_of_events_and_knows_none_of_those_that_were_not_timed) {
    const Result<Profile> profile = profile_from_bytes(*profile_bytes(with_times()));
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->events[0].time, (EventTime{7, 900, 80, 600, 90}));
    const std::string older = "PRAGMA user_version = 7; DROP TABLE event_times";
    const Result<Profile> untimed = profile_from_bytes(tampered(older, with_times()));
    ASSERT_TRUE(untimed) << untimed.error().message;
    EXPECT_EQ(untimed->events[0].time, EventTime{});
}

TEST(Profile, with_times_of_events_that_cannot_be_is_refused) {
    const auto problem = [](const std::string &statements) { return problem_of(tampered(statements, with_times())); };
    EXPECT_EQ(problem("UPDATE event_times SET own_ns = 900"), "none");
    EXPECT_THAT(problem("UPDATE event_times SET own_ns = 901"), HasSubstr("901 of 900 ns are its own"));
    EXPECT_THAT(problem("UPDATE event_times SET timed = 0"), HasSubstr("nothing was timed"));
    EXPECT_THAT(problem("UPDATE event_times SET event = 1000"), HasSubstr("1000, which is not there"));
    EXPECT_THAT(problem("UPDATE event_times SET inside_ns = -1"), testing::Ne("none"));
}

Profile with_counts() {
    Profile profile = small_profile();
    profile.counts = {{"f", 7, {1, 0}, {{{"", 3}, {"a.c;g", 4}}, {}}, {{{8, 2}, {513, 1}}, {}}}, {"g", 8, {5}}};
    return profile;
}

TEST(Profile, keeps_counts_and_the_values_of_calls_and_memory_operations) {
    const Result<Profile> profile = profile_from_bytes(*profile_bytes(with_counts()));
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->counts, with_counts().counts);
    const auto problem = [](const std::string &statements) { return problem_of(tampered(statements, with_counts())); };
    EXPECT_THAT(problem("UPDATE call_targets SET function = 2"), HasSubstr("call_targets has a row for 2"));
    EXPECT_THAT(problem("UPDATE call_targets SET targets = 'f 3'"),
                HasSubstr("call_targets has values without a count"));
    EXPECT_THAT(problem("UPDATE memory_sizes SET function = 2"), HasSubstr("memory_sizes has a row for 2"));
    EXPECT_THAT(problem("UPDATE memory_sizes SET sizes = '3'"), HasSubstr("memory_sizes has values without a count"));
    EXPECT_THAT(problem("UPDATE memory_sizes SET sizes = '3 many'"), HasSubstr("a size that is no number"));
    EXPECT_THAT(problem("UPDATE memory_sizes SET sizes = '9223372036854775808 3'"), testing::Ne("none"));
    EXPECT_THAT(problem("UPDATE call_targets SET targets = '3 17'"), HasSubstr("no function's name"));
    EXPECT_THAT(problem("UPDATE call_targets SET targets = '9223372036854775808 f'"), testing::Ne("none"));
}

Profile with_libraries() {
    Profile profile = small_profile();
    profile.libraries = {with_counts(), with_times()};
    profile.libraries[0].library = "liba.so.1";
    profile.libraries[1].library = "libb.so";
    return profile;
}

TEST(Profile, keeps_those_of_its_libraries) {
    const Result<Profile> profile = profile_from_bytes(*profile_bytes(with_libraries()));
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(*profile, with_libraries());
    EXPECT_EQ(part_of(*profile, "")->library, "");
    EXPECT_EQ(part_of(*profile, "libb.so"), &profile->libraries[1]);
    EXPECT_EQ(part_of(*profile, "libc.so"), nullptr);
    const Result<Profile> older =
        profile_from_bytes(tampered("PRAGMA user_version = 11; DROP TABLE libraries", with_libraries()));
    ASSERT_TRUE(older) << older.error().message;
    EXPECT_TRUE(older->libraries.empty());
}

TEST(Profile, refuses_libraries_that_cannot_be) {
    const auto problem = [](const std::string &statements) {
        return problem_of(tampered(statements, with_libraries()));
    };
    EXPECT_THAT(problem("UPDATE libraries SET name = 'libb.so'"), HasSubstr("stands there twice"));
    EXPECT_THAT(problem("UPDATE libraries SET name = '' WHERE id = 0"), HasSubstr("no usable name"));
    EXPECT_THAT(problem("UPDATE libraries SET name = 'a/b' WHERE id = 0"), HasSubstr("no usable name"));
    EXPECT_THAT(problem("UPDATE libraries SET profile = 'text'"), HasSubstr("not a blob"));
    EXPECT_THAT(problem("UPDATE libraries SET profile = x'00ff'"), HasSubstr("liba.so.1"));
    Profile nested = with_libraries();
    nested.libraries[0].libraries = {nested.libraries[1]};
    EXPECT_FALSE(profile_bytes(nested));
}

TEST(Profile, of_an_older_version_has_no_sizes_no_targets_and_no_counts) {
    const Result<Profile> sizeless =
        profile_from_bytes(tampered("PRAGMA user_version = 10; DROP TABLE memory_sizes", with_counts()));
    ASSERT_TRUE(sizeless) << sizeless.error().message;
    EXPECT_TRUE(sizeless->counts[0].memory_sites.empty());
    EXPECT_EQ(sizeless->counts[0].value_sites.size(), 2u);
    const std::string ninth = "PRAGMA user_version = 9; DROP TABLE memory_sizes; DROP TABLE call_targets; ";
    const Result<Profile> counted = profile_from_bytes(tampered(ninth, with_counts()));
    ASSERT_TRUE(counted) << counted.error().message;
    EXPECT_EQ(counted->counts[0], (FunctionCounts{"f", 7, {1, 0}}));
    const Result<Profile> none = profile_from_bytes(tampered(
        "PRAGMA user_version = 8; DROP TABLE memory_sizes; DROP TABLE call_targets; DROP TABLE counted_functions",
        with_counts()));
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_TRUE(none->counts.empty());
}

TEST(Profile, of_the_sixth_version_does_not_say_what_is_exact_and_is_read) {
    const std::string older = "PRAGMA user_version = 6; DROP TABLE count_errors; ";
    Result<Profile> sampled = profile_from_bytes(tampered(older + "UPDATE coverage SET dispatches = recorded + 1"));
    ASSERT_TRUE(sampled) << sampled.error().message;
    EXPECT_EQ(sampled->events[0].error, unknown_error);
    EXPECT_EQ(sampled->sequences[0].error, unknown_error);
    EXPECT_EQ(sampled->functions[0].error, 0u) << "few entries were all noted";
    Result<Profile> whole = profile_from_bytes(tampered(older + "UPDATE coverage SET dispatches = recorded"));
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->events[0].error, 0u);
    Result<Profile> busy = profile_from_bytes(tampered(older + "UPDATE functions SET entries = 100000 WHERE id = 0"));
    ASSERT_TRUE(busy) << busy.error().message;
    EXPECT_EQ(busy->functions[0].error, unknown_error);
}

TEST(Profile, with_an_error_of_what_is_not_there_is_refused) {
    EXPECT_THAT(problem_of(tampered("INSERT INTO count_errors SELECT count(*), 0, 1000, 5 FROM count_errors")),
                HasSubstr("count_errors"));
}

TEST(Profile, of_the_fifth_version_has_no_times_and_is_read) {
    const std::string older = "PRAGMA user_version = 5; DROP TABLE system_call_times; "
                              "DROP TABLE system_call_edge_times; DELETE FROM meta WHERE key = 'call_clock'";
    Result<Profile> profile = profile_from_bytes(tampered(older, with_system_calls()));
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->call_clock, CallClock::none);
    EXPECT_EQ(profile->system_calls, (std::vector<NotedSystemCall>{{1, 10, 0, 0, 0, 80, 80}}));
    EXPECT_EQ(profile->system_call_edges, (std::vector<SystemCallEdge>{{1, 1, 9, 9, 9, 0, 0}}));
}

TEST(Profile, of_today_is_read_by_tools_that_know_no_times) {
    sqlite::Database database(*profile_bytes(with_system_calls()));
    sqlite::Statement row(database, "SELECT value FROM meta WHERE key = 'minimum_reader'");
    ASSERT_TRUE(row.next());
    EXPECT_EQ(row.number<uint32_t>(0), 5u);
}

TEST(Profile, with_times_that_cannot_be_is_refused) {
    const auto problem = [](const std::string &statements) {
        return problem_of(tampered(statements, with_system_calls()));
    };
    EXPECT_EQ(problem("UPDATE system_call_times SET inside_ns = 0"), "none");
    EXPECT_THAT(problem("UPDATE meta SET value = 9 WHERE key = 'call_clock'"), HasSubstr("call_clock is 9"));
    EXPECT_THAT(problem("UPDATE meta SET value = 0 WHERE key = 'call_clock'"), HasSubstr("4 times are of no clock"));
    EXPECT_THAT(problem("UPDATE system_call_times SET system_call = 1"), HasSubstr("1, which is not there"));
    EXPECT_THAT(problem("UPDATE system_call_times SET timed = 11"), HasSubstr("timed 11 of 10"));
    EXPECT_THAT(problem("UPDATE system_call_edge_times SET edge = 1"), HasSubstr("1, which is not there"));
    EXPECT_THAT(problem("UPDATE system_call_edge_times SET timed = 10"), HasSubstr("timed 10 of 9"));
    EXPECT_THAT(problem("UPDATE system_call_edge_times SET timed = 0"), HasSubstr("600 ns of nothing"));
    EXPECT_THAT(problem("UPDATE system_call_edge_times SET least_ns = 601"), HasSubstr("the shortest of 600 ns"));
}

TEST(Profile, of_the_third_version_has_no_computations_and_is_read) {
    Result<Profile> profile = profile_from_bytes(tampered("PRAGMA user_version = 3; DROP TABLE computations"));
    ASSERT_TRUE(profile);
    EXPECT_TRUE(profile->computations.empty());
}

TEST(Profile, of_the_second_version_has_no_facts_by_call_and_is_read) {
    Result<Profile> profile =
        profile_from_bytes(tampered("PRAGMA user_version = 2; DROP TABLE fact_calls; DROP TABLE computations"));
    ASSERT_TRUE(profile) << profile.error().message;
    Profile expected = small_profile();
    expected.facts.back().call.reset();
    EXPECT_EQ(profile->facts, expected.facts);
    EXPECT_THAT(problem_of(tampered("DROP TABLE fact_calls")), HasSubstr("no table fact_calls"));
}

TEST(Profile, of_the_first_version_has_no_facts_and_is_read) {
    const std::string drop = "PRAGMA user_version = 1; DROP TABLE functions; DROP TABLE calls; DROP TABLE facts; "
                             "DROP TABLE fact_values; DROP TABLE fact_calls; DROP TABLE computations";
    Result<Profile> profile = profile_from_bytes(tampered(drop));
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->events, small_profile().events);
    EXPECT_TRUE(profile->facts.empty());
    EXPECT_THAT(problem_of(tampered("DROP TABLE facts")), HasSubstr("no table facts"));
}

} // namespace
} // namespace thalweg::model

// knowledge: tests of the table: of each question one function that does and one that does not, and of what has no row.
#include "knowledge/function.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "knowledge/descriptor_maker.h"

namespace thalweg::knowledge {
namespace {

constexpr std::string_view new_in_libc = "a_function_that_is_new";

TEST(Function, without_a_row_may_do_anything) {
    const Function &unknown = function(new_in_libc);
    EXPECT_EQ(unknown.descriptors, Descriptors::anything);
    EXPECT_EQ(unknown.others, Others::anything);
    EXPECT_EQ(unknown.callback, Callback::anything);
    EXPECT_EQ(unknown.offsets, Offsets::anything);
    EXPECT_EQ(unknown.descriptor_table, DescriptorTable::anything);
    EXPECT_EQ(unknown.memory, Memory::anything);
    EXPECT_EQ(unknown.unseen, Unseen::anything);
    EXPECT_EQ(unknown.course, Course::anything);
    EXPECT_EQ(unknown.allocation, Allocation::anything);
    EXPECT_EQ(unknown.pages, Pages::anything);
    EXPECT_EQ(unknown.filter, Filter::anything);
    EXPECT_EQ(unknown.float_environment, FloatEnvironment::anything);
    EXPECT_EQ(unknown.faults, Faults::anything);
    EXPECT_EQ(unknown.answer, Answer::anything);
    EXPECT_EQ(system_call(new_in_libc), nullptr);
    EXPECT_EQ(output(new_in_libc), nullptr);
}

TEST(Function, is_found_by_its_whole_name_only) {
    for (const std::string_view name : {"", " ", "rea", "reads", "read write", "fstat fstat64"})
        EXPECT_EQ(&function(name), &function(new_in_libc)) << name;
    EXPECT_NE(&function("read"), &function(new_in_libc));
}

TEST(Function, is_found_by_each_of_its_names) {
    EXPECT_EQ(&function("open"), &function("open64"));
    EXPECT_EQ(&function("stat"), &function("stat64"));
    EXPECT_EQ(&function("longjmp"), &function("__longjmp_chk"));
    EXPECT_NE(&function("open"), &function("openat"));
}

TEST(Function, is_told_with_all_others_in_order) {
    EXPECT_TRUE(std::ranges::is_sorted(all_names(), {}, &Name::name));
    EXPECT_GT(all_names().size(), 800u);
    for (const Name &one : all_names())
        EXPECT_EQ(one.function, &function(one.name)) << one.name;
}

TEST(Output, is_what_fills_a_buffer_and_no_system_call) {
    for (const char *name : {"printf", "__fprintf_chk", "snprintf", "fputs", "putc", "fwrite_unlocked"}) {
        ASSERT_NE(output(name), nullptr) << name;
        EXPECT_EQ(system_call(name), nullptr) << name;
    }
    for (const char *name : {"write", "vfprintf", "fflush", "getc", "malloc"})
        EXPECT_EQ(output(name), nullptr) << name;
    EXPECT_EQ(output("printf")->stream, none);
    EXPECT_EQ(output("fprintf")->stream, 0);
    EXPECT_EQ(output("snprintf")->memory, 0);
    EXPECT_EQ(output("__sprintf_chk")->bound, 2);
    EXPECT_EQ(output("register_printf_specifier")->put, Put::changes_formats);
}

TEST(Input, is_what_empties_a_buffer_and_no_system_call) {
    for (const char *name : {"getc", "getchar", "__fread_chk", "fgets_unlocked", "getline", "__getdelim", "ungetc"}) {
        ASSERT_NE(input(name), nullptr) << name;
        EXPECT_EQ(system_call(name), nullptr) << name;
        EXPECT_EQ(output(name), nullptr) << name;
        EXPECT_TRUE(uses_buffer(name)) << name;
    }
    for (const char *name : {"read", "printf", "fscanf", "gets", "fflush", "malloc"})
        EXPECT_EQ(input(name), nullptr) << name;
    EXPECT_TRUE(uses_buffer("printf"));
    EXPECT_FALSE(uses_buffer("fflush"));
    EXPECT_EQ(input("getchar")->stream, none);
    EXPECT_EQ(input("__fgets_chk")->known, 1);
    EXPECT_EQ(input("getdelim")->byte, 2);
    EXPECT_EQ(input("getline")->byte, none);
}

TEST(Descriptors, are_kept_by_a_clock_and_not_by_what_replaces_one) {
    for (const char *name : {"clock_gettime", "read", "printf", "statx", "unlinkat", "renameat", "getdents64"})
        EXPECT_EQ(function(name).descriptors, Descriptors::keeps) << name;
    for (const char *name : {"close", "dup2", "close_range", "fcntl", "qsort", "fork", "syscall", "prctl"})
        EXPECT_EQ(function(name).descriptors, Descriptors::anything) << name;
}

TEST(Others, are_ignored_by_what_looks_at_bytes_and_not_by_a_write) {
    for (const char *name : {"memmem", "malloc", "tolower", "__errno_location", "c8rtomb"})
        EXPECT_EQ(function(name).others, Others::ignores) << name;
    for (const char *name : {"write", "read", "clock_gettime", "sched_yield"})
        EXPECT_EQ(function(name).others, Others::anything) << name;
}

TEST(Callback, becomes_a_handler_by_signal_and_not_by_qsort) {
    EXPECT_EQ(function("signal").callback, Callback::handles_signal);
    EXPECT_EQ(function("sigaction").callback, Callback::in_structure);
    EXPECT_EQ(function("sigaddset").callback, Callback::none_taken);
    EXPECT_EQ(function("qsort").callback, Callback::called);
    EXPECT_EQ(function("timer_create").callback, Callback::anything);
}

TEST(Offsets, are_shared_with_a_child_and_not_by_a_dup) {
    for (const char *name : {"fork", "sendmsg", "dup2", "syscall", "clone3"})
        EXPECT_EQ(function(name).offsets, Offsets::shared) << name;
    for (const char *name : {"dup", "sendto", "pthread_create"})
        EXPECT_EQ(function(name).offsets, Offsets::own) << name;
}

TEST(DescriptorTable, is_shared_by_clone_and_not_by_fork) {
    for (const char *name : {"clone", "clone3", "unshare"})
        EXPECT_EQ(function(name).descriptor_table, DescriptorTable::shared) << name;
    EXPECT_EQ(function("fork").descriptor_table, DescriptorTable::own);
}

TEST(Memory, is_shared_by_shmat_and_not_by_shmget) {
    for (const char *name : {"shmat", "clone", "remap_file_pages", "syscall"})
        EXPECT_EQ(function(name).memory, Memory::shared) << name;
    for (const char *name : {"shmget", "fork", "mprotect"})
        EXPECT_EQ(function(name).memory, Memory::own) << name;
}

TEST(Unseen, are_threads_of_clone_and_not_those_of_pthread_create) {
    for (const char *name : {"clone", "dlmopen", "syscall"})
        EXPECT_EQ(function(name).unseen, Unseen::threads_or_calls) << name;
    for (const char *name : {"pthread_create", "fork"})
        EXPECT_EQ(function(name).unseen, Unseen::nothing) << name;
}

TEST(Course, leaves_a_handler_by_longjmp_and_not_by_abs) {
    EXPECT_EQ(function("siglongjmp").course, Course::leaves_handler);
    EXPECT_EQ(function("pthread_setcanceltype").course, Course::leaves_handler);
    EXPECT_EQ(function("pthread_cancel").course, Course::ends_thread);
    EXPECT_EQ(function("abs").course, Course::returns);
}

TEST(Allocation, is_malloc_s_and_not_strdup_s) {
    EXPECT_EQ(function("malloc").allocation, Allocation::allocates);
    EXPECT_EQ(function("mallinfo2").allocation, Allocation::watches);
    EXPECT_EQ(function("setrlimit64").allocation, Allocation::watches);
    EXPECT_EQ(function("strdup").allocation, Allocation::none);
}

TEST(Pages, are_protected_by_mprotect_and_not_by_munlock) {
    EXPECT_EQ(function("mprotect").pages, Pages::protects);
    EXPECT_EQ(function("madvise").pages, Pages::sets_apart);
    EXPECT_EQ(function("munlock").pages, Pages::keeps);
}

TEST(Filter, is_installed_by_seccomp_load_and_not_by_getpid) {
    EXPECT_EQ(function("seccomp_load").filter, Filter::installs);
    EXPECT_EQ(function("prctl").filter, Filter::by_option);
    EXPECT_EQ(function("syscall").filter, Filter::by_number);
    EXPECT_EQ(function("getpid").filter, Filter::none);
}

TEST(FloatEnvironment, is_set_by_fesetround_and_not_by_rint) {
    EXPECT_EQ(function("fesetround").float_environment, FloatEnvironment::uses);
    EXPECT_EQ(function("rint").float_environment, FloatEnvironment::ignores);
}

TEST(Faults, are_of_strcpy_and_not_of_the_place_of_errno) {
    EXPECT_EQ(function("__errno_location").faults, Faults::never_and_gives_errno);
    EXPECT_EQ(function("__ctype_b_loc").faults, Faults::never);
    EXPECT_EQ(function("strlen").faults, Faults::on_its_string);
    EXPECT_EQ(function("strcpy").faults, Faults::anything);
}

TEST(Answer, about_a_path_may_change_and_an_own_number_not) {
    EXPECT_EQ(function("newfstatat").answer, Answer::status_of_path);
    EXPECT_EQ(function("fcntl").answer, Answer::of_descriptor);
    EXPECT_EQ(function("getuid").answer, Answer::own);
    EXPECT_EQ(function("getxattr").answer, Answer::anything);
}

TEST(SystemCall, says_where_its_arguments_are) {
    const SystemCall *write = system_call("pwrite64");
    ASSERT_NE(write, nullptr);
    EXPECT_EQ(write->act, Act::writes_at);
    EXPECT_EQ(write->gives, Gives::bytes);
    EXPECT_EQ(write->descriptor, 0);
    EXPECT_EQ(write->buffer, 1);
    EXPECT_EQ(write->size, 2);
    EXPECT_EQ(write->offset, 3);
    EXPECT_EQ(system_call("write")->offset, none);
    EXPECT_EQ(act_of("strlen"), Act::other);
}

TEST(SystemCall, of_memory_is_realloc_and_not_mmap) {
    EXPECT_TRUE(is_memory(act_of("realloc")));
    EXPECT_TRUE(is_memory(act_of("posix_memalign")));
    EXPECT_FALSE(is_memory(act_of("mmap")));
}

TEST(DescriptorMaker, has_flags_by_another_call_or_by_itself_or_none) {
    EXPECT_EQ(descriptor_maker("accept")->with_flags, "accept4");
    EXPECT_EQ(descriptor_maker("fcntl64")->with_flags, "fcntl");
    EXPECT_EQ(descriptor_maker("openat64"), descriptor_maker("openat"));
    for (const char *name : {"listen", "creat", "inotify_add_watch", "a_function_that_is_new"})
        EXPECT_EQ(descriptor_maker(name), nullptr) << name;
}

TEST(DescriptorMaker, stands_for_each_call_that_makes_or_opens) {
    for (const Name &one : all_names())
        if (const Act act = act_of(one.name); act == Act::makes || act == Act::opens || act == Act::opens_at)
            EXPECT_NE(descriptor_maker(one.name), nullptr) << one.name;
}

TEST(Blocks, are_given_resized_and_taken_back_by_functions_of_no_alignment) {
    EXPECT_EQ(block_use("malloc"), BlockUse::given);
    EXPECT_EQ(block_use("_Znwm"), BlockUse::given);
    EXPECT_EQ(block_use("calloc"), BlockUse::given_as_zeros);
    EXPECT_EQ(block_use("realloc"), BlockUse::resized);
    EXPECT_EQ(block_use("free"), BlockUse::taken_back);
    EXPECT_EQ(block_use("_ZdlPvm"), BlockUse::taken_back);
    for (const char *other :
         {"aligned_alloc", "posix_memalign", "_ZnwmRKSt9nothrow_t", "_ZdlPvSt11align_val_t", "read", "no_such"})
        EXPECT_FALSE(block_use(other)) << other;
}

}  // namespace
}  // namespace thalweg::knowledge

// link: words of a record that an enemy may have written, and those of other people's builds.
#include "link/repeated_link.h"

#include <random>

#include <gtest/gtest.h>

namespace thalweg::link {
namespace {

using Words = std::vector<std::string>;

Result<RepeatedLink> repeated(const Words &words) {
    LinkRecord record;
    record.output = "prog";
    record.arguments = words;
    return repeated_link(record);
}

// Each loads code, starts a program, writes a file, or brings words that nobody has looked at.
const std::vector<Words> hostile = {{"-fplugin=/tmp/evil.so"},
                                    {"-fplugin-arg-x-y"},
                                    {"-fpass-plugin=/tmp/evil.so"},
                                    {"-Xclang", "-load", "-Xclang", "/tmp/evil.so"},
                                    {"-Xclang", "-plugin"},
                                    {"-mllvm", "-load=/tmp/evil.so"},
                                    {"-mllvm", "-inline-threshold=1 -load=/tmp/evil.so"},
                                    {"-mllvm=-load=/tmp/evil.so"},
                                    {"-Wl,-mllvm,-load=/tmp/evil.so"},
                                    {"-Xlinker", "-mllvm", "-Xlinker", "-info-output-file=/etc/x"},
                                    {"-Wl,--mllvm=-stats"},
                                    {"-Wl,--load-pass-plugin=/tmp/evil.so"},
                                    {"-Wl,-load-pass-plugin=/tmp/evil.so"},
                                    {"-Xlinker", "--load-pass-plugin=/tmp/evil.so"},
                                    {"-Wl,--as-needed,--load-pass-plugin=/tmp/evil.so"},
                                    {"-Wl,--plugin,/tmp/evil.so"},
                                    {"-Wl,-plugin,/tmp/evil.so"},
                                    {"-Wl,-plugin=/tmp/evil.so"},
                                    {"-Wl,--error-handling-script=/tmp/evil"},
                                    {"-B/tmp"},
                                    {"-B", "/tmp"},
                                    {"--prefix=/tmp"},
                                    {"-specs=/tmp/evil"},
                                    {"--specs=/tmp/evil"},
                                    {"-wrapper", "/tmp/evil"},
                                    {"--config=/tmp/evil"},
                                    {"--config", "/tmp/evil"},
                                    {"--config-user-dir=/tmp"},
                                    {"@/tmp/evil"},
                                    {"-L", "@/tmp/evil"},
                                    {"-Wl,@/tmp/evil"},
                                    {"-Xlinker", "@/tmp/evil"},
                                    {"-Wl,-rpath,@/tmp/evil"},
                                    {"-z", "-fplugin=/tmp/evil.so"},
                                    {"-u", "@/tmp/evil"},
                                    {"-Wl,-z,--load-pass-plugin=/tmp/evil.so"},
                                    {"-Wl,-z", "-Wl,--load-pass-plugin=/tmp/evil.so"},
                                    {"-Wl,-o,/etc/x"},
                                    {"-Wl,-o/etc/x"},
                                    {"-Wl,--output=/etc/x"},
                                    {"-Wl,-output=/etc/x"},
                                    {"-Wl,--reproduce=/etc/x"},
                                    {"-Wl,--lto-obj-path=/etc/x"},
                                    {"-Wl,-lto-obj-path=/etc/x"},
                                    {"-Wl,--thinlto-index-only=/etc/x"},
                                    {"-Wl,--save-temps"},
                                    {"-Wl,--print-archive-stats=/etc/x"},
                                    {"-Wl,--why-extract=/etc/x"},
                                    {"-Wl,--time-trace=/etc/x"},
                                    {"-Wl,--opt-remarks-filename=/etc/x"},
                                    {"-Wl,--out-implib=/etc/x"},
                                    {"-Wl,--remap-inputs-file=x"},
                                    {"-Wl,--chroot=/tmp"},
                                    {"-x", "c", "/tmp/evil.c"},
                                    {"-xc"},
                                    {"-"},
                                    {""},
                                    {"-cc1"},
                                    {"-ccc-gcc-name", "/tmp/evil"},
                                    {"--driver-mode=cl"},
                                    {"-foffload=x"},
                                    {"-fopenmp-targets=nvptx64"},
                                    {"-fembed-offload-object=x"},
                                    {"-fthinlto-index=x"},
                                    {"-resource-dir", "/tmp"},
                                    {"-working-directory", "/tmp"},
                                    {"-o"},
                                    {"-Xlinker"},
                                    {"-Wl,-rpath"},
                                    {"a,--load-pass-plugin=evil.so"},
                                    {std::string("-pie\0x", 6)},
                                    {std::string("a.o\0x", 5)}};

// Of the links of CMake, Meson, autoconf and libtool, and of Makefiles like those of redis, sqlite, nginx and CPython.
const std::vector<Words> usual = {
    {"-g", "-Wall", "-Wextra", "-O2", "-pthread", "-rdynamic", "a.o", "b.o", "-o", "p", "-Wl,-rpath,/x:/y", "libz.a",
     "-lm"},
    {"-fPIC", "-shared", "-Wl,-soname,libx.so.1", "-o", "libx.so.1", "a.o", "-Wl,--whole-archive", "x.a",
     "-Wl,--no-whole-archive", "-Wl,--version-script=x.map", "-Wl,-z,defs", "-Wl,-Bsymbolic-functions"},
    {"-Wl,--as-needed", "-Wl,--no-undefined", "-Wl,-O1", "-Wl,--start-group", "a.a", "b.a", "-Wl,--end-group", "-ldl"},
    {"-std=gnu11",
     "-DNDEBUG",
     "-I..",
     "-I",
     "inc",
     "-isystem",
     "x",
     "-include",
     "config.h",
     "-MD",
     "-MP",
     "-MF",
     "a.d",
     "-fno-strict-aliasing",
     "-fvisibility=hidden",
     "-fstack-protector-strong",
     "-march=native",
     "-mtune=generic",
     "-ffile-prefix-map=a=b",
     "-fdiagnostics-color=always",
     "-Wp,-D_FORTIFY_SOURCE=2",
     "a.o"},
    {"-fuse-ld=lld", "--ld-path=/usr/bin/mold", "-flto=thin", "-Wl,--hash-style=gnu", "-Wl,--build-id=sha1",
     "-Wl,-z,relro,-z,now", "-Wl,-E", "-Wl,--export-dynamic", "-pie", "a.o", "../deps/lua/src/liblua.a"},
    {"-Wl,-Map=x.map", "-Wl,-Map,x.map", "-Wl,--dependency-file=x.d", "-Xlinker", "-Map", "-Xlinker", "y",
     "-save-temps"},
    {"-Wl,--gc-sections", "-ffunction-sections", "-fdata-sections", "-Wl,--wrap=malloc", "-Wl,--defsym=a=b",
     "-Wl,-u,main"},
    {"-Wl,--dynamic-list=x", "-Wl,-T,x.ld", "-T", "y.ld", "-Tz.ld", "-nostdlib", "-static", "-static-libgcc", "-e",
     "start"},
    {"--sysroot=/x", "-stdlib=libc++", "-rtlib=compiler-rt", "-unwindlib=libunwind", "--target=x86_64-linux-gnu", "-s"},
    {"-Wl,--exclude-libs,ALL", "-Wl,--enable-new-dtags", "-Wl,-rpath-link,/x", "-Wl,-dynamic-linker,/lib64/ld.so",
     "-Wl,-h,x"},
    {"-O2", "-mllvm", "-inline-threshold=-100", "a.o"},
    {"-fsanitize=undefined", "-fno-sanitize-recover=all", "-fopenmp", "-ffast-math", "-fprofile-use=x.profdata",
     "-l:x.a"}};

TEST(RepeatedLink, RefusesEachHostileWordWhereverItStands) {
    for (const Words &words : hostile) {
        std::string line;
        for (const std::string &word : words)
            line += word + " ";
        EXPECT_FALSE(repeated(words)) << line;
        Words behind = {"a.o", "-Wl,--as-needed", "-L", "x"};
        behind.insert(behind.end(), words.begin(), words.end());
        EXPECT_FALSE(repeated(behind)) << line;
    }
}

TEST(RepeatedLink, NamesTheWord) {
    const auto refused = repeated({"a.o", "-Wl,--as-needed,--load-pass-plugin=/tmp/evil.so"});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("'-Wl,--load-pass-plugin=/tmp/evil.so'"), std::string::npos)
        << refused.error().message;
}

// The last word is empty, and the value of another.
TEST(RepeatedLink, RefusesAnOptionOfTheLinkerWithoutItsValueWhateverTheLastWordIs) {
    for (const Words &words : {Words{"-Wl,-l", "-MQ", ""}, Words{"-Wl,-l", "-MQ", "x"}, Words{"-Wl,-l"}})
        EXPECT_FALSE(repeated(words)) << fmt::format("{}", fmt::join(words, " "));
}

TEST(RepeatedLink, TakesTheLinksOfOtherPeoplesBuilds) {
    for (const Words &words : usual) {
        const auto link = repeated(words);
        EXPECT_TRUE(link) << link.error().message;
    }
}

TEST(RepeatedLink, LeavesOutWhatWritesFilesOfTheFirstLinkOrConcernsSources) {
    EXPECT_EQ(
        repeated({"a.o", "-Wl,-Map,x,--gc-sections", "-MF", "x", "-fcrash-diagnostics-dir=x", "-ftime-trace=x", "-o",
                  "x", "-serialize-diagnostics", "x", "-fuse-ld=/tmp/evil", "--ld-path=/tmp/evil", "-gsplit-dwarf"})
            ->arguments,
        (Words{"-Wl,a.o", "-Wl,--gc-sections"}));
}

// A source would be compiled by the driver, with what it includes; a linker can't read it.
TEST(RepeatedLink, HandsAllInputsToTheLinker) {
    EXPECT_EQ(repeated({"a.o", "evil.c", "evil.ll"})->arguments, (Words{"-Wl,a.o", "-Wl,evil.c", "-Wl,evil.ll"}));
}

TEST(RepeatedLink, OfTheEnvironmentOnlyWhatFindsFiles) {
    LinkRecord record;
    record.environment = {{"LIBRARY_PATH", "/x"}, {"COMPILER_PATH", "/tmp"}, {"SOURCE_DATE_EPOCH", "1"}};
    const auto link = repeated_link(record);
    ASSERT_TRUE(link);
    EXPECT_EQ(link->environment, (decltype(record.environment){{"LIBRARY_PATH", "/x"}, {"SOURCE_DATE_EPOCH", "1"}}));
    for (const char *name : {"CCC_OVERRIDE_OPTIONS", "LD_PRELOAD", "LD_LIBRARY_PATH", "PATH", "CPATH", "TMPDIR",
                             "CLANG_NO_DEFAULT_CONFIG", "CC_PRINT_OPTIONS_FILE", "THALWEG_TRANSFORM_JOB", "", "A=B"}) {
        record.environment = {{name, "+-fplugin=/tmp/evil.so"}};
        EXPECT_FALSE(repeated_link(record)) << name;
    }
}

// What comes through is on the list by itself, so it comes through again as it is; and no option in it is hostile.
TEST(RepeatedLink, OfAnyWordsLetsThroughOnlyWhatIsOnTheList) {
    Words vocabulary;
    for (const auto *table : {&hostile, &usual})
        for (const Words &words : *table)
            vocabulary.insert(vocabulary.end(), words.begin(), words.end());
    std::mt19937 random(20);
    size_t passed = 0;
    for (int i = 0; i < 20000; ++i) {
        Words words(1 + random() % 5);
        for (std::string &word : words) {
            word = vocabulary[random() % vocabulary.size()];
            if (random() % 4 == 0)
                word = std::vector<std::string>{"-Wl,", "-Xlinker", "-", "@", "--"}[random() % 5] + word;
            if (random() % 8 == 0)
                word = word.substr(0, random() % (word.size() + 1));
        }
        const auto link = repeated(words);
        if (!link)
            continue;
        ++passed;
        const auto again = repeated(link->arguments);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(again->arguments, link->arguments);
        for (const std::string &word : link->arguments)
            EXPECT_TRUE(word[0] != '-' || word.find("plugin=") == std::string::npos) << word;
    }
    EXPECT_GT(passed, 2000u);
}

}  // namespace
}  // namespace thalweg::link

// link: what a compiler driver's command line asks for.
#include "link/command_line.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "link/response_file.h"

namespace thalweg::link {
namespace {

CommandLine parsed(const std::vector<std::string> &words) { return *parse_command_line(words); }

TEST(CommandLine, CompilesOnlyWhatHasASourceAndC) {
    EXPECT_EQ(parsed({"-O2", "-c", "a.c"}).action, Action::compile);
    EXPECT_EQ(parsed({"-c", "a.cc", "b.cpp", "-pthread"}).action, Action::compile);
    EXPECT_EQ(parsed({"-c", "a.s"}).action, Action::leave);
    EXPECT_EQ(parsed({"-x", "c", "-c", "-"}).action, Action::compile);
    EXPECT_EQ(parsed({"-xc++", "-c", "strange.txt"}).action, Action::compile);
}

TEST(CommandLine, LeavesWhatMakesNoMachineCode) {
    for (const char *option : {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-emit-llvm", "--version", "-dumpversion",
                               "-print-search-dirs", "--print-file-name=libc.so", "-###", "-fno-lto", "-m32"})
        EXPECT_EQ(parsed({"-c", "a.c", option}).action, Action::leave) << option;
    EXPECT_EQ(parsed({"-v"}).action, Action::leave);
    EXPECT_EQ(parsed({"-c", "header.h"}).action, Action::leave);
    EXPECT_EQ(parsed({"--target=aarch64-linux-gnu", "-c", "a.c"}).action, Action::leave);
    EXPECT_EQ(parsed({"-target", "x86_64-linux-gnu", "-c", "a.c"}).action, Action::compile);
}

TEST(CommandLine, DependencyFilesAreNoReasonToLeave) {
    const CommandLine line = parsed({"-MD", "-MF", "a.d", "-MT", "a.o", "-c", "a.c"});
    EXPECT_EQ(line.action, Action::compile);
    EXPECT_TRUE(line.writes_dependencies && line.names_dependency_file && line.names_dependency_target);
    EXPECT_FALSE(parsed({"-MMD", "-c", "a.c"}).names_dependency_file);
}

TEST(CommandLine, LinksObjectsSourcesAndBoth) {
    EXPECT_EQ(parsed({"a.o", "-o", "p"}).action, Action::link);
    EXPECT_EQ(parsed({"conftest.c", "-lm"}).action, Action::link);
    EXPECT_EQ(parsed({"-shared", "a.o", "-o", "x.so"}).action, Action::link);
    EXPECT_EQ(parsed({"-r", "a.o", "b.o", "-o", "c.o"}).action, Action::link_relocatable);
    EXPECT_EQ(parsed({"-Wl,-r", "a.o", "-o", "c.o"}).action, Action::link_relocatable);
}

TEST(CommandLine, AProgramThatWatchesItselfIsLeftToTheCompiler) {
    const auto why = [](const std::string &option) { return parsed({"a.o", option, "-o", "p"}).instrumented; };
    for (const char *option :
         {"-fsanitize=address", "-fsanitize=thread", "-fsanitize=memory", "-fsanitize=leak", "-fprofile-generate",
          "-fprofile-generate=x", "-fprofile-instr-generate", "--coverage", "-pg", "-fmemory-profile"}) {
        EXPECT_EQ(why(option), option);
        EXPECT_EQ(parsed({"-c", "a.c", option}).action, Action::leave) << option;
        EXPECT_EQ(parsed({"-r", "a.o", option}).action, Action::leave) << option;
        EXPECT_EQ(parsed({"a.o", option}).action, Action::link) << option;
    }
    for (const char *option :
         {"-fsanitize=undefined", "-fsanitize=safe-stack", "-fprofile-use=x", "-fno-profile-generate",
          "-fsanitize=signed-integer-overflow,bounds", "-fno-sanitize=address", "-p"})
        EXPECT_EQ(why(option), "") << option;
    EXPECT_EQ(why("-fsanitize=undefined,address"), "-fsanitize=address");
}

TEST(CommandLine, TheLastWordOnASanitizerCounts) {
    EXPECT_EQ(parsed({"a.o", "-fsanitize=address", "-fno-sanitize=address"}).instrumented, "");
    EXPECT_EQ(parsed({"a.o", "-fsanitize=address,thread", "-fno-sanitize=all"}).instrumented, "");
    EXPECT_EQ(parsed({"a.o", "-fno-sanitize=all", "-fsanitize=address"}).instrumented, "-fsanitize=address");
    EXPECT_EQ(parsed({"a.o", "--coverage", "-fno-sanitize=all"}).instrumented, "--coverage");
    EXPECT_EQ(parsed({"a.o", "-fprofile-arcs", "-fno-profile-arcs"}).instrumented, "");
}

TEST(CommandLine, ValuesOfOptionsAreNoInputs) {
    const CommandLine line =
        parsed({"-o", "out.c", "-I", "a.c", "-Xlinker", "b.c", "-include", "c.c", "d.c", "-MF", "e.c"});
    ASSERT_EQ(line.inputs.size(), 1u);
    EXPECT_EQ(line.arguments[line.inputs[0].position], "d.c");
    EXPECT_EQ(line.inputs[0].kind, InputKind::source);
    EXPECT_EQ(line.output, "out.c");
}

TEST(CommandLine, OutputLevelFoldersAndLibraries) {
    const CommandLine line = parsed({"-O1", "a.o", "-oprog", "-O3", "-L", "one", "-Ltwo", "-lz", "-l", ":x.a"});
    EXPECT_EQ(line.output, "prog");
    EXPECT_EQ(line.optimisation, "-O3");
    EXPECT_EQ(line.library_folders, (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(line.libraries, (std::vector<std::string>{"z", ":x.a"}));
}

TEST(CommandLine, LanguageHoldsUntilNone) {
    const CommandLine line = parsed({"-x", "c", "a.txt", "-x", "none", "b.o"});
    ASSERT_EQ(line.inputs.size(), 2u);
    EXPECT_EQ(line.inputs[0].kind, InputKind::source);
    EXPECT_EQ(line.inputs[1].kind, InputKind::object);
}

TEST(ResponseFile, WordsAsGnuReadsThem) {
    EXPECT_EQ(split_words(" a  'b c'\t\"d \\\" e\"\n f\\ g h''i "),
              (std::vector<std::string>{"a", "b c", "d \" e", "f g", "hi"}));
    EXPECT_EQ(split_words("''"), std::vector<std::string>{""});
    EXPECT_TRUE(split_words(" \n").empty());
}

TEST(ResponseFile, IsExpandedAlsoInsideAnother) {
    const std::string folder = testing::TempDir();
    ASSERT_TRUE(write_file(folder + "/inner.rsp", "b.o -lm"));
    ASSERT_TRUE(write_file(folder + "/outer.rsp", "a.o @" + folder + "/inner.rsp"));
    EXPECT_EQ(*expand_response_files({"@" + folder + "/outer.rsp", "@absent"}),
              (std::vector<std::string>{"a.o", "b.o", "-lm", "@absent"}));
}

TEST(ResponseFile, ThatNamesItselfIsAnError) {
    const std::string path = testing::TempDir() + "/loop.rsp";
    ASSERT_TRUE(write_file(path, "@" + path));
    EXPECT_FALSE(expand_response_files({"@" + path}));
}

TEST(ResponseFile, TakesTheWordsOfALongCommandAlone) {
    EXPECT_EQ(ShortCommand("cc", {"a b", "c"}).words(), (std::vector<std::string>{"cc", "a b", "c"}));
    const std::vector<std::string> many(60000, "a \"word\" with \\ in it");
    const ShortCommand command("cc", many);
    ASSERT_EQ(command.words().size(), 2u);
    EXPECT_EQ(*expand_response_files({command.words()[1]}), many);
}

}  // namespace
}  // namespace thalweg::link

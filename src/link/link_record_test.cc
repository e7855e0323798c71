// link: records of links, in ELF files that are whole, broken, or not ours.
#include "link/link_record.h"
#include "link/object_info.h"

#include <elf.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "link/elf_file.h"
#include "link/relink.h"
#include "link/tools.h"

namespace thalweg::link {
namespace {

LinkRecord example() {
    LinkRecord record;
    record.tool = "0.1.0";
    record.driver = c_compiler;
    record.directory = "/somewhere";
    record.output = "prog";
    record.arguments = {"a.o", "-o", "prog", "-Wl,-rpath,$ORIGIN/lib", "-lz"};
    record.inputs = {{"a.o", {12, 0xfedcba9876543210}}};
    record.environment = {{"LIBRARY_PATH", "/x"}};
    record.origin = Origin{"/somewhere/prog", "abc", "plan = \"\xC3\xA9\"", {1, 5}};
    return record;
}

TEST(LinkRecord, IsReadBackAsItWasWritten) { EXPECT_EQ(*read_link_record(write_link_record(example())), example()); }

TEST(LinkRecord, PlanIsReadFromItsOwnSectionAndMayBeStripped) {
    LinkRecord record = example();
    const std::string plan = std::exchange(record.origin->plan, "");
    const std::string content = section_content(record);
    EXPECT_EQ(read_linked_program_bytes(link_object(content, plan + '\0'), "x")->record.origin->plan, plan);
    EXPECT_EQ(read_linked_program_bytes(link_object(content), "x")->record.origin->plan, "");
    record.origin.reset();
    EXPECT_FALSE(read_linked_program_bytes(link_object(section_content(record), plan), "x")->record.origin);
}

TEST(LinkRecord, OfAnotherVersionOrCompilerIsRefused) {
    std::string text = write_link_record(example());
    const size_t version = text.find("\"version\":2") + 10;
    text[version] = '9';
    EXPECT_NE(read_link_record(text).error().message.find("version 9"), std::string::npos);
    text[version] = '1';  // had absolute folders
    EXPECT_FALSE(read_link_record(text));
    LinkRecord foreign = example();
    foreign.driver = "/tmp/evil";
    EXPECT_FALSE(read_link_record(write_link_record(foreign)));
    EXPECT_FALSE(read_link_record("{}"));
    EXPECT_FALSE(read_link_record("[1,2"));
}

TEST(LinkRecord, StandsInAnObjectOfItsOwn) {
    const std::string object = link_object(section_content(example()));
    const auto program = read_linked_program_bytes(object, "x");
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(program->record, example());
}

TEST(LinkRecord, TheLastOfSeveralInOneSectionCounts) {
    LinkRecord first = example();
    first.output = "library.so";
    const auto program =
        read_linked_program_bytes(link_object(section_content(first) + section_content(example())), "x");
    ASSERT_TRUE(program);
    EXPECT_EQ(program->record.output, "prog");
}

TEST(LinkRecord, AProgramThatWatchesItselfIsToldWhyItIsLeftAlone) {
    LinkRecord record = example();
    record.instrumented = "-fsanitize=address";
    const auto program = read_linked_program_bytes(link_object(section_content(record)), "x");
    ASSERT_FALSE(program);
    EXPECT_NE(program.error().message.find("-fsanitize=address"), std::string::npos) << program.error().message;
}

TEST(LinkRecord, AProgramWithoutOneIsToldHowToGetOne) {
    const auto bytes = read_file("/proc/self/exe");
    ASSERT_TRUE(bytes);
    const auto program = read_linked_program_bytes(*bytes, "prog");
    ASSERT_FALSE(program);
    EXPECT_NE(program.error().message.find("thalweg-cc"), std::string::npos);
    EXPECT_NE(read_linked_program_bytes("#!/bin/sh\n", "x").error().message.find("script"), std::string::npos);
}

TEST(ElfFile, EveryTruncationIsAnErrorOrAFile) {
    const std::string object = link_object(section_content(example()));
    for (size_t size = 0; size < object.size(); ++size)
        EXPECT_FALSE(read_linked_program_bytes(std::string_view(object).substr(0, size), "x")) << size;
}

TEST(ElfFile, EveryByteChangedIsSurvived) {
    const std::string object = link_object(section_content(example()));
    for (size_t i = 0; i < object.size(); ++i) {
        std::string broken = object;
        broken[i] = static_cast<char>(broken[i] ^ 0xff);
        if (const auto elf = parse_elf(broken)) {
            (void)elf->build_id();
            (void)elf->functions();
        }
    }
}

TEST(ElfFile, ReadsTheBuildIdOfARealProgram) {
    const auto bytes = read_file("/bin/sh");
    ASSERT_TRUE(bytes);
    EXPECT_EQ(parse_elf(*bytes)->build_id().size(), 40u);
}

// Two symbols of one name, one that is defined elsewhere, one that is no function, and two that are told.
TEST(ElfFile, TellsTheFunctionsWhoseNamesAreTheirOwnByAddress) {
    constexpr std::string_view names("\0twice\0data\0late\0early\0elsewhere", 33);
    constexpr Elf64_Sym symbols[] = {{},
                                     {1, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, 1, 0x10, 1},
                                     {1, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, 1, 0x20, 1},
                                     {7, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, 1, 0x30, 1},
                                     {12, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, 0x50, 1},
                                     {17, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, 1, 0x40, 1},
                                     {23, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, SHN_UNDEF, 0, 0}};
    ElfFile file;
    file.sections = {{".symtab", SHT_SYMTAB, 0, {reinterpret_cast<const char *>(symbols), sizeof symbols}},
                     {".strtab", SHT_STRTAB, 0, names}};
    EXPECT_EQ(file.functions(), (std::vector<ElfFunction>{{"early", 0x40}, {"late", 0x50}}));
    file.sections.pop_back();
    EXPECT_TRUE(file.functions().empty());
}

TEST(Archive, MembersWithLongNames) {
    const std::string folder = testing::TempDir();
    const std::string object = link_object("{}");
    const auto header = [](std::string name, size_t size) {
        name.resize(16, ' ');
        std::string count = std::to_string(size);
        count.resize(10, ' ');
        return name + std::string(32, ' ') + count + "`\n";
    };
    std::string archive =
        "!<arch>\n" + header("//", 22) + "a_very_long_name.o/\n  " + header("/0", object.size()) + object;
    archive += std::string(archive.size() % 2, '\n') + header("short.o/", object.size()) + object;
    std::vector<std::string> storage;
    const auto members = parse_archive(archive, "lib.a", storage);
    ASSERT_TRUE(members) << members.error().message;
    ASSERT_EQ(members->size(), 2u);
    EXPECT_EQ((*members)[0].name, "a_very_long_name.o");
    EXPECT_EQ((*members)[1].name, "short.o");
    EXPECT_TRUE(parse_elf((*members)[1].bytes));
    EXPECT_FALSE(parse_archive(std::string_view(archive).substr(0, archive.size() - 1), "lib.a", storage));
}

TEST(Relink, RepeatsWhatMattersAndDropsWhatWritesFilesOfTheFirstLink) {
    LinkRecord record = example();
    record.directory = "/src";
    record.arguments = {"-O3",
                        "a.o",
                        "-o",
                        "prog",
                        "-fuse-ld=gold",
                        "-Wl,-Map=prog.map,--gc-sections,--as-needed",
                        "-Wl,--dependency-file,link.d",
                        "-Wl,--copy-dt-needed-entries",
                        "-Wl,-rpath,$ORIGIN/lib",
                        "-pie",
                        "-Wl,--version-script=v.map",
                        "-Xlinker",
                        "-Map",
                        "-Xlinker",
                        "other.map",
                        "-Xlinker",
                        "-z",
                        "-Xlinker",
                        "now",
                        "-lz"};
    RelinkRequest request;
    request.output = "/elsewhere/prog.opt";
    request.plugin = "/lib/P.so";
    request.extra_inputs = {"r.a"};
    request.libraries = {"c.a"};
    const std::vector<std::string> expected = {c_compiler,
                                               "-Wl,a.o",
                                               "-Wl,--gc-sections,--as-needed",
                                               "-Wl,-rpath,/src/lib",
                                               "-pie",
                                               "-Wl,--version-script=v.map",
                                               "-Xlinker",
                                               "-z",
                                               "-Xlinker",
                                               "now",
                                               "-lz",
                                               "-Qunused-arguments",
                                               "-o",
                                               "/elsewhere/prog.opt",
                                               std::string("--ld-path=") + linker,
                                               "-flto",
                                               "-O3",
                                               "-Wl,--fat-lto-objects",
                                               "-Wl,--load-pass-plugin=/lib/P.so",
                                               "-Wl,--whole-archive",
                                               "r.a",
                                               "-Wl,--no-whole-archive",
                                               "c.a"};
    const auto command = relink_command(record, request);
    ASSERT_TRUE(command) << command.error().message;
    EXPECT_EQ(*command, expected);
}

TEST(Relink, AFolderOfTheRecordIsNoWayToAddWords) {
    LinkRecord record = example();
    record.directory = "/x,--load-pass-plugin=/tmp/evil.so";
    record.arguments = {"a.o", "-Wl,-rpath,$ORIGIN/lib"};
    EXPECT_FALSE(relink_command(record, {.output = "/elsewhere/prog.opt"}));
    record.directory = "/x";
    EXPECT_TRUE(relink_command(record, {.output = "/elsewhere/prog.opt"}));
}

TEST(Relink, LetsThePlugInChooseThePassesWhereItIsAskedTo) {
    LinkRecord record = example();
    RelinkRequest request;
    request.output = "/elsewhere/prog.opt";
    const auto chooses = [&] {
        const auto command = *relink_command(record, request);
        return std::find(command.begin(), command.end(), "--lto-newpm-passes=thalweg-link" + level_of_link(record)) !=
               command.end();
    };
    EXPECT_FALSE(chooses());
    request.own_passes = true;
    EXPECT_TRUE(chooses());
}

TEST(Relink, FollowsNoVariablesWhereThereAreNone) {
    RelinkRequest request;
    request.output = "/elsewhere/prog.twin";
    const auto follows_none = [&] {
        const auto command = *relink_command(example(), request);
        return std::find(command.begin(), command.end(), "-Wl,-mllvm,-experimental-debug-variable-locations=false") !=
               command.end();
    };
    EXPECT_FALSE(follows_none());
    request.has_no_variables = true;
    EXPECT_TRUE(follows_none());
}

TEST(Relink, UsesTheProgramsOwnPassesAndUnrollsMoreWhereCountsTellWhatIsHot) {
    LinkRecord record = example();
    record.arguments.insert(record.arguments.begin(), "-O2");
    RelinkRequest request;
    request.output = "/elsewhere/prog.opt";
    request.own_passes = true;
    // The last one of each kind is the linker's.
    const auto level = [&] {
        const auto command = *relink_command(record, request);
        std::string last;
        for (const std::string &word : command)
            last = word.starts_with("-O") ? word : last;
        const auto has = [&](const std::string &word) {
            return std::find(command.begin(), command.end(), word) != command.end();
        };
        EXPECT_TRUE(has("--lto-newpm-passes=thalweg-link-O2"));
        EXPECT_EQ(has("-Wl,-mllvm,-unroll-threshold-default=300"), request.has_counts);
        EXPECT_EQ(has("-Wl,-mllvm,-partial-unrolling-threshold=50"), request.has_counts);
        EXPECT_EQ(has("-Wl,-mllvm,-tail-dup-pred-size=1000"), request.has_counts);
        EXPECT_EQ(has("-Wl,-mllvm,-enable-ext-tsp-block-placement"), request.has_counts);
        EXPECT_EQ(has("-Wl,-mllvm,-ext-tsp-max-chain-size=64"), request.has_counts);
        return last;
    };
    EXPECT_EQ(level(), "-O2");
    request.has_counts = true;
    EXPECT_EQ(level(), "-O3");
}

TEST(Relink, HandsTheLinkerTheRemarksThatTheProgramsOwnLinkAsksFor) {
    LinkRecord record = example();
    EXPECT_FALSE(asks_for_remarks(record));
    record.arguments.insert(record.arguments.end(), {"-Rpass=a", "-Rpass=inline,b", "-Rpass-missed=c"});
    EXPECT_TRUE(asks_for_remarks(record));
    RelinkRequest request;
    request.output = "/elsewhere/prog.opt";
    const auto has = [&](const std::string &word) {
        const auto command = *relink_command(record, request);
        const auto found = std::find(command.begin(), command.end(), word);
        return found != command.end() && std::find(found + 1, command.end(), word) == command.end();
    };
    EXPECT_TRUE(has("-pass-remarks=inline,b"));
    EXPECT_TRUE(has("-pass-remarks-missed=c"));
    EXPECT_FALSE(has("-Rpass=a"));
    request.remarks = true;
    EXPECT_TRUE(has("-pass-remarks=(inline,b)|(thalweg)"));
    EXPECT_TRUE(has("-pass-remarks-analysis=thalweg"));
    EXPECT_FALSE(has("-pass-remarks-missed=c"));
}

TEST(Relink, AnOutputBesideTheFirstKeepsItsOrigin) {
    LinkRecord record = example();
    RelinkRequest request;
    request.output = "/somewhere/prog.opt";
    const auto command = *relink_command(record, request);
    EXPECT_NE(std::find(command.begin(), command.end(), "-Wl,-rpath,$ORIGIN/lib"), command.end());
}

TEST(Relink, NamesTheInputThatChanged) {
    const std::string folder = testing::TempDir();
    LinkRecord record = example();
    record.directory = folder;
    ASSERT_TRUE(write_file(folder + "/a.o", "other bytes!"));
    const auto changed = changed_inputs(record);
    ASSERT_EQ(changed.size(), 1u);
    EXPECT_FALSE(changed[0].missing);
    record.inputs.push_back({"gone.o", {1, 2}});
    EXPECT_TRUE(changed_inputs(record)[1].missing);
    EXPECT_NE(relink(record, {.output = folder + "/p"}).error().message.find("gone.o is gone"), std::string::npos);
}

TEST(Relink, OfAProgramThatWasMovedSaysHowItsObjectsAreFound) {
    LinkRecord record = example();
    const auto relinked = relink(record, {.output = "/elsewhere/p"});
    ASSERT_FALSE(relinked);
    EXPECT_NE(relinked.error().message.find("a.o is not in /somewhere"), std::string::npos);
    EXPECT_NE(relinked.error().message.find("--objects FOLDER"), std::string::npos);
}

TEST(Relink, NamesTheFirstFolderFromTheNewOneWhereBothAreBelowOne) {
    LinkRecord record = example();
    record.directory = "/src/build";
    record.arguments = {"a.o", "-Wl,-rpath,$ORIGIN/lib:${ORIGIN}"};
    const auto command = *relink_command(record, {.output = "/src/fast/prog"});
    EXPECT_NE(std::ranges::find(command, "-Wl,-rpath,$ORIGIN/../build/lib:$ORIGIN/../build"), command.end());
}

}  // namespace
}  // namespace thalweg::link

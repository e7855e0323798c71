// link: what a compiler driver's command line asks for.
#include "link/command_line.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "link/instrumented.h"
#include "link/response_file.h"

namespace thalweg::link {

namespace {

using Words = std::vector<std::string>;

// Options of clang and gcc whose value is the next word when the option stands alone.
constexpr std::array value_options = {std::string_view("-o"),
                                      std::string_view("-x"),
                                      std::string_view("-I"),
                                      std::string_view("-L"),
                                      std::string_view("-l"),
                                      std::string_view("-D"),
                                      std::string_view("-U"),
                                      std::string_view("-include"),
                                      std::string_view("-imacros"),
                                      std::string_view("-isystem"),
                                      std::string_view("-iquote"),
                                      std::string_view("-idirafter"),
                                      std::string_view("-iprefix"),
                                      std::string_view("-iwithprefix"),
                                      std::string_view("-iwithprefixbefore"),
                                      std::string_view("-isysroot"),
                                      std::string_view("-imultilib"),
                                      std::string_view("-include-pch"),
                                      std::string_view("-MF"),
                                      std::string_view("-MT"),
                                      std::string_view("-MQ"),
                                      std::string_view("-MJ"),
                                      std::string_view("-Xclang"),
                                      std::string_view("-Xlinker"),
                                      std::string_view("-Xassembler"),
                                      std::string_view("-Xpreprocessor"),
                                      std::string_view("-mllvm"),
                                      std::string_view("-T"),
                                      std::string_view("-u"),
                                      std::string_view("-z"),
                                      std::string_view("-e"),
                                      std::string_view("-arch"),
                                      std::string_view("-target"),
                                      std::string_view("-B"),
                                      std::string_view("-b"),
                                      std::string_view("--param"),
                                      std::string_view("-aux-info"),
                                      std::string_view("-F"),
                                      std::string_view("-A"),
                                      std::string_view("-G"),
                                      std::string_view("-Tbss"),
                                      std::string_view("-Tdata"),
                                      std::string_view("-Ttext"),
                                      std::string_view("-dumpdir"),
                                      std::string_view("-dumpbase"),
                                      std::string_view("-serialize-diagnostics"),
                                      std::string_view("--serialize-diagnostics"),
                                      std::string_view("-working-directory"),
                                      std::string_view("-ivfsoverlay"),
                                      std::string_view("-iwithsysroot"),
                                      std::string_view("-resource-dir"),
                                      std::string_view("-rpath"),
                                      std::string_view("--sysroot"),
                                      std::string_view("-cxx-isystem"),
                                      std::string_view("-R"),
                                      std::string_view("-soname")};

// Nothing of ours: preprocessing, checking, assembler or IR as text, other machines, other kinds of LTO.
constexpr std::array leave_options = {std::string_view("-E"),
                                      std::string_view("-S"),
                                      std::string_view("-M"),
                                      std::string_view("-MM"),
                                      std::string_view("-fsyntax-only"),
                                      std::string_view("--analyze"),
                                      std::string_view("-emit-llvm"),
                                      std::string_view("--precompile"),
                                      std::string_view("-emit-ast"),
                                      std::string_view("-###"),
                                      std::string_view("--version"),
                                      std::string_view("--help"),
                                      std::string_view("-dumpversion"),
                                      std::string_view("-dumpmachine"),
                                      std::string_view("-dumpspecs"),
                                      std::string_view("-fno-lto"),
                                      std::string_view("-m32"),
                                      std::string_view("-mx32"),
                                      std::string_view("--preprocess"),
                                      std::string_view("--assemble"),
                                      std::string_view("-cc1"),
                                      std::string_view("-cc1as"),
                                      std::string_view("-fdriver-only")};

constexpr std::array leave_prefixes = {std::string_view("-print-"), std::string_view("--print-"),
                                       std::string_view("--help="), std::string_view("-fsanitize=cfi"),
                                       std::string_view("-fembed-bitcode")};

constexpr std::array source_endings = {std::string_view("c"),   std::string_view("i"),   std::string_view("ii"),
                                       std::string_view("cc"),  std::string_view("cp"),  std::string_view("cpp"),
                                       std::string_view("cxx"), std::string_view("c++"), std::string_view("C"),
                                       std::string_view("CPP"), std::string_view("m"),   std::string_view("mm")};
constexpr std::array assembler_endings = {std::string_view("s"), std::string_view("S"), std::string_view("sx")};
// Headers become precompiled headers; IR is compiled as it is.
constexpr std::array leave_endings = {std::string_view("h"),   std::string_view("hh"),   std::string_view("hpp"),
                                      std::string_view("hxx"), std::string_view("H"),    std::string_view("ll"),
                                      std::string_view("bc"),  std::string_view("cppm"), std::string_view("cu"),
                                      std::string_view("pcm"), std::string_view("ast")};
constexpr std::array source_languages = {std::string_view("c"),           std::string_view("c++"),
                                         std::string_view("cpp-output"),  std::string_view("c++-cpp-output"),
                                         std::string_view("objective-c"), std::string_view("objective-c++")};
constexpr std::array assembler_languages = {std::string_view("assembler"), std::string_view("assembler-with-cpp")};

template <size_t Size>
bool contains(const std::array<std::string_view, Size> &list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool starts_with_any(std::string_view word) {
    return std::any_of(leave_prefixes.begin(), leave_prefixes.end(),
                       [&](std::string_view prefix) { return word.starts_with(prefix); });
}

std::string_view ending_of(std::string_view path) {
    const size_t slash = path.rfind('/');
    const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    const size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

// Reads the words from left to right; one small function for each thing that a word can be.
class Parser {
  public:
    explicit Parser(Words words) { line_.arguments = std::move(words); }

    CommandLine run() {
        const Words &words = line_.arguments;
        for (size_t i = 0; i < words.size(); ++i) {
            const std::string &word = words[i];
            if (word == "-" || word.empty() || word[0] != '-') {
                input(i);
                continue;
            }
            option(word);
            if (!takes_value(word))
                continue;
            ++i;
            if (i < words.size())
                value(word, words[i]);
        }
        line_.instrumented = instrumented_by(words);
        line_.action = decide();
        return std::move(line_);
    }

  private:
    void input(size_t position) {
        const std::string &path = line_.arguments[position];
        Input input{position, InputKind::object, language_};
        const std::string_view ending = ending_of(path);
        if (language_.empty()) {
            leave_ |= contains(leave_endings, ending);
            if (contains(source_endings, ending))
                input.kind = InputKind::source;
            if (contains(assembler_endings, ending))
                input.kind = InputKind::assembler;
        } else {
            if (contains(source_languages, language_))
                input.kind = InputKind::source;
            else if (contains(assembler_languages, language_))
                input.kind = InputKind::assembler;
            else
                leave_ = true;
        }
        line_.inputs.push_back(std::move(input));
    }

    void option(const std::string &word) {
        leave_ |= contains(leave_options, word) || starts_with_any(word);
        compile_only_ |= word == "-c" || word == "--compile";
        relocatable_ |= word == "-r" || word == "--relocatable" || word == "-Wl,-r" || word == "-Wl,--relocatable";
        line_.writes_dependencies |= word == "-MD" || word == "-MMD";
        line_.records_command_line |= word == "-frecord-command-line" || word == "-frecord-gcc-switches";
        if (word.starts_with("-O"))
            line_.optimisation = word;
        joined(word);
    }

    // -lfoo, -Lfolder, -ofile, -xlanguage, and those whose presence alone tells something.
    void joined(const std::string &word) {
        line_.names_dependency_file |= word.starts_with("-MF");
        line_.names_dependency_target |= word.starts_with("-MT") || word.starts_with("-MQ");
        if (word.size() <= 2)
            return;
        const std::string rest = word.substr(2);
        if (word[1] == 'l')
            value("-l", rest);
        if (word[1] == 'L')
            value("-L", rest);
        if (word[1] == 'x')
            value("-x", rest);
        // clang knows no other joined option that begins with -o but -objcmt-*, which links nothing.
        if (word[1] == 'o' && !word.starts_with("-objc"))
            value("-o", rest);
        if (word.starts_with("--target="))
            other_machine(word.substr(9));
        if (word.starts_with("--output="))
            value("-o", word.substr(9));
    }

    void value(const std::string &option, const std::string &text) {
        if (option == "-o")
            line_.output = text;
        if (option == "-l")
            line_.libraries.push_back(text);
        if (option == "-L")
            line_.library_folders.push_back(text);
        if (option == "-x")
            language_ = text == "none" ? "" : text;
        if (option == "-target")
            other_machine(text);
        if (option == "-Xlinker")
            relocatable_ |= text == "-r";
    }

    void other_machine(const std::string &triple) { leave_ |= !triple.starts_with("x86_64") || !linux_elf(triple); }
    static bool linux_elf(const std::string &triple) { return triple.find("linux") != std::string::npos; }

    Action decide() const {
        if (leave_ || line_.inputs.empty())
            return Action::leave;
        const bool whole_program = !compile_only_ && !relocatable_;
        if (!line_.instrumented.empty() && !whole_program)
            return Action::leave;
        if (!compile_only_)
            return relocatable_ ? Action::link_relocatable : Action::link;
        const bool any_source = std::any_of(line_.inputs.begin(), line_.inputs.end(),
                                            [](const Input &input) { return input.kind == InputKind::source; });
        return any_source ? Action::compile : Action::leave;
    }

    CommandLine line_;
    std::string language_;
    bool leave_ = false;
    bool compile_only_ = false;
    bool relocatable_ = false;
};

}  // namespace

bool takes_value(const std::string &option) { return contains(value_options, option); }

Result<CommandLine> parse_command_line(const std::vector<std::string> &words) {
    auto expanded = expand_response_files(words);
    if (!expanded)
        return expanded.error();
    return Parser(std::move(*expanded)).run();
}

}  // namespace thalweg::link

// transform: the plan's text as assembler code of the module: LLVM has no other way to a section that is not loaded.
#include "transform/program/stored_plan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "abi/names.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// As the text of an assembler's string. Bytes that have no letter are three octal digits there.
void write_escaped(StringRef text, raw_ostream &out) {
    for (const char letter : text)
        if (isPrint(letter) && letter != '"' && letter != '\\')
            out << letter;
        else
            out << '\\' << ((letter >> 6) & 3) << ((letter >> 3) & 7) << (letter & 7);
}

}  // namespace

void store_plan(Module &module, StringRef plan) {
    std::string text;
    raw_string_ostream out(text);
    out << ".pushsection " << abi::plan_section << ",\"\",@progbits\n";
    for (auto [line, rest] = plan.split('\n'); !line.empty() || !rest.empty();
         std::tie(line, rest) = rest.split('\n')) {
        out << ".ascii \"";
        write_escaped(line, out);
        out << "\\n\"\n";
    }
    out << ".byte 0\n.popsection\n";
    // In front of the program's own, which may have macros of these names.
    module.setModuleInlineAsm(text + module.getModuleInlineAsm());
}

}  // namespace thalweg::transform

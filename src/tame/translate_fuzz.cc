// tame: any bytes as a source: refusals or a text; what holds no Tame, and what the lexer parts, comes out byte for byte.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tame/lexer.h"
#include "tame/translate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::tame;
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
    std::string again;
    for (const Token &token : tokens_of(text))
        again += token.text;
    Options options;
    options.file = "fuzz";
    options.syntax = static_cast<Syntax>(data[0] % 3);
    options.line_directives = (data[0] & 4) != 0;
    options.goes_on_later = (data[0] & 8) != 0;
    Names names;
    add_names(text, names);
    (void)syntax_of("fuzz", text);
    const Translation translation = translate(text, options, names);
    if (again != text || (!translation.has_tame && translation.text != text))
        std::abort();
    return 0;
}

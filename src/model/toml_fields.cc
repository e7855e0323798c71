// model: strings and numbers as every TOML reader takes them.
#include "model/toml_fields.h"

#include "base/utf8.h"

namespace thalweg::model::toml_fields {

std::string toml_string(std::string_view text) {
    std::string out = "\"";
    for (char c : valid_utf8(text)) {
        auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += '\\';
        if (byte < 0x20 || byte == 0x7f)
            out += fmt::format("\\u{:04X}", byte);
        else
            out += c;
    }
    return out + '"';
}

std::string decimal(double value) {
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace thalweg::model::toml_fields

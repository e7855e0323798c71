// model: shared by the readers of measurement and verdict; private to this room.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "model/measurement.h"

namespace thalweg::model {

nlohmann::json measurement_to_json(const Measurement &measurement);
// Throws nlohmann::json::exception where a member is missing or of another type; read_json catches it.
Measurement measurement_from_json(const nlohmann::json &json);

Status check_version(const nlohmann::json &json, const char *what, uint32_t version);

// Names and outputs are bytes of the user's; what is not UTF-8 is replaced rather than refused.
inline std::string write_json(const nlohmann::json &json) {
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

template <class T, class Convert>
Result<T> read_json(const std::string &text, const char *what, Convert convert) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) {
        return fail(ErrorCode::does_not_fit, "this is no {}: {} bytes that are not JSON", what, text.size());
    }
    if (Status status = check_version(json, what, T::version); !status) {
        return status.error();
    }
    try {
        return convert(json);
    } catch (const nlohmann::json::exception &error) {
        return fail(ErrorCode::does_not_fit, "this {} is damaged: {}; make it again", what, error.what());
    }
}

}  // namespace thalweg::model

// model: the fields of an estimate, for the documents that hold some; private to this room.
#pragma once

#include "model/fields.h"
#include "model/measurement.h"

namespace thalweg::model::fields {

template <>
struct Of<Estimate> {
    static constexpr std::tuple rows{value("median", &Estimate::median).needed(), value("low", &Estimate::low).needed(),
                                     value("high", &Estimate::high).needed(),
                                     value("confidence", &Estimate::confidence).needed(),
                                     value("n", &Estimate::n).needed()};
};

}  // namespace thalweg::model::fields

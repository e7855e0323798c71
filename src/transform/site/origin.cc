// transform: where a call was in the program before any function was put into another.
#include "transform/site/origin.h"

#include <algorithm>

#include "llvm/ADT/StringExtras.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// An attribute and no metadata: a call that becomes an invoke because its function is put into a caller that catches keeps it.
constexpr StringLiteral origin_attribute = "thalweg-origin";
constexpr char between = '.';

}  // namespace

void set_origin(CallBase &call, const Origin &origin) {
    std::string words;
    for (const uint32_t number : origin)
        words += (words.empty() ? "" : std::string(1, between)) + std::to_string(number);
    call.addFnAttr(Attribute::get(call.getContext(), origin_attribute, words));
}

Origin origin_of(const CallBase &call) {
    Origin origin;
    SmallVector<StringRef, 4> words;
    call.getAttributes().getFnAttr(origin_attribute).getValueAsString().split(words, between, -1, false);
    for (const StringRef word : words)
        origin.push_back(static_cast<uint32_t>(std::stoul(word.str())));
    return origin;
}

void forget_origin(CallBase &call) {
    call.setAttributes(call.getAttributes().removeFnAttribute(call.getContext(), origin_attribute));
}

void note_way(const Origin &of, ArrayRef<CallBase *> copies) {
    if (of.empty())
        return;
    for (CallBase *copy : copies) {
        const Origin own = origin_of(*copy);
        if (own.empty())
            continue;
        Origin whole = of;
        whole.insert(whole.end(), own.begin(), own.end());
        set_origin(*copy, whole);
    }
}

bool is_on_the_way(const Origin &way, const Origin &origin) {
    return !way.empty() && way.size() <= origin.size() && std::equal(way.begin(), way.end(), origin.begin());
}

}  // namespace thalweg::transform

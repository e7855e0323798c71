// knowledge: the rows of libc.def, checked by the compiler, and how a name finds its row.
#include "knowledge/function.h"

#include <algorithm>
#include <array>

namespace thalweg::knowledge {

namespace {

using enum Act;

constexpr size_t questions = 14;

// What its calls are, where they are sites.
struct Called {
    std::optional<SystemCall> call = std::nullopt;
    std::optional<Output> output = std::nullopt;
    std::optional<Input> input = std::nullopt;
    std::optional<BlockUse> block = std::nullopt;
};
constexpr Called no_call;

template <typename Answers>
consteval Answers answer(char letter, std::string_view known) {
    if (letter != '*' && known.find(letter) == std::string_view::npos)
        throw "libc.def: this question has no such answer";
    return static_cast<Answers>(letter);
}

// As long as there are questions: a row that doesn't answer them all is no row.
consteval Function row(std::string_view names, const char (&letters)[questions + 1], const Called &called) {
    return {.names = names,
            .descriptors = answer<Descriptors>(letters[0], "-"),
            .others = answer<Others>(letters[1], "-"),
            .callback = answer<Callback>(letters[2], "hslc"),
            .offsets = answer<Offsets>(letters[3], "-O"),
            .descriptor_table = answer<DescriptorTable>(letters[4], "-P"),
            .memory = answer<Memory>(letters[5], "-M"),
            .unseen = answer<Unseen>(letters[6], "-S"),
            .course = answer<Course>(letters[7], "-jc"),
            .allocation = answer<Allocation>(letters[8], "-aw"),
            .pages = answer<Pages>(letters[9], "-sp"),
            .filter = answer<Filter>(letters[10], "-yon"),
            .float_environment = answer<FloatEnvironment>(letters[11], "-e"),
            .faults = answer<Faults>(letters[12], "-es"),
            .answer = answer<Answer>(letters[13], "-difbpsc"),
            .call = called.call,
            .output = called.output,
            .input = called.input,
            .block = called.block};
}

consteval Called call_row(Act act, Gives gives, int descriptor, int buffer, int size, int offset) {
    return {.call = SystemCall{act, gives, descriptor, buffer, size, offset}};
}

consteval Called output_row(Put put, int stream, int memory, int size, int bound, int text) {
    return {.output = Output{put, stream, memory, size, bound, text}};
}

consteval Called input_row(Take take, int stream, int memory, int size, int count, int known, int byte) {
    return {.input = Input{take, stream, memory, size, count, known, byte}};
}

consteval Called block_row(BlockUse use) { return {.block = use}; }

#define BLOCK(use) block_row(BlockUse::use)
#define CALL(act, gives, descriptor, buffer, size, offset) call_row(act, Gives::gives, descriptor, buffer, size, offset)
#define OUTPUT(put, stream, memory, size, bound, text) output_row(Put::put, stream, memory, size, bound, text)
#define INPUT(take, stream, memory, size, count, known, byte)                                                          \
    input_row(Take::take, stream, memory, size, count, known, byte)
#define FUNCTION(names, letters, call) row(names, letters, call),
constexpr Function functions[] = {
#include "knowledge/libc.def"
};
#undef FUNCTION
#undef INPUT
#undef OUTPUT
#undef CALL
#undef BLOCK

constexpr Function without_row = row("", "**************", no_call);

template <typename Visit>
constexpr void for_each_name(Visit visit) {
    for (const Function &function : functions)
        for (std::string_view rest = function.names; !rest.empty();) {
            const std::string_view name = rest.substr(0, rest.find(' '));
            visit(name, function);
            rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        }
}

consteval size_t count_names() {
    size_t count = 0;
    for_each_name([&](std::string_view, const Function &) { ++count; });
    return count;
}

consteval std::array<Name, count_names()> sorted_names() {
    std::array<Name, count_names()> names;
    size_t count = 0;
    for_each_name([&](std::string_view name, const Function &function) { names[count++] = {name, &function}; });
    std::ranges::sort(names, {}, &Name::name);
    return names;
}

constexpr std::array names = sorted_names();

static_assert(std::ranges::is_sorted(functions, {}, &Function::names), "the rows of libc.def stand in order");
static_assert(std::ranges::adjacent_find(names, {}, &Name::name) == names.end(),
              "a name stands in one row of libc.def");
static_assert(!names.front().name.empty(), "one space stands between two names of libc.def");

}  // namespace

const Function &function(std::string_view name) {
    const auto *found = std::ranges::lower_bound(names, name, {}, &Name::name);
    return found != names.end() && found->name == name ? *found->function : without_row;
}

const SystemCall *system_call(std::string_view name) {
    const std::optional<SystemCall> &call = function(name).call;
    return call ? &*call : nullptr;
}

const Output *output(std::string_view name) {
    const std::optional<Output> &output = function(name).output;
    return output ? &*output : nullptr;
}

const Input *input(std::string_view name) {
    const std::optional<Input> &input = function(name).input;
    return input ? &*input : nullptr;
}

bool uses_buffer(std::string_view name) { return output(name) != nullptr || input(name) != nullptr; }

std::optional<BlockUse> block_use(std::string_view name) {
    switch (act_of(name)) {
    case gives_block:
        return BlockUse::given;
    case resizes_block:
        return BlockUse::resized;
    case takes_block_back:
        return BlockUse::taken_back;
    default:
        return function(name).block;
    }
}

Act act_of(std::string_view name) {
    const SystemCall *call = system_call(name);
    return call != nullptr ? call->act : other;
}

bool is_memory(Act act) {
    return act == gives_block || act == gives_aligned_block || act == stores_aligned_block || act == resizes_block ||
           act == takes_block_back;
}

std::span<const Name> all_names() { return names; }

}  // namespace thalweg::knowledge

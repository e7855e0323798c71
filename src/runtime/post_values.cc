// runtime: raises that the C interface posts: the arguments are checked at once, and copied.
#include <cstdlib>
#include <cstring>

#include "internal.h"
#include "loop_state.h"
#include "posted_values.h"
#include "registry.h"

using namespace thalweg::runtime;

namespace {

size_t text_bytes(const thalweg_value &value) {
    return value.type == THALWEG_TEXT && value.as.text ? strlen(value.as.text) + 1 : 0;
}

thalweg_task *new_task(const thalweg_value *arguments, size_t count) {
    size_t bytes = sizeof(posted_values) + count * sizeof(thalweg_value);
    for (size_t i = 0; i < count; ++i)
        bytes += text_bytes(arguments[i]);
    auto *posted = static_cast<posted_values *>(allocate(bytes));
    posted->count = count;
    posted->task.run = thalweg_run_posted_values;
    posted->task.drop = [](thalweg_task *task) { free(task); };
    char *text = reinterpret_cast<char *>(posted->values + count);
    for (size_t i = 0; i < count; ++i) {
        posted->values[i] = arguments[i];
        const size_t length = text_bytes(arguments[i]);
        if (length == 0)
            continue;
        posted->values[i].as.text = static_cast<const char *>(memcpy(text, arguments[i].as.text, length));
        text += length;
    }
    return &posted->task;
}

thalweg_status post(thalweg_event *event, uint64_t delay_ns, thalweg_raise_mode mode, const thalweg_value *arguments,
                    size_t count, thalweg_raise_id *out) {
    if (!event || (!arguments && count > 0))
        return THALWEG_NULL_POINTER;
    if (!is_event(event))
        return THALWEG_UNKNOWN_EVENT;
    auto *core = reinterpret_cast<thalweg_core *>(event);
    if (const thalweg_status status = check_arguments(core, arguments, count))
        return status;
    thalweg_task *task = new_task(arguments, count);
    task->core = core;
    const thalweg_raise_id id = thalweg_task_post(task, delay_ns, mode);
    if (id == 0)
        return THALWEG_SYSTEM_ERROR;
    if (out)
        *out = id;
    return THALWEG_OK;
}

}  // namespace

thalweg_status thalweg_post(thalweg_event *event, const thalweg_value *arguments, size_t count,
                            thalweg_raise_id *id) noexcept {
    return post(event, 0, THALWEG_RAISE_ASYNC, arguments, count, id);
}

thalweg_status thalweg_post_after(thalweg_event *event, uint64_t delay_ns, const thalweg_value *arguments, size_t count,
                                  thalweg_raise_id *id) noexcept {
    return post(event, delay_ns, THALWEG_RAISE_TIMED, arguments, count, id);
}

// The event is looked at by its own thread alone; here its arguments are copied unchecked, and checked when it is raised.
thalweg_status thalweg_post_to(thalweg_loop *loop, uint64_t event_id, const thalweg_value *arguments,
                               size_t count) noexcept {
    if (!loop || (!arguments && count > 0))
        return THALWEG_NULL_POINTER;
    if (!find_id(event_id))
        return THALWEG_UNKNOWN_EVENT;
    thalweg_task_send(loop, new_task(arguments, count), event_id);
    return THALWEG_OK;
}

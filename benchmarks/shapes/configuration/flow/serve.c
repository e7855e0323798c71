#include "session.h"
enum verdict serve(struct session *s) {
    uint32_t id = 0, value = 0;
    set_mode(s, RECEIVING);
    transfer(s, &id);
    transfer(s, &value);
    enum verdict v = judge(s, value);
    set_mode(s, SENDING);
    uint32_t code = v;
    transfer(s, &id);
    transfer(s, &code);
    if (v == ACCEPT) {
        value += id;
        transfer(s, &value);
    }
    set_mode(s, CLOSED);
    return v;
}

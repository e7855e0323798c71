// tests: handlers append to, erase from and clear the vector that is walked, exchange entries in it, and raise it again.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_all/0 = count act count act count
// CHECK: decision 1 applied
// CHECK: ; the same
#include <vector>

#include "show.h"

struct Entry {
    void (*function)(int &, int);
    int *context;
};
std::vector<Entry> list;
int values[8], operation, operand, depth;

extern "C" {
void count(int &context, int argument) { show("count", context += argument); }
void other(int &context, int argument) { show("other", context -= argument); }
void act(int &context, int argument);

[[gnu::noinline]] void raise_all(int argument) {
    for (size_t i = 0; i < list.size(); ++i)
        list[i].function(*list[i].context, argument);
}
void act(int &context, int argument) {
    show("act", ++context);
    const int now = operation;
    operation = 0;
    switch (now) {
    case 1:
        list.push_back({other, &values[6]});
        break;
    case 2:
        if (size_t(operand) < list.size())
            list.erase(list.begin() + operand);
        break;
    case 3:
        list.clear();
        break;
    case 4:
        if (size_t(operand) < list.size())
            list[size_t(operand)] = {other, &values[7]};
        break;
    case 5:
        if (depth++ < 2)
            raise_all(argument + 1);
        --depth;
        break;
    case 6:
        operation = 3;
        raise_all(argument + 100);
        break;
    default:
        break;
    }
}
}

int main() {
    for (operand = 0; operand < 6; ++operand)
        for (int what = 0; what <= 6; ++what) {
            list = {
                {count, &values[0]}, {act, &values[1]}, {count, &values[2]}, {act, &values[3]}, {count, &values[4]}};
            operation = what;
            raise_all(what);
            raise_all(operand);
            show("size", long(list.size()));
        }
}

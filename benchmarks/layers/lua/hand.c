// benchmarks: the limit: the script's function in C, with Lua's integers: they wrap round, and a remainder has its divisor's sign.
#include "score.h"

static int64_t wrapped(uint64_t value) { return (int64_t)value; }

void open_script(void) {}

int score_of(int64_t distance, int64_t weight, int64_t *score) {
    int64_t sum = 7;
    *score = 0;
    for (int64_t step = 1; step <= 8; ++step) {
        const int64_t product = wrapped((uint64_t)distance * (uint64_t)step);
        const int64_t divisor = wrapped((uint64_t)weight + (uint64_t)step);
        if (divisor == 0)
            return 0;
        int64_t rest = divisor == -1 ? 0 : product % divisor;
        if (rest != 0 && (rest ^ divisor) < 0)
            rest += divisor;
        sum = wrapped((uint64_t)sum + (uint64_t)rest);
        if (sum > 1000)
            sum >>= 1;
    }
    *score = sum;
    return 1;
}

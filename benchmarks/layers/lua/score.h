// benchmarks: one function, in each of the ways in which it is compared.
#pragma once

#include <stdint.h>

// The script, of which a program has one all its life.
#define SCORE_SCRIPT                                                                                                   \
    "return function(distance, weight)\n"                                                                              \
    "  local score = 7\n"                                                                                              \
    "  for step = 1, 8 do\n"                                                                                           \
    "    score = score + (distance * step) % (weight + step)\n"                                                        \
    "    if score > 1000 then score = score // 2 end\n"                                                                \
    "  end\n"                                                                                                          \
    "  return score\n"                                                                                                 \
    "end\n"

void open_script(void);
// 0: the script failed, as by a division by zero.
int score_of(int64_t distance, int64_t weight, int64_t *score);

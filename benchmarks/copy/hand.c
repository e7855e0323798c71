// benchmarks: the copy program by hand, the limit: the kernel copies what there is in one call.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "copy.h"

void copy(const char *from, const char *to) {
    int inp = open(from, O_RDONLY);
    int out = creat(to, 0666);

    while (copy_file_range(inp, NULL, out, NULL, INT_MAX, 0) > 0)
        ;
    close(inp);
    close(out);
}

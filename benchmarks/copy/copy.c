// benchmarks: the copy program of Figure 1 of cassyopia-hotos03. Its main is a function here, which closes what it opened.
#include <fcntl.h>
#include <unistd.h>

#include "copy.h"

#define N 4096

void copy(const char *from, const char *to) {
    int inp, out, n;
    char buff[N];

    inp = open(from, O_RDONLY);
    out = creat(to, 0666);

    while ((n = read(inp, buff, N)) > 0) {
        write(out, buff, n);
    }
    close(inp);
    close(out);
}

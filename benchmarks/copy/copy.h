// benchmarks: what the copy program and its rival by hand have in common.
#ifndef BENCHMARKS_COPY_COPY_H
#define BENCHMARKS_COPY_COPY_H

void copy(const char *from, const char *to);

#endif

// tests: a server in a process of its own.
#pragma once

#include <sys/types.h>

pid_t start_server(const char *fault, u_short *port);
// It prints on the standard error how many requests lay before it at most, and how many came a second time.
void stop_server(pid_t server);

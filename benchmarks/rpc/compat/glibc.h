// benchmarks: what the sources of Sun RPC find around them inside glibc, said with the C library's public means.
// Included before each of them (-include); the sources themselves stay as they are.
#pragma once

#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <errno.h>
#include <grp.h>
#include <libintl.h>
#include <linux/errqueue.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Symbol versions and visibility: a program has none.
#define attribute_hidden
#define attribute_tls_model_ie __attribute__((tls_model("initial-exec")))
#define libc_hidden_proto(name)
#define libc_hidden_def(name)
#define libc_hidden_nolink_sunrpc(name, version)
#define text_set_element(set, symbol)
#define libc_freeres_fn(name) static __attribute__((unused)) void name(void)
#define __libc_tsd_define(linkage, type, key)
#define DIAG_PUSH_NEEDS_COMMENT
#define DIAG_POP_NEEDS_COMMENT
#define DIAG_IGNORE_NEEDS_COMMENT(version, option)
#define __glibc_unlikely(condition) __builtin_expect((condition), 0)
#define __glibc_likely(condition) __builtin_expect((condition), 1)

// Locks.
#define __libc_lock_define_initialized(linkage, name) linkage pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER;
#define __libc_lock_lock(name) pthread_mutex_lock(&(name))
#define __libc_lock_unlock(name) pthread_mutex_unlock(&(name))
#define __libc_once_define(linkage, name) linkage pthread_once_t name = PTHREAD_ONCE_INIT
#define __libc_once(name, function) pthread_once(&(name), (function))

// Messages: untranslated, on standard error.
#undef _
#define _(text) (text)
#define N_(text) text
#define __fxprintf(stream, ...) fprintf(stderr, __VA_ARGS__)
#define __asprintf asprintf
#define __strerror_r strerror_r

// The C library's functions under the names that it calls them by itself.
#define __accept accept
#define __bind bind
#define __close close
#define __connect connect
#define __getdtablesize getdtablesize
#define __getegid getegid
#define __geteuid geteuid
#define __getgroups getgroups
#define __gethostname gethostname
#define __getsockname getsockname
#define __listen listen
#define __lseek lseek
#define __nanosleep nanosleep
#define __poll poll
#define __read read
#define __recvfrom recvfrom
#define __recvmsg recvmsg
#define __sendmsg sendmsg
#define __sendto sendto
#define __setsockopt setsockopt
#define __socket socket
#define __srand48_r srand48_r
#define __write write
#define __clock_gettime clock_gettime
#define __clock_gettime64 clock_gettime
#define __timespec64 timespec

// tests: a handler may have any type and number of arguments, and be registered by a structure, a wrapper, a table or another library.
// RUN: %optimize %s | %check %s
// PLAN: 1 elide read_some/0 open_file/0 look_at/0
// FLAGS: -D_GNU_SOURCE -Wno-incompatible-function-pointer-types -Wno-cast-function-type
// CHECK-LABEL: define {{.*}} @of_structure(
// CHECK: store i32 0, ptr
// CHECK-NEXT: store i1 true, ptr @told
// CHECK-LABEL: define {{.*}} @with_code(
// CHECK: store i32 0, ptr
// CHECK-NEXT: store i1 true, ptr @told
// CHECK-LABEL: define {{.*}} @with_context(
// CHECK: store i32 0, ptr
// CHECK-NEXT: store i1 true, ptr @told
// CHECK-LABEL: define {{.*}} @of_wrapper(
// CHECK: store i32 0, ptr
// CHECK-NEXT: store i1 true, ptr @told
// CHECK-LABEL: define {{.*}} @of_library(
// CHECK: store i32 0, ptr
// CHECK-NEXT: store i1 true, ptr @told
// CHECK-LABEL: define {{.*}} @of_table(
// CHECK: store i32 0, ptr
// CHECK-NEXT: store i1 true, ptr @told
#include "file.h"
#include <signal.h>
static int told;
OWN static void with_code(int signal, int code) { told = 1; }
OWN static void with_context(long signal, long code, void *context, char *address) { told = 1; }
OWN static int of_structure(long signal) { return told = 1; }
OWN static long of_wrapper(char signal, void *some) { return told = 1; }
OWN static void of_table(short signal) { told = 1; }
OWN static void of_library(unsigned long one, unsigned long other) { told = 1; }
void register_handler(int signal, void (*handler)(unsigned long, unsigned long));
static const struct {
    int signal;
    void (*handler)(short);
} table[] = {{SIGHUP, of_table}, {SIGQUIT, NULL}};
OWN static void catch (int number, sighandler_t handler) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}
int main(int arguments, char **names) {
    struct sigaction action = {.sa_handler = (sighandler_t)of_structure};
    signal(SIGUSR1, (sighandler_t)with_code);
    signal(SIGUSR2, (sighandler_t)with_context);
    sigaction(SIGALRM, &action, NULL);
    catch (SIGTERM, (sighandler_t)of_wrapper);
    catch (SIGPIPE, SIG_IGN);
    signal(table[arguments & 1].signal, (sighandler_t)table[arguments & 1].handler);
    register_handler(SIGINT, of_library);
    char buffer[1000];
    struct stat status;
    const int file = open_file(names[arguments - 1]);
    look_at(file, &status);
    return told + (int)read_some(file, buffer, sizeof buffer) + (int)read_some(file, buffer, sizeof buffer);
}

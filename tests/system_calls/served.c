// tests: a server, by what MODE says: as written, or as an optimiser might leave it that is right or is wrong.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PLAIN, WITH_FLAGS, LOSES_ERRORS };

static const char page[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nflow\n";

static int failed(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return 1;
}

// Its address is in nginx's configuration.
static int listener(const char *configuration) {
    char text[2048] = "", address[64] = "";
    int port = 0;
    FILE *in = fopen(configuration, "r");
    if (in == NULL || fread(text, 1, sizeof text - 1, in) == 0 || strstr(text, "listen ") == NULL)
        return -1;
    fclose(in);
    sscanf(strstr(text, "listen "), "listen %63[0-9.]:%d", address, &port);
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = inet_addr(address)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, (const struct sockaddr *)&to, sizeof to) != 0)
        return -1;
    return listen(fd, 8) == 0 ? fd : -1;
}

static int next_client(int from) {
    if (MODE == WITH_FLAGS) {
        const int fd = accept4(from, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0 || (errno != ENOSYS && errno != EINVAL))
            return fd;
    }
    const int fd = accept(from, NULL, NULL);
    if (fd >= 0)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

static void answer(int client, int log) {
    char request[1024];
    ssize_t n;
    while ((n = recv(client, request, sizeof request - 1, 0)) > 0) {
        request[n] = 0;
        if (send(client, page, sizeof page - 1, MSG_NOSIGNAL) < 0 && MODE != LOSES_ERRORS)
            failed("send");
        if (write(log, "asked\n", 6) < 0 && MODE != LOSES_ERRORS)
            failed("log");
        if (strstr(request, "Connection: close") != NULL)
            return;
    }
}

static void end(int number) { _exit(number == SIGQUIT ? 0 : 1); }

int main(int argc, char **argv) {
    signal(SIGQUIT, end);
    const int from = listener(argv[argc - 1]);
    const int log = open("access", O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (from < 0 || log < 0)
        return failed("start");
    for (;;) {
        const int client = next_client(from);
        if (client < 0) {
            failed("accept");
            continue;
        }
        answer(client, log);
        close(client);
    }
}

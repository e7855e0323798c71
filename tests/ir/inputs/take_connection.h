// tests: a connection is accepted, and its flags are set behind; BETWEEN is what happens first.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
int take(int listener) {
    const int fd = accept(listener, 0, 0);
    if (fd < 0)
        return -1;
    BETWEEN;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    return fd;
}

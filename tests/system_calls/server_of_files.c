// tests: a file system in user space (FUSE) of one file, whose reads are short where its size says nothing of it.   server_of_files FOLDER fuse|fuseblk SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { THE_FILE = 2, SAID_SIZE = 10, TRUE_SIZE = 40, MOST_BYTES = 1 << 18 };

static const char name[] = "file";
static char request[MOST_BYTES];

static struct fuse_attr attributes_of(uint64_t node) {
    const int is_file = node == THE_FILE;
    return (struct fuse_attr){.ino = node,
                              .size = is_file ? SAID_SIZE : 0,
                              .mode = is_file ? S_IFREG | 0644 : S_IFDIR | 0755,
                              .nlink = 1,
                              .blksize = 4096};
}

static void answer(int server, const struct fuse_in_header *head, int error, const void *bytes, size_t size) {
    struct fuse_out_header out = {(uint32_t)(sizeof out + size), -error, head->unique};
    const struct iovec parts[] = {{&out, sizeof out}, {(void *)bytes, size}};
    if (writev(server, parts, 2) < 0 && errno != ENOENT)
        perror("server_of_files");
}

static void begin(int server, const struct fuse_in_header *head) {
    const struct fuse_init_in *in = (const void *)(head + 1);
    const struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION,
                                      .minor =
                                          in->minor < FUSE_KERNEL_MINOR_VERSION ? in->minor : FUSE_KERNEL_MINOR_VERSION,
                                      .max_readahead = in->max_readahead,
                                      .max_write = 4096};
    answer(server, head, 0, &out, sizeof out);
}

static void look_up(int server, const struct fuse_in_header *head) {
    if (strcmp((const char *)(head + 1), name) != 0) {
        answer(server, head, ENOENT, NULL, 0);
        return;
    }
    const struct fuse_entry_out out = {.nodeid = THE_FILE, .attr = attributes_of(THE_FILE)};
    answer(server, head, 0, &out, sizeof out);
}

static void give_attributes(int server, const struct fuse_in_header *head) {
    const struct fuse_attr_out out = {.attr = attributes_of(head->nodeid)};
    answer(server, head, 0, &out, sizeof out);
}

// By FOPEN_DIRECT_IO the size is not asked before reading.
static void open_file(int server, const struct fuse_in_header *head) {
    const struct fuse_open_out out = {.fh = 1, .open_flags = FOPEN_DIRECT_IO};
    answer(server, head, 0, &out, sizeof out);
}

static void read_file(int server, const struct fuse_in_header *head) {
    const struct fuse_read_in *in = (const void *)(head + 1);
    const size_t left = in->offset < TRUE_SIZE ? TRUE_SIZE - in->offset : 0;
    const size_t most = in->size < SAID_SIZE ? in->size : SAID_SIZE;
    answer(server, head, 0, "served served served", left < most ? left : most);
}

static void tell_of_all(int server, const struct fuse_in_header *head) {
    const struct fuse_statfs_out out = {.st = {.bsize = 4096, .frsize = 4096, .namelen = 255}};
    answer(server, head, 0, &out, sizeof out);
}

static void serve(int server) {
    const struct fuse_in_header *head = (const void *)request;
    for (;;) {
        const ssize_t size = read(server, request, sizeof request);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < (ssize_t)sizeof *head)
            return;  // it was unmounted
        switch (head->opcode) {
        case FUSE_INIT:
            begin(server, head);
            break;
        case FUSE_LOOKUP:
            look_up(server, head);
            break;
        case FUSE_GETATTR:
            give_attributes(server, head);
            break;
        case FUSE_OPEN:
            open_file(server, head);
            break;
        case FUSE_READ:
            read_file(server, head);
            break;
        case FUSE_STATFS:
            tell_of_all(server, head);
            break;
        case FUSE_DESTROY:  // waited for where there is a device
        case FUSE_FLUSH:
        case FUSE_RELEASE:
            answer(server, head, 0, NULL, 0);
            break;
        case FUSE_FORGET:
        case FUSE_BATCH_FORGET:
            break;
        default:
            answer(server, head, ENOSYS, NULL, 0);
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    const int server = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    char options[100];
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%d,group_id=%d", server, (int)getuid(),
             (int)getgid());
    if (server < 0 || mount(argv[3], argv[1], argv[2], MS_NOSUID | MS_NODEV, options) != 0) {
        perror("server_of_files: mount");
        return 1;
    }
    const pid_t child = fork();
    if (child != 0)
        return child < 0;
    setsid();
    for (int descriptor = 0; descriptor < 3; ++descriptor)
        close(descriptor);
    serve(server);
    return 0;
}

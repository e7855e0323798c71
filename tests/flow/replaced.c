// tests: copies a file, by write or by what stands in its place.
#include <fcntl.h>
#include <unistd.h>

static char block[4096];

int main(int count, char **words) {
    const int from = open(words[count - 2], O_RDONLY);
    const int to = open(words[count - 1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ssize_t size;
    while ((size = read(from, block, sizeof block)) > 0)
        if (write(to, block, (size_t)size) != size)
            return 1;
    return size < 0;
}

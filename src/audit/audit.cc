// audit: asked by the dynamic loader for each library that a program loads (rtld-audit(7)), so that one run loads others in their place.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // link.h: the loader's types
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/audit.h"

namespace thalweg::audit {

namespace {

// A program that loads more of our libraries than this runs with those behind them as they were built.
constexpr unsigned most_libraries = 1024;
constexpr size_t most_bytes = size_t{1} << 20;

struct Replaced {
    dev_t device;
    ino_t number;
    const char *by;
};

struct Replacements {
    Replaced libraries[most_libraries];
    unsigned count;
    char loaded[PATH_MAX];  // the file for the names of what was loaded
    char text[most_bytes];
};

constinit Replacements replacements{};  // of the process; the loader calls us without a pointer of ours

// False: there is no such file, or it can't be read whole.
bool read_text(const char *path, char *text, size_t size) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    size_t filled = 0;
    ssize_t got = 0;
    while (filled + 1 < size && (got = read(file, text + filled, size - 1 - filled)) > 0)
        filled += static_cast<size_t>(got);
    close(file);
    text[filled] = 0;
    return got == 0;
}

// A line each: the library, a tab, what is loaded in its place.
void take_lines(char *text) {
    char *rest = nullptr;
    for (char *line = strtok_r(text, "\n", &rest); line != nullptr && replacements.count < most_libraries;
         line = strtok_r(nullptr, "\n", &rest)) {
        char *tab = strchr(line, '\t');
        if (tab == nullptr)
            continue;
        *tab = 0;
        struct stat status{};
        if (stat(line, &status) == 0)
            replacements.libraries[replacements.count++] = {status.st_dev, status.st_ino, tab + 1};
    }
}

// Appended in one write: other threads and processes of the run do so too.
void note_loaded(const char *name) {
    char line[PATH_MAX + 1];
    const int length = snprintf(line, sizeof line, "%s\n", name);
    const int file = open(replacements.loaded, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    if (length > 0 && static_cast<size_t>(length) < sizeof line && write(file, line, static_cast<size_t>(length)) < 0)
        errno = 0;  // a full disk: what was not noted is not told of
    close(file);
}

}  // namespace

}  // namespace thalweg::audit

using thalweg::audit::replacements;

extern "C" {

__attribute__((visibility("default"))) unsigned la_version(unsigned version) {
    const char *path = secure_getenv(thalweg::audit::list_variable);
    if (path == nullptr || !thalweg::audit::read_text(path, replacements.text, sizeof replacements.text))
        return version < LAV_CURRENT ? version : LAV_CURRENT;
    snprintf(replacements.loaded, sizeof replacements.loaded, "%s%s", path, thalweg::audit::loaded_ending);
    thalweg::audit::take_lines(replacements.text);
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

// Only what is a file's path can be asked for; what the loader still looks for comes again with each folder.
__attribute__((visibility("default"))) char *la_objsearch(const char *name, uintptr_t *, unsigned) {
    char *given = const_cast<char *>(name);
    struct stat status{};
    if (replacements.count == 0 || strchr(name, '/') == nullptr || stat(name, &status) != 0)
        return given;
    for (unsigned i = 0; i < replacements.count; ++i)
        if (replacements.libraries[i].device == status.st_dev && replacements.libraries[i].number == status.st_ino)
            return const_cast<char *>(replacements.libraries[i].by);
    return given;
}

__attribute__((visibility("default"))) unsigned la_objopen(struct link_map *map, Lmid_t, uintptr_t *) {
    if (replacements.loaded[0] != 0 && map->l_name != nullptr && map->l_name[0] == '/')
        thalweg::audit::note_loaded(map->l_name);
    return 0;
}

}  // extern "C"

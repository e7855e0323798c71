// reads lines "name value" from a file
#include "config.h"
#include "shapes.h"
static struct {
    char name[24];
    long value;
} entries[32];
static int count;
int config_read(const char *path) {
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    while (count < 32 && fscanf(f, "%23s %li", entries[count].name, &entries[count].value) == 2)
        count++;
    fclose(f);
    return 0;
}
long config_get(const char *name, long otherwise) {
    for (int i = 0; i < count; ++i)
        if (!strcmp(entries[i].name, name))
            return entries[i].value;
    return otherwise;
}

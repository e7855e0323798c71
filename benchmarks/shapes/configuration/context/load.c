#include "config.h"
#include "schema.h"
#include <stddef.h>
struct schema *schema_load(void) {
    struct schema *s = calloc(1, sizeof *s);
    s->count = config_get("count", 4);
    s->tags = config_get("tags", 1);
    s->big = config_get("big", 0);
    if (s->count > 8)
        s->count = 8;
    for (int i = 0; i < s->count; ++i) {
        char name[16];
        snprintf(name, sizeof name, "type%d", i);
        s->fields[i].type = config_get(name, T_U32);
        snprintf(name, sizeof name, "tag%d", i);
        s->fields[i].tag = config_get(name, i + 1);
        snprintf(name, sizeof name, "from%d", i);
        s->fields[i].offset = (config_get(name, i) & 3) * sizeof(uint32_t);
    }
    return s;
}

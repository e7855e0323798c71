#include "schema.h"
void put_record(struct writer *w, const void *record) {
    w->at = w->start;
    for (int i = 0; i < w->schema->count; ++i)
        put_field(w, &w->schema->fields[i], record);
}

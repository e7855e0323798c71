// benchmarks: what a program does that lives on JSON: reads it, looks into it, changes it, writes it; some rounds with each line of the file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

enum { ROUNDS = 5 };

static double total;
static unsigned long values;

static void walk(const cJSON *item) {
    const cJSON *child;
    values++;
    if (cJSON_IsNumber(item))
        total += cJSON_GetNumberValue(item);
    if (cJSON_IsString(item))
        total += strlen(cJSON_GetStringValue(item));
    cJSON_ArrayForEach(child, item) walk(child);
}

static unsigned written(char *text) {
    unsigned sum = 0;
    for (const char *at = text; *at; at++)
        sum = sum * 31 + (unsigned char)*at;
    cJSON_free(text);
    return sum;
}

static unsigned one(const char *line) {
    cJSON *record = cJSON_Parse(line), *copy = cJSON_Duplicate(record, 1), *tag;
    if (!record)
        return 0;
    walk(cJSON_GetObjectItem(record, "DETAIL"));
    const cJSON *price = cJSON_GetObjectItemCaseSensitive(record, "price");
    cJSON_ArrayForEach(tag, cJSON_GetObjectItemCaseSensitive(record, "tags")) total +=
        price->valuedouble * strlen(tag->valuestring);
    cJSON_AddNumberToObject(copy, "sum", total);
    cJSON_DeleteItemFromObjectCaseSensitive(copy, "name");
    const unsigned sum =
        written(cJSON_Print(record)) + written(cJSON_PrintUnformatted(copy)) + (unsigned)cJSON_Compare(record, copy, 1);
    cJSON_Delete(copy);
    cJSON_Delete(record);
    return sum;
}

int main(int count, char **words) {
    FILE *file = count == 2 ? fopen(words[1], "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    unsigned sum = 0;
    if (!file)
        return 2;
    while (getline(&line, &room, file) > 0)
        for (int round = 0; round < ROUNDS; round++)
            sum = sum * 31 + one(line);
    printf("%lu values, %.6f, %08x\n", values, total, sum);
    free(line);
    return fclose(file);
}

/* tests: calls the specialised function by hand, through the header that was written for it, beside the original. */
#include <stdio.h>
#include <string.h>

#include "send_special.h"

struct operations;
struct sink {
    const struct operations *operations;
    int *place, *end;
};
extern const struct operations plain_operations, negating_operations;
int send_all(struct sink *sink, const int *values, int count);

int main(void) {
    int values[100], room[90], room_of_special[90];
    int differences = 0, negated = 0;
    for (int i = 0; i < 100; ++i)
        values[i] = i * 7 - 50;
    for (int count = 0; count <= 100; ++count)
        for (int other = 0; other < 2; ++other) {
            const struct operations *operations = other ? &negating_operations : &plain_operations;
            struct sink sink = {operations, room, room + 90};
            struct sink sink_of_special = {operations, room_of_special, room_of_special + 90};
            memset(room, 1, sizeof room);
            memset(room_of_special, 1, sizeof room_of_special);
            const int sent = send_all(&sink, values, count);
            const int sent_by_special = send_special(&sink_of_special, values, count);
            differences += sent != sent_by_special || memcmp(room, room_of_special, sizeof room) != 0 ||
                           sink.place - room != sink_of_special.place - room_of_special;
            negated += sent > 0 && room[0] == -values[0];
        }
    printf("%d differences, %d calls with the other operations\n", differences, negated);
    return differences != 0;
}

// benchmarks: orders out of a file, sent and received: each is packed, unpacked, looked at, and packed into a buffer that grows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orders.pb-c.h"

enum { MOST_ITEMS = 8, MOST_HISTORY = 12, ROUNDS = 20 };

static uint8_t bytes[1 << 14], seal[16];
static double turnover;
static unsigned sum;

static void received(size_t length) {
    Shop__Order *order = shop__order__unpack(NULL, length, bytes);
    if (!order)
        exit(1);
    for (size_t i = 0; i < order->n_items; i++)
        turnover += order->items[i]->pieces * order->items[i]->price;
    for (size_t i = 0; i < order->n_history; i++)
        sum += order->history[i];
    sum += order->note ? strlen(order->note) : order->state;
    sum += order->way_case == SHOP__ORDER__WAY_COURIER ? strlen(order->courier) : (unsigned)order->kilometres;
    ProtobufCBufferSimple buffer = PROTOBUF_C_BUFFER_SIMPLE_INIT(seal);
    shop__order__pack_to_buffer(order, &buffer.base);
    for (size_t i = 0; i < buffer.len; i++)
        sum = sum * 31 + buffer.data[i];
    PROTOBUF_C_BUFFER_SIMPLE_CLEAR(&buffer);
    shop__order__free_unpacked(order, NULL);
}

static void send(char *line) {
    Shop__Order order = SHOP__ORDER__INIT;
    Shop__Customer customer = SHOP__CUSTOMER__INIT;
    Shop__Item items[MOST_ITEMS], *parts[MOST_ITEMS];
    uint32_t history[MOST_HISTORY];
    order.number = strtoull(strtok(line, " "), NULL, 10);
    customer.address = strtok(NULL, " ");
    customer.has_number = order.number % 2;
    customer.number = order.number / 2;
    order.customer = &customer;
    order.note = strtok(NULL, " ");
    if (strcmp(order.note, "-") == 0)
        order.note = NULL;
    order.has_state = 1;
    order.state = (Shop__State)atoi(strtok(NULL, " "));
    order.items = parts;
    for (const char *article; order.n_items < MOST_ITEMS && (article = strtok(NULL, " \n"));) {
        Shop__Item *item = parts[order.n_items] = &items[order.n_items];
        shop__item__init(item);
        item->article = (char *)article;
        item->shelf = atoi(strtok(NULL, " "));
        item->has_shelf = item->shelf != 0;
        item->pieces = (uint32_t)atoi(strtok(NULL, " "));
        item->price = strtod(strtok(NULL, " \n"), NULL);
        order.n_items++;
    }
    order.history = history;
    order.n_history = order.number % MOST_HISTORY;
    for (size_t i = 0; i < order.n_history; i++)
        history[i] = (uint32_t)(order.number >> i);
    order.has_seal = order.state == SHOP__STATE__SENT;
    order.seal = (ProtobufCBinaryData){sizeof seal, seal};
    order.way_case = order.number % 3 ? SHOP__ORDER__WAY_KILOMETRES : SHOP__ORDER__WAY_COURIER;
    if (order.number % 3)
        order.kilometres = order.number % 1000;
    else
        order.courier = customer.address;
    if (shop__order__get_packed_size(&order) > sizeof bytes)
        exit(1);
    for (int round = 0; round < ROUNDS; round++)
        received(shop__order__pack(&order, bytes));
}

int main(int count, char **words) {
    FILE *file = count == 2 ? fopen(words[1], "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    if (!file)
        return 2;
    while (getline(&line, &room, file) > 0)
        send(line);
    printf("%.2f %08x\n", turnover, sum);
    free(line);
    return fclose(file);
}

// tests: four layers that have no end, since they are unfolded into themselves five times at each of their levels, and a small one that has.
struct node {
    struct node *next[5];
    int value;
};
static int one(int value) { return value + 1; }
static int two(int value) { return value * 3; }
int (*const steps[2])(int) = {one, two};
int mode, other_mode, third_mode, fourth_mode, small_mode;

static int walk(const struct node *node, int which) {
    if (!node)
        return 0;
    const int own = steps[which](node->value);
    return own + walk(node->next[0], which) * 3 + walk(node->next[1], which) * 5 + walk(node->next[2], which) * 7 +
           walk(node->next[3], which) * 11 + walk(node->next[4], which) * 13;
}

int first(const struct node *node) { return walk(node, mode); }
int second(const struct node *node) { return walk(node, other_mode); }
int third(const struct node *node) { return walk(node, third_mode); }
int fourth(const struct node *node) { return walk(node, fourth_mode); }
int small(int value) { return steps[small_mode](value); }

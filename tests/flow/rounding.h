/* tests: two layers, each in a file of its own. */
struct layer;
struct operations {
    double (*scale)(const struct layer *, double);
};
struct layer {
    const struct operations *operations;
    int mode;
    double one, three;
};
extern const double tenth_of;
extern double third_of;
double scaled(const struct layer *layer, double value);
double part(double value);
double tenth(void);
double whole(const struct layer *layer, long value);

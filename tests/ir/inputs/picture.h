// tests: a picture, and how it is painted.
#pragma once

struct picture {
    int width;
    int depth;
};

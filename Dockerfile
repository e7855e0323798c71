# Thalweg as an image: Debian 12 with clang-19, lld-19, llvm-19, make and Thalweg's two packages.
#
#   docker build -t thalweg .
#   docker run --rm -v "$PWD:/work" thalweg make CXX=thalweg-c++
#
# docs/ci/optimise.yml uses it in two jobs.
FROM debian:12 AS build
WORKDIR /thalweg
# What building needs changes seldom: a layer of its own.
COPY tools/setup tools/
RUN tools/setup --build
COPY . .
RUN cmake --preset dev -DTHALWEG_BUILD_TESTS=OFF -DTHALWEG_BUILD_EXAMPLES=OFF
RUN cmake --build build
RUN cd build && cpack -G DEB

FROM debian:12
COPY --from=build /thalweg/build/*.deb /packages/
RUN apt-get update && apt-get install -y --no-install-recommends make /packages/*.deb && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /work

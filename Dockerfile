# SPDX-License-Identifier: GPL-3.0-or-later
# docker build -t estimate . && docker run --rm -v "$PWD:/work" estimate lud
FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
        gcc g++ make pkg-config libc6-dev libgsl-dev libconfig-dev liblzma-dev \
        libsqlite3-dev liblz4-dev libzstd-dev \
    && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN make -C /source -j"$(nproc)" install PREFIX=/usr DESTDIR=/image

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
        libgsl27 libconfig9 liblzma5 libsqlite3-0 liblz4-1 libzstd1 libgomp1 \
        libstdc++6 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /image /
WORKDIR /work
ENTRYPOINT ["estimate"]

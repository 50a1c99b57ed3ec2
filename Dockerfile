# SPDX-License-Identifier: Apache-2.0
# Hayate with its demo:  docker build -t hayate . && docker run --rm hayate
# A file of your own:    docker run --rm -v $PWD:/data hayate /data/FILE.mtx
# Single copy between ranks (CMA) wants --cap-add SYS_PTRACE; without, pipelines are used.
ARG BASE=debian:12
FROM ${BASE}
ENV DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends \
        openjdk-17-jdk-headless maven gcc libc6-dev libfabric-dev libibverbs-dev libhwloc15 \
        ca-certificates \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/hayate
COPY . .
RUN scripts/build.sh -Dmaven.javadoc.skip -Dmaven.source.skip
ENTRYPOINT ["scripts/demo.sh"]

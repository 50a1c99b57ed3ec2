# SPDX-License-Identifier: Apache-2.0
# Hayate with its examples, run by a user without rights:  docker build -t hayate .
# The command line:    docker run --rm hayate hayate info
# The demo:            docker run --rm hayate demo
# A file of your own:  docker run --rm -v $PWD:/data hayate demo /data/FILE.mtx
# A solver:            FROM hayate, then COPY its jar; USER root before you install packages
# Single copy between ranks (CMA) wants --cap-add SYS_PTRACE; without, pipelines are used.
ARG BASE=debian:12

# What runs needs these; a base that has them already is left as it is, without a network.
FROM ${BASE} AS runtime
ARG PACKAGES="openjdk-17-jre-headless libhwloc15 libfabric1 libpmix2 libibverbs1 ibverbs-providers"
ARG LABEL=io.hayate
LABEL ${LABEL}=true
ENV DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8
RUN dpkg -s ${PACKAGES} >/dev/null 2>&1 || { apt-get update -q \
    && apt-get install -y -q --no-install-recommends ${PACKAGES} \
    && rm -rf /var/lib/apt/lists/*; }
RUN id hayate >/dev/null 2>&1 || useradd --create-home --uid 1000 hayate

# A context with image/ (made by scripts/image.sh) has been built elsewhere.
FROM runtime AS build
WORKDIR /src
COPY . .
RUN [ -d image ] || { apt-get update -q \
    && apt-get install -y -q --no-install-recommends \
        openjdk-17-jdk-headless maven gcc libc6-dev libfabric-dev libibverbs-dev \
         ca-certificates \
    && scripts/build.sh -Dmaven.javadoc.skip -Dmaven.source.skip \
    && scripts/image.sh image; }

FROM runtime
COPY --from=build /src/image /opt/hayate
ENV PATH=/opt/hayate/bin:${PATH} HAYATE_RUN=/opt/hayate/bin/hayate-run
USER hayate
WORKDIR /home/hayate
CMD ["hayate", "--help"]

# The Debian package, built in one stage and installed in the next. See
# docs/installing.md.

FROM debian:12 AS build
WORKDIR /source
# What everything is built with, CAF too: made again only when one of these changes.
COPY dev ./
COPY cmake/packages.txt cmake/build_caf.sh cmake/
RUN ./dev setup run
COPY . ./
RUN ./dev package

FROM debian:12-slim
RUN --mount=type=bind,from=build,source=/source/build/packages,target=/packages \
    apt-get update \
    && apt-get install -y --no-install-recommends /packages/scratchpage_*.deb ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o scratchpage -g scratchpage -m 0700 /var/lib/scratchpage
USER scratchpage
# The data directory of every command is scratchpage in it.
ENV XDG_DATA_HOME=/var/lib
VOLUME /var/lib/scratchpage
COPY packaging/container/entry /usr/local/bin/scratchpage-entry
EXPOSE 7443
STOPSIGNAL SIGTERM
ENTRYPOINT ["scratchpage-entry"]
# On all addresses, with TLS and a token. Without them it says what is missing, and ends.
CMD ["serve"]

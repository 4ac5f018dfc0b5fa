# docs/deploy.md shows how to run it.
FROM node:22-bookworm-slim AS build
# For the pinned Node, which npm installs.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/setup.mjs scripts/
# Without what only compilers need.
RUN node scripts/setup.mjs \
  && rm -r node_modules/node-linux-*/include node_modules/node-linux-*/share \
  && install -d -o node -g node node_modules/.cache/waymark
COPY migrations migrations
COPY locales locales
# What /docs shows.
COPY README.md CHANGELOG.md openapi.json ./
COPY docs docs
COPY packages/sdk/README.md packages/sdk/
COPY packages/sdk/test-vectors packages/sdk/test-vectors
COPY src src
# The commit, which the image shows with its version: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT
RUN printf '%s' "$COMMIT" > COMMIT
# Whatever the modes are where the image is built.
RUN chmod -R a+rX COMMIT package.json README.md CHANGELOG.md docs packages migrations locales src
# Starts and stops the service once, so that its compiled code is in the image. Node keeps it apart for each user id: 1000.
USER node
RUN set -e; export DATA_DIR=/tmp/data PORT=0; \
  node_modules/.bin/node src/main/cli.mjs start > /tmp/output & service=$!; \
  until grep -q ready /tmp/output; do kill -0 $service; sleep 0.1; done; \
  kill $service; wait $service; chmod -R a+rX node_modules/.cache/waymark

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 1000 waymark \
  && useradd --uid 1000 --gid waymark --no-create-home --shell /usr/sbin/nologin waymark \
  && install -d -o waymark -g waymark -m 0700 /data
COPY --from=build --chown=root:root /app /app
WORKDIR /app
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/app/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/node_modules/.bin/node", "/app/src/main/cli.mjs"]
CMD ["start"]

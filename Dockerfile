# syntax=docker/dockerfile:1.9
# Two images: the last stage runs on production parts (docker-compose.yml); `--target try` has embedded ones (compose.try.yml).
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json ./packages/client/
COPY packages/embedded-runtime/package.json ./packages/embedded-runtime/
COPY packages/console/package.json ./packages/console/
COPY packages/esdb-client/package.json ./packages/esdb-client/
COPY packages/esdb-wire/package.json ./packages/esdb-wire/
COPY packages/event-store-node/package.json ./packages/event-store-node/
COPY packages/log-proofs/package.json ./packages/log-proofs/
COPY packages/payment-simulator/package.json ./packages/payment-simulator/
COPY packages/tools/package.json ./packages/tools/
COPY packages/webhook-receiver/package.json ./packages/webhook-receiver/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY .swcrc ./
COPY scripts ./scripts
COPY packages ./packages
COPY src ./src
COPY projections ./projections
RUN npm run build

# The programs of Postgres are optional packages. What their install script would mend is mended here, by the owner of the files.
FROM build AS embedded
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && node --input-type=module --eval "await (await import('@kyc/embedded-runtime/postgres/binaries')).postgresBinaries()"

FROM build AS external
RUN npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:26.10.0-bookworm-slim AS base
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "dist/src/health-check.js"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/main.js"]

# It starts only where ALLOW_EMBEDDED is given, as compose.try.yml does: the payments of an embedded deployment are simulated.
FROM base AS try
COPY --from=embedded /app/package.json ./
COPY --from=embedded /app/node_modules ./node_modules
COPY --from=embedded /app/packages ./packages
COPY --from=embedded /app/dist ./dist
COPY --from=embedded /app/scripts/build-if-stale.mjs /app/scripts/ingest.mjs ./scripts/

FROM base
COPY --from=external /app/package.json ./
COPY --from=external /app/node_modules ./node_modules
COPY --from=external /app/packages ./packages
COPY --from=external /app/dist ./dist
COPY --from=external /app/scripts/build-if-stale.mjs /app/scripts/ingest.mjs ./scripts/

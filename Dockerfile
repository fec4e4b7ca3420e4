# syntax=docker/dockerfile:1.9
FROM node:22.23.3-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json ./packages/client/
COPY packages/embedded-runtime/package.json ./packages/embedded-runtime/
COPY packages/event-store-node/package.json ./packages/event-store-node/
COPY packages/log-proofs/package.json ./packages/log-proofs/
COPY packages/tools/package.json ./packages/tools/
COPY packages/webhook-receiver/package.json ./packages/webhook-receiver/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY .swcrc ./
COPY scripts ./scripts
COPY packages ./packages
COPY src ./src
COPY projections ./projections
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:22.23.3-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/packages ./packages
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "dist/src/health-check.js"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/main.js"]

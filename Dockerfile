# Two stages: the first builds the browser app with all packages, the second runs server and worker with what they need.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY index.html vite.config.ts tailwind.config.ts tsconfig.json tsconfig.app.json tsconfig.base.json \
  tsconfig.server.json tsconfig.tools.json tsconfig.worker.json ./
COPY public public
COPY contract contract
COPY scripts scripts
COPY src src
RUN node scripts/build-when-stale.ts --force

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
# For imports of .xz files, and to read scanned documents.
RUN apt-get update && apt-get install -y --no-install-recommends xz-utils tesseract-ocr tesseract-ocr-tha tesseract-ocr-eng && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
# node:24 is the Node that runs: the packages that carry one for machines without it (189 of 270 MB) go again.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/node-linux-* node_modules/node-win-* && npm cache clean --force
COPY contract contract
COPY data data
COPY sample sample
COPY server server
COPY --from=build /app/dist dist
RUN mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 4173
# The server's; compose.yaml gives the worker its own.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:4173/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node itself, not npm: npm leaves its child behind when it is stopped.
CMD ["node", "server/main.ts", "serve"]

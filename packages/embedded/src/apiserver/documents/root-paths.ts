import { groupVersions, type ResourceRegistry } from "../resources/index.ts";

const fixed = [
  "/.well-known/openid-configuration",
  "/api",
  "/apis",
  "/apis/",
  "/healthz",
  "/livez",
  "/metrics",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/",
  "/openid/v1/jwks",
  "/readyz",
  "/version",
];

/** `/`: what there is to ask for. */
export function rootDocument(registry: ResourceRegistry, healthPaths: readonly string[]) {
  const served = groupVersions(registry).flatMap(({ group, version }) =>
    group === "" ? [`/api/${version}`] : [`/apis/${group}`, `/apis/${group}/${version}`],
  );
  return { paths: [...new Set([...fixed, ...served, ...healthPaths])].toSorted() };
}

import { readdirSync, readFileSync } from "node:fs";
import type { KubernetesObject } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";

const folder = new URL("../../../packages/operators/manifests/", import.meta.url);

/** What a cluster is given before the storage operator runs, in order; but for alerts, which these clusters have no API for. */
export function payload(): KubernetesObject[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .toSorted()
    .flatMap((name) => parseManifests({ name, text: readFileSync(new URL(name, folder), "utf8") }))
    .filter(({ kind }) => kind !== "PrometheusRule");
}

import { createHash } from "node:crypto";
import type { ConfigMap, DaemonSet, Deployment, Secret } from "@stowage/machinery";
import { goJson } from "./go-json.ts";

/** The originals and we must agree on keys and values: another value restarts every Pod of the workload. */
const prefix = "operator.openshift.io/dep-";
const keyLength = 63;

/**
 * Annotations that change when the data of Secrets or ConfigMaps does. On a workload and its Pod template they make Pods restart
 * that have read the data at start. What does not exist has no annotation, which is different from being empty.
 */
export function dependencyAnnotations(objects: readonly (Secret | ConfigMap)[]): Record<string, string> {
  return Object.fromEntries(objects.map((object) => [annotationKey(object), dataHash(object.data)]));
}

/** The workload with these annotations on itself and on its Pod template. */
export function withDependencyHashes<T extends Deployment | DaemonSet>(
  workload: T,
  objects: readonly (Secret | ConfigMap)[],
): T {
  const hashes = dependencyAnnotations(objects);
  const { spec } = workload;
  // Without any, annotations that are not there stay so.
  if (spec === undefined || objects.length === 0) return workload;
  const templateMetadata = spec.template.metadata;
  return {
    ...workload,
    metadata: { ...workload.metadata, annotations: { ...workload.metadata.annotations, ...hashes } },
    spec: {
      ...spec,
      template: {
        ...spec.template,
        metadata: { ...templateMetadata, annotations: { ...templateMetadata?.annotations, ...hashes } },
      },
    },
  };
}

/** A Secret's data are base64 already, as Go prints bytes. */
export function dataHash(data: Readonly<Record<string, string>> | undefined): string {
  const hash = Buffer.alloc(4);
  hash.writeUInt32BE(fnv32(`${goJson(data)}\n`));
  return hash.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

function annotationKey({ kind, metadata }: Secret | ConfigMap): string {
  const what = `${metadata.namespace}.${metadata.name}.${kind.toLowerCase()}`;
  const key = prefix + what;
  if (key.length <= keyLength) return key;
  return (prefix + createHash("sha256").update(what).digest("hex")).slice(0, keyLength);
}

/** FNV-1, not the more usual FNV-1a: first multiply, then the byte. */
function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return hash >>> 0;
}

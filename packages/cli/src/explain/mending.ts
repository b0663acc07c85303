import type { KubernetesObject } from "@stowage/machinery";
import { inNamespace } from "./finding.ts";

/** What most of a claim, a Pod or a snapshot cannot be changed to: it is made anew, with one text in place of another. */
export function recreate({ kind, metadata }: KubernetesObject, before: string, after: string): string {
  const get = `kubectl get ${kind.toLowerCase()} ${metadata.name}${inNamespace(metadata)} -o yaml`;
  return `${get} | sed 's|${before}|${after}|' | kubectl replace --force -f -`;
}

export function describe({ kind, metadata }: KubernetesObject): string {
  return `kubectl describe ${kind.toLowerCase()} ${metadata.name}${inNamespace(metadata)}`;
}

export function remove({ kind, metadata }: Pick<KubernetesObject, "kind" | "metadata">): string {
  return `kubectl delete ${kind.toLowerCase()} ${metadata.name}${inNamespace(metadata)}`;
}

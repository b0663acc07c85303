import { readFileSync } from "node:fs";
import type { KubernetesObject } from "@stowage/machinery";
import { parseManifests, replacePlaceholders } from "@stowage/operator";
import { payload } from "../storage-operator/payload.ts";

const folder = new URL("../../../packages/operators/hosted/", import.meta.url);

function read(name: string, namespace: string): KubernetesObject[] {
  const text = readFileSync(new URL(name, folder), "utf8");
  return parseManifests({ name, text: replacePlaceholders(text, { CONTROLPLANE_NAMESPACE: namespace }) });
}

/** What whoever runs a control plane applies beside it, but for the Deployment: there is no kubelet to run it. */
export function managementPayload(namespace: string): KubernetesObject[] {
  return read("management.yaml", namespace).filter(({ kind }) => kind !== "Deployment");
}

/** What the guest has before anybody looks after its storage: the namespaces of any cluster, and what the operator may do in it. */
export function guestPayload(): KubernetesObject[] {
  return [...payload().filter(({ kind }) => kind === "Namespace"), ...read("guest.yaml", "")];
}

import type { Container, Pod } from "@stowage/machinery";
import { isSidecar } from "../status/restart-rules.ts";

/** Why a container is stopped while its Pod goes on. */
export interface StopReason {
  /** For people. */
  readonly message: string;
  readonly probe?: "liveness" | "startup";
}

const LEAST_SECONDS = 2;

/** How long a container may take to end by itself. A probe that failed may allow less, or more, than the Pod. */
export function graceSeconds({ metadata, spec }: Pod, container: Container, probe?: StopReason["probe"]): number {
  if (metadata.deletionGracePeriodSeconds !== undefined) return metadata.deletionGracePeriodSeconds;
  const ofPod = spec?.terminationGracePeriodSeconds;
  if (ofPod === undefined) return LEAST_SECONDS;
  const failed = probe === "startup" ? container.startupProbe : container.livenessProbe;
  return (probe === undefined ? undefined : failed?.terminationGracePeriodSeconds) ?? ofPod;
}

/** What is left when hooks and turns have taken their time: everybody has a moment between the request and the end. */
export function remainingSeconds(graceSeconds: number, spentSeconds: number): number {
  return Math.max(LEAST_SECONDS, graceSeconds - Math.floor(spentSeconds));
}

/** Whom a container waits for before it is asked to end: sidecars serve the others, and each those that came after it. */
export function endsAfter({ spec }: Pod, name: string): readonly string[] {
  const { initContainers = [], containers = [] } = spec ?? {};
  const sidecars = initContainers.filter(isSidecar).map((each) => each.name);
  const place = sidecars.indexOf(name);
  if (place < 0) return [];
  return [...containers.map((each) => each.name), ...sidecars.slice(place + 1)];
}

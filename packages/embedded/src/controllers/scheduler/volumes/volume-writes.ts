import type { KubeClient } from "@stowage/kube";
import {
  type Clock,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  provisioningAnnotations,
} from "@stowage/machinery";
import { boundVolume } from "../../storage/binder/bound-objects.ts";
import type { AssumedObjects } from "./assumed-objects.ts";
import { bindingProgress, type WrittenStorage } from "./binding-progress.ts";
import type { VolumePlan } from "./volume-plan.ts";

export interface VolumeWrites {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly claims: AssumedObjects<PersistentVolumeClaim>;
  readonly volumes: AssumedObjects<PersistentVolume>;
  readonly written: WrittenStorage;
  /** Resolves when a claim or a volume has changed. */
  nextChange(signal: AbortSignal): Promise<void>;
}

/** Binders and provisioners have so long. */
const TIMEOUT_MS = 600_000;

/** From now on others see the volumes of the plan as taken. */
export function assumeVolumes(w: VolumeWrites, plan: VolumePlan, nodeName: string): VolumePlan {
  const bindings = plan.bindings.map(({ volume, claim }) => ({ volume: boundVolume(volume, claim) ?? volume, claim }));
  const provisions = plan.provisions.map((claim) => forNode(claim, nodeName));
  for (const { volume } of bindings) w.volumes.assume(volume);
  for (const claim of provisions) w.claims.assume(claim);
  return { bindings, provisions };
}

export function takeBackVolumes(w: VolumeWrites, { bindings, provisions }: VolumePlan): void {
  for (const { volume } of bindings) w.volumes.takeBack(volume);
  for (const claim of provisions) w.claims.takeBack(claim);
}

function forNode(claim: PersistentVolumeClaim, nodeName: string): PersistentVolumeClaim {
  const annotations = { ...claim.metadata.annotations, [provisioningAnnotations.selectedNode]: nodeName };
  return { ...claim, metadata: { ...claim.metadata, annotations } };
}

/** Writes what was assumed, and waits until all of it is bound. Returns why it will not be. */
export async function bindVolumes(
  w: VolumeWrites,
  plan: VolumePlan,
  node: Node,
  signal: AbortSignal,
): Promise<string | undefined> {
  const bindings: { volume: PersistentVolume; claim: PersistentVolumeClaim }[] = [];
  for (const { volume, claim } of plan.bindings) {
    bindings.push({ volume: await w.client.update(persistentVolumes, volume), claim });
  }
  const provisions: PersistentVolumeClaim[] = [];
  for (const claim of plan.provisions) provisions.push(await w.client.update(persistentVolumeClaims, claim));
  const untilMs = w.clock.monotonicMs() + TIMEOUT_MS;
  for (;;) {
    const progress = bindingProgress({ bindings, provisions }, node, w.written);
    if (progress === "done") return undefined;
    if (progress !== "waiting") return `binding volumes: ${progress.failure}`;
    if (w.clock.monotonicMs() >= untilMs) return "binding volumes: context deadline exceeded";
    await w.nextChange(signal);
    signal.throwIfAborted();
  }
}

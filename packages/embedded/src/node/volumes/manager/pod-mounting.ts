import type { EventRecorder } from "@stowage/kube";
import type { Clock, Pod, Volume } from "@stowage/machinery";
import { usedVolumes } from "../claims/pod-volume-names.ts";
import { failureText } from "../csi/volume-failure.ts";
import type { HostVolume, HostVolumes } from "../host-volume.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { DriverVolumes } from "./driver-volumes.ts";
import { PodProgress } from "./pod-progress.ts";
import type { VolumePace } from "./volume-pace.ts";
import { isIndirect, readVolumeSource, type SourceDeps } from "./volume-source.ts";
import type { WantedPod } from "./wanted-pods.ts";

export interface PodMountingDeps extends SourceDeps {
  /** Those that need no driver. */
  readonly plain: { mounted(pod: Pod, signal: AbortSignal): Promise<HostVolumes> };
  readonly driverVolumes: Pick<DriverVolumes, "bring">;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly pace: VolumePace;
  readonly work: BackgroundWork;
}

type Brought = readonly [name: string, volume: HostVolume];

interface Mounting {
  readonly wanted: WantedPod;
  readonly progress: PodProgress;
  readonly signal: AbortSignal;
}

/** Brings a Pod all volumes that its containers use; tells meanwhile what keeps them. What one waits for does not hold up the others. */
export async function bringVolumes(
  deps: PodMountingDeps,
  wanted: WantedPod,
  signal: AbortSignal,
): Promise<HostVolumes> {
  const used = usedVolumes(wanted.pod);
  const isUsed = ({ name }: Volume) => used.mounted.has(name) || used.devices.has(name);
  const volumes = (wanted.pod.spec?.volumes ?? []).filter(isUsed);
  const progress = new PodProgress(volumes.map(({ name }) => name));
  const done = new AbortController();
  deps.work.begin(tellWaiting(deps, { wanted, progress, signal: AbortSignal.any([signal, done.signal]) }));
  try {
    const mounting = { wanted, progress, signal };
    const [others, indirect] = await Promise.all([
      bringPlain(
        deps,
        mounting,
        volumes.filter((volume) => !isIndirect(volume)),
      ),
      bringIndirect(deps, mounting, volumes.filter(isIndirect)),
    ]);
    return new Map([...others, ...indirect]);
  } finally {
    done.abort();
  }
}

async function bringPlain(
  { plain }: PodMountingDeps,
  { wanted, progress, signal }: Mounting,
  volumes: Volume[],
): Promise<HostVolumes> {
  for (const { name } of volumes) progress.processed(name);
  const spec = { ...wanted.pod.spec, containers: wanted.pod.spec?.containers ?? [], volumes };
  const brought = await plain.mounted({ ...wanted.pod, spec }, signal);
  for (const { name } of volumes) progress.mounted(name);
  return brought;
}

async function bringIndirect(
  deps: PodMountingDeps,
  mounting: Mounting,
  volumes: readonly Volume[],
): Promise<readonly Brought[]> {
  const { wanted, progress, signal } = mounting;
  const brought: Promise<Brought>[] = [];
  let left = volumes;
  for (;;) {
    const read = await Promise.allSettled(left.map((volume) => readSource(deps, mounting, volume)));
    signal.throwIfAborted();
    for (const each of read) if (each.status === "fulfilled") brought.push(deps.work.follow(each.value()));
    const reasons = read.flatMap((each): unknown[] => (each.status === "rejected" ? [each.reason] : []));
    if (reasons.length === 0) return Promise.all(brought);
    left = left.filter((_volume, index) => read[index]?.status === "rejected");
    deps.events.event(wanted.pod, "Warning", "FailedMount", progress.message(reasons.map(failureText).join("; ")));
    await deps.clock.sleep(deps.pace.claimRetryMs, signal);
  }
}

/** What is to be done for the volume, as soon as it is known what it is. */
async function readSource(
  deps: PodMountingDeps,
  { wanted, progress, signal }: Mounting,
  podVolume: Volume,
): Promise<() => Promise<Brought>> {
  const { name } = podVolume;
  const source = await readVolumeSource(deps, wanted.pod, podVolume);
  signal.throwIfAborted();
  progress.processed(name);
  if (source.kind === "machine") {
    progress.mounted(name);
    return async () => [name, source.volume];
  }
  const { volume } = source;
  wanted.volumes.set(name, { podVolume, volume });
  return async () => [name, await deps.driverVolumes.bring({ pod: wanted.pod, volume }, progress, signal)];
}

async function tellWaiting({ clock, pace, events }: PodMountingDeps, mounting: Mounting): Promise<void> {
  const { wanted, progress, signal } = mounting;
  for (;;) {
    await clock.sleep(pace.tellWaitingMs, signal).catch(() => {});
    if (signal.aborted || progress.isDone) return;
    events.event(wanted.pod, "Warning", "FailedMount", progress.message("context deadline exceeded"));
  }
}

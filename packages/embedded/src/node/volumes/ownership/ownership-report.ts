import type { EventRecorder } from "@stowage/kube";
import type { Clock, Pod } from "@stowage/machinery";
import { setVolumeOwnership, type VolumeOwnership } from "./volume-ownership.ts";

export interface OwnershipReportDeps {
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Does it; `setVolumeOwnership` when left out. */
  readonly change?: typeof setVolumeOwnership;
}

const FIRST_MS = 30_000;
const NEXT_MS = 60_000;
const reason = "VolumePermissionChangeInProgress";
const advice =
  "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods";

/** Gives a volume of a Pod to its group, and tells by events when that takes long. */
export async function setPodVolumeOwnership(
  deps: OwnershipReportDeps,
  pod: Pod,
  wish: VolumeOwnership,
  signal: AbortSignal,
): Promise<void> {
  let files = 0;
  const done = new AbortController();
  const onProgress = (count: number) => {
    files = count;
  };
  const telling = tellWhileItLasts(deps, { pod, path: wish.path, files: () => files }, done.signal);
  try {
    await (deps.change ?? setVolumeOwnership)({ ...wish, onProgress }, signal);
  } finally {
    done.abort();
    await telling;
  }
}

interface Changed {
  readonly pod: Pod;
  readonly path: string;
  files(): number;
}

async function tellWhileItLasts(
  { events, clock }: OwnershipReportDeps,
  { pod, path, files }: Changed,
  done: AbortSignal,
): Promise<void> {
  const place = path.slice(Math.max(0, path.indexOf(pod.metadata.uid ?? "")));
  const begin = `Setting volume ownership for ${place}`;
  const slow = `${begin} is taking longer than expected, consider using OnRootMismatch - ${advice}`;
  await clock.sleep(FIRST_MS, done).catch(() => {});
  if (!done.aborted) events.event(pod, "Warning", reason, slow);
  while (!done.aborted) {
    await clock.sleep(NEXT_MS, done).catch(() => {});
    if (!done.aborted) events.event(pod, "Warning", reason, `${begin}, processed ${files()} files.`);
  }
}

import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ComponentName, Plan } from "../components/component.ts";
import { desiredComponents } from "../components/components.ts";
import { kubeletFolder } from "../components/kubelet.ts";
import { LabError } from "../errors.ts";
import { removeEmptyFolder } from "../files.ts";
import { endContainers, endShims } from "../node/containers.ts";
import { restoreMachine } from "../node/machine.ts";
import { mountPointsBelow } from "../node/mounts.ts";
import { stopDaemon } from "../process/daemon.ts";
import { withLock } from "../process/lock.ts";
import { runningDaemon } from "../process/pid-file.ts";
import type { Progress } from "../progress.ts";
import { layoutEntries, layoutOf } from "./layout.ts";
import { readSettings } from "./settings.ts";

export interface StopOptions {
  readonly dir: string;
  readonly progress: Progress;
  /** Also removes all state: the next start is a new cluster. */
  readonly wipe?: boolean;
  readonly signal?: AbortSignal;
}

const LOCK_WAIT_MS = 120_000;

/** Stops what runs and undoes what was changed on the machine. False when there was no lab. */
export async function stopLab({ progress, wipe = false, signal, ...options }: StopOptions): Promise<boolean> {
  if (!existsSync(layoutOf(options.dir).settings)) return false;
  const dir = realpathSync(options.dir); // The names of what is outside the folder come from its real path.
  const onWait = (owner: { pid: number }) =>
    progress.line(`waiting for process ${owner.pid}, which works on the same lab`);
  await withLock(layoutOf(dir).lock, { waitMs: LOCK_WAIT_MS, onWait, signal }, async () => {
    const settings = readSettings(dir);
    if (settings === undefined) return;
    await stopComponents({ dir, settings }, progress, () => true);
    if (wipe) removeState({ dir, settings });
  });
  if (wipe) removeEmptyFolder(dir);
  return true;
}

/** Stops the chosen components in the reverse of the order of their start; without any left, the machine is as it was. */
export async function stopComponents(
  plan: Plan,
  progress: Progress,
  isChosen: (name: ComponentName) => boolean,
): Promise<void> {
  const { dir } = plan;
  const names = desiredComponents(plan).map(({ name }) => name);
  for (const name of names.toReversed()) {
    if (!isChosen(name)) continue;
    // After the kubelet, which would start them again, and before containerd, which notes that they have ended.
    if (name === "containerd") await endContainers(dir);
    if (runningDaemon(dir, name) === undefined) continue;
    await stopDaemon(dir, name);
    progress.line(`${name} is stopped`);
  }
  if (plan.settings.machine === undefined || names.some((name) => runningDaemon(dir, name) !== undefined)) return;
  await endContainers(dir); // Those of a containerd that was killed.
  await endShims(dir);
  await restoreMachine(plan, progress);
}

/** Only what the lab keeps there: the folder may be one that somebody uses for more. */
function removeState(plan: Plan): void {
  const { lock } = layoutOf(plan.dir);
  const entries = [kubeletFolder(plan), ...layoutEntries.map((name) => join(plan.dir, name))];
  const mounted = entries.flatMap(mountPointsBelow);
  if (mounted.length > 0) {
    throw new LabError("BUSY", `nothing was removed: ${mounted.join(", ")} is still mounted`, {
      nextStep: "unmount it and run the command again",
    });
  }
  for (const entry of entries) {
    if (entry !== lock) rmSync(entry, { recursive: true, force: true });
  }
}

import { readdirSync } from "node:fs";
import type { Pod } from "@stowage/machinery";
import type { Container } from "../../runtime/index.ts";
import { podFolder } from "./container-start.ts";
import { stopContainer } from "./container-stop.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";
import { removePodFolder } from "./pod-folders.ts";

const AGAIN_MS = 30_000;

/**
 * Removes what is left of Pods that nobody knows any more: their containers, which have a moment to end, their volumes and their folders.
 * Tries until nothing is left; whatever is still mounted stays as it is.
 */
export async function removeOrphans(
  deps: PodWorkerDeps,
  isKnown: (uid: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const left = orphans(deps).filter(({ metadata }) => !isKnown(metadata.uid ?? ""));
    const results = await Promise.allSettled(left.map((pod) => removeOrphan(deps, pod, signal)));
    signal.throwIfAborted();
    const failed = results.filter((result) => result.status === "rejected");
    for (const { reason } of failed) deps.logger.warn({ error: reason }, "what is left of a former Pod stays for now");
    if (failed.length === 0) return;
    await deps.clock.sleep(AGAIN_MS, signal);
  }
}

/** As far as they are known: nobody has their specs any more. */
function orphans(deps: PodWorkerDeps): Pod[] {
  const fromContainers = deps.runtime.list().map(({ labels }) => podOf(labels.podUid, labels));
  const known = new Set(fromContainers.map(({ metadata }) => metadata.uid));
  const fromFolders = foldersIn(deps.podsFolder).filter((uid) => !known.has(uid));
  return [
    ...new Map(fromContainers.map((pod) => [pod.metadata.uid, pod])).values(),
    ...fromFolders.map((uid) => podOf(uid)),
  ];
}

function podOf(uid: string, { podName = uid, podNamespace = "" }: Partial<Container["labels"]> = {}): Pod {
  const metadata = { name: podName, namespace: podNamespace, uid, deletionGracePeriodSeconds: 0 };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [] } };
}

async function removeOrphan(deps: PodWorkerDeps, pod: Pod, signal: AbortSignal): Promise<void> {
  const uid = pod.metadata.uid ?? "";
  const own = deps.runtime.list().filter(({ labels }) => labels.podUid === uid);
  const running = own.filter(({ exit }) => exit === undefined);
  await Promise.all(running.map((container) => stopContainer(deps, { pod, container }, signal)));
  await deps.subPaths.removed(uid);
  await deps.volumes.unmounted(pod, signal);
  for (const container of own) await container.remove();
  removePodFolder(podFolder(deps, pod));
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No Pod has ever been here.
  }
}

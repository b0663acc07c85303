import type { KubeClient } from "@stowage/kube";
import {
  type Clock,
  type ContainerStatus,
  findCondition,
  type Logger,
  labelMatcherFrom,
  type Pod,
  pods,
} from "@stowage/machinery";
import type { Workload } from "./hooks/index.ts";

/** Enough to know why: a Deployment has two, a DaemonSet one for each node, and those that fail may be few of them. */
const MAXIMUM_PODS = 500;

/** Less than the resync: every minute they are looked at anew. */
const MAXIMUM_AGE_MS = 30_000;

export interface PodTroublesDeps {
  readonly client: Pick<KubeClient, "list">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Asked once a rollout has failed. Pods are not watched for it: there are many, and they change all the time. The answer is kept for
 * a while, since what is said of the failure makes the controller look again.
 */
export class PodTroubles {
  readonly #deps: PodTroublesDeps;
  #last: { readonly version: string | undefined; readonly atMs: number; readonly found: string[] } | undefined;

  constructor(deps: PodTroublesDeps) {
    this.#deps = deps;
  }

  async find({ kind, metadata, spec }: Workload, signal: AbortSignal): Promise<string[]> {
    const { client, clock, logger } = this.#deps;
    const version = metadata.resourceVersion;
    const atMs = clock.monotonicMs();
    const last = this.#last;
    if (last !== undefined && last.version === version && atMs - last.atMs < MAXIMUM_AGE_MS) return last.found;
    try {
      const { namespace } = metadata;
      const labelSelector = labelMatcherFrom(spec?.selector).toString();
      const { items } = await client.list(pods, { namespace, labelSelector, limit: MAXIMUM_PODS, signal });
      this.#last = { version, atMs, found: podTroubles(items) };
      return this.#last.found;
    } catch (error) {
      // What failed before must be told in any case.
      const { name, namespace } = metadata;
      logger.debug({ workload: kind, name, namespace, error }, "the Pods could not be listed");
      return [];
    }
  }
}

/**
 * Why Pods do not start, each reason once with the number of Pods that have it. Neither names of Pods nor waiting times are in it,
 * so that the text stays the same as long as the trouble does.
 */
export function podTroubles(list: readonly Pod[]): string[] {
  const counts = new Map<string, number>();
  for (const pod of list) {
    const trouble = podTrouble(pod);
    if (trouble !== undefined) counts.set(trouble, (counts.get(trouble) ?? 0) + 1);
  }
  return [...counts].map(([trouble, count]) => `${count} Pod${count === 1 ? "" : "s"}: ${trouble}`).toSorted();
}

function podTrouble({ metadata, status }: Pod): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined;
  const scheduled = findCondition(status?.conditions, "PodScheduled");
  if (scheduled?.status === "False") return `${scheduled.reason ?? "Unschedulable"}: ${scheduled.message ?? ""}`;
  if (status?.phase === "Failed") return `Failed: ${status.reason ?? "unknown reason"}`;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return containers.map(containerTrouble).find((trouble) => trouble !== undefined);
}

const pulling: ReadonlySet<string> = new Set(["ErrImagePull", "ImagePullBackOff"]);

function containerTrouble({ name, ready, image, state, lastState }: ContainerStatus): string | undefined {
  const { waiting, terminated } = state ?? {};
  const which = `container ${name}`;
  // Each of the two turns into the other with every attempt.
  if (pulling.has(waiting?.reason ?? "")) return `${which}: ImagePullBackOff: ${image}`;
  const ended = lastState?.terminated ?? (terminated?.exitCode === 0 ? undefined : terminated);
  // Between two attempts it runs for a while, which does not mean that it works.
  if (!ready && ended !== undefined) {
    return `${which}: CrashLoopBackOff: exit code ${ended.exitCode} (${ended.reason ?? "unknown reason"})`;
  }
  if (waiting?.reason === undefined) return undefined;
  // Of a container that waits for its turn there is nothing to tell but that.
  return waiting.message ? `${which}: ${waiting.reason}: ${waiting.message}` : `${which}: ${waiting.reason}`;
}

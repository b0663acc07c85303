import { createController, isNotFound } from "@stowage/kube";
import { type Job, type JobCondition, jobs, parseTime, type SyncOutcome } from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff, retryOnConflict } from "../../kit/index.ts";
import { isFinished } from "./job-conditions.ts";

const NAME = "ttl-after-finished-controller";

/** When the Job may go, in milliseconds; undefined when it stays, or is not finished. */
export function expiryMs({ spec, status }: Pick<Job, "spec" | "status">): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished;
  const isEnd = ({ type, status: said }: JobCondition) => said === "True" && (type === "Complete" || type === "Failed");
  const finished = status?.conditions?.find(isEnd)?.lastTransitionTime;
  return seconds === undefined || finished === undefined ? undefined : parseTime(finished) + seconds * 1000;
}

/** Deletes Jobs that are finished when their time is over, with all that belongs to them. Watches Jobs; owns and writes nothing. */
export function makeTtlController(deps: ControllerDeps): ControllerPart {
  const { client, clock } = deps;
  const copies = deps.informers.informer(jobs);
  const controller = createController(deps, {
    name: "ttl_jobs_to_delete",
    workers: 1,
    backoff: queueBackoff,
    sync: retryOnConflict(async (key): Promise<SyncOutcome> => {
      const seen = copies.objects.getByKey(key);
      if (seen === undefined || !mayGo(seen)) return undefined;
      const waitMs = (expiryMs(seen) ?? 0) - clock.nowMs();
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      const { namespace, name = "", uid } = seen.metadata;
      // The copies may be behind: the time may have been changed.
      const fresh = await client.find(jobs, { namespace, name });
      if (fresh === undefined || !mayGo(fresh) || (expiryMs(fresh) ?? 0) > clock.nowMs()) return undefined;
      await client
        .delete(jobs, { namespace, name }, { propagationPolicy: "Foreground", preconditions: { uid } })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      return undefined;
    }),
  });
  controller.watch(copies);
  return { name: NAME, run: (signal) => controller.run(signal) };
}

function mayGo(job: Job): boolean {
  return isFinished(job) && expiryMs(job) !== undefined && job.metadata.deletionTimestamp === undefined;
}

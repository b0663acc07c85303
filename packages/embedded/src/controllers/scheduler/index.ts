/**
 * The role of kube-scheduler with its default profile. In reading order:
 *
 * - `scheduler.ts`: what it watches and writes; `scheduling-cycle.ts`: one Pod after the other; `binding-cycle.ts`: on its way to the node
 * - `queue/`: which Pod is next, and what may help one that found no node
 * - `cluster-view.ts`, `cluster-news.ts`, `snapshot/`: the cluster as it will be once all that was decided is written
 * - `placement.ts`: the choice: `filters/` say which nodes a Pod can go to, `scores/` which of them is best; `unfit.ts`: why there is none
 * - `preemption/`: who has to leave for a Pod that matters more
 * - `volumes/`: which volumes a Pod gets on a node, and what has to be written for it
 * - `pod-writes.ts`, `scheduler-events.ts`: what is told to Pods
 */
import type { PartRow } from "../kit/index.ts";
import { createScheduler } from "./scheduler.ts";

/** In the order in which they are started. */
export const schedulerParts: readonly PartRow[] = [{ make: createScheduler }];

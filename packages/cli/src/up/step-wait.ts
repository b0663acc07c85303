import { createInformer, type KubeClient } from "@stowage/kube";
import type { Clock, Logger } from "@stowage/machinery";
import type { AwaitedCluster, Step } from "./steps.ts";

export interface StepWaitDeps {
  readonly awaited: AwaitedCluster;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Wanted = Pick<Step, "type" | "selection" | "isDone">;

/** Resolves when what the step waits for is there; false when the signal is aborted before. */
export async function stepReached(deps: StepWaitDeps, step: Wanted, signal: AbortSignal): Promise<boolean> {
  const { client, clock, logger, awaited } = deps;
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const informer = createInformer({ client, type: step.type, selection: step.selection, clock, logger });
  let isReached = false;
  informer.addHandler({
    onKey() {
      if (!step.isDone(informer.objects.list(), awaited)) return;
      isReached = true;
      enough.abort();
    },
  });
  await informer.run(either);
  return isReached;
}

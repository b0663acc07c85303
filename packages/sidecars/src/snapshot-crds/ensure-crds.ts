import { isAlreadyExists, type KubeClient } from "@stowage/kube";
import { type Clock, type CustomResourceDefinition, customResourceDefinitions, StowageError } from "@stowage/machinery";
import { snapshotCrds } from "./snapshot-crds.ts";

export interface EnsureCrdsDeps {
  readonly client: Pick<KubeClient, "find" | "create">;
  readonly clock: Clock;
}

export interface EnsureCrdsOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

const POLL_MS = 100;

/**
 * Installs what is missing and waits until all is served. What is there stays as it is, whoever installed it: a distribution's own
 * definitions may serve older versions too, in which objects are stored.
 */
export async function ensureSnapshotCrds(deps: EnsureCrdsDeps, options: EnsureCrdsOptions): Promise<void> {
  await Promise.all(snapshotCrds.map((crd) => ensureCrd(deps, crd, options)));
}

async function ensureCrd(
  { client, clock }: EnsureCrdsDeps,
  crd: CustomResourceDefinition,
  { timeoutMs, signal }: EnsureCrdsOptions,
): Promise<void> {
  const name = crd.metadata.name as string;
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    const found = await client.find(customResourceDefinitions, { name });
    if (found === undefined) {
      await client.create(customResourceDefinitions, crd).catch((error: unknown) => {
        // Somebody else installs them too.
        if (!isAlreadyExists(error)) throw error;
      });
    } else if (isEstablished(found)) return;
    if (clock.monotonicMs() >= deadlineMs) throw notEstablished(name, timeoutMs);
    await clock.sleep(POLL_MS, signal);
  }
}

function isEstablished({ status }: CustomResourceDefinition): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === "Established" && condition.status === "True",
  );
}

function notEstablished(name: string, timeoutMs: number): StowageError {
  return new StowageError(
    "SNAPSHOT_CRDS_MISSING",
    `the API server does not serve the CustomResourceDefinition ${name} ${timeoutMs / 1000}s after it was made`,
    { nextStep: `Read its conditions: kubectl get crd ${name} -o yaml.` },
  );
}

import { setTimeout as sleep } from "node:timers/promises";
import type { AuditedRequest } from "../../operators/driver-operator/audit.ts";
import { writeKubeconfig } from "../../operators/driver-operator/operator-account.ts";
import type { OperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";
import { freePort } from "../csi/fake-kubelet.ts";
import { processMemory } from "../csi/process-memory.ts";
import { startCommand, whenServed } from "../sidecars/stowage-command.ts";
import { tally } from "../sidecars/tally.ts";

export interface OperatorRunOptions {
  readonly command: readonly string[];
  /** The operator is this ServiceAccount, which is there with the rights that it is deployed with. */
  readonly account: { readonly name: string; readonly namespace: string };
  readonly images: Readonly<Record<string, string>>;
  readonly idleSeconds: number;
  readonly signal: AbortSignal;
  /** Once everything is applied: what the cluster does with it, where that matters. */
  readonly whenApplied?: () => Promise<void>;
}

export interface OperatorFigures {
  readonly seconds: number;
  readonly requests: number;
  readonly idlePerMinute: number;
  /** In all the idle time, but for leases. */
  readonly idleWrites: number;
  readonly watches: number;
  readonly rssMib: number;
}

/** All is applied when nothing was created for so long. */
const QUIET_MS = 5_000;
/** After it, an idle process has given memory back. */
const SETTLE_MS = 15_000;
const MIB = 1024 * 1024;

/** Starts an operator as users do, from the bundle, and looks at what the API server notes of it. */
export async function measureOperator(cluster: OperatorCluster, run: OperatorRunOptions): Promise<OperatorFigures> {
  const { command, account, images, idleSeconds, signal } = run;
  const kubeconfig = await writeKubeconfig(cluster, account);
  const listen = `127.0.0.1:${await freePort()}`;
  const user = `system:serviceaccount:${account.namespace}:${account.name}`;
  const startedMs = Date.now();
  const requests = () => cluster.audit.requests((each) => each.user === user && each.atMs >= startedMs);
  await using operator = startCommand([...command, "--kubeconfig", kubeconfig, "--listen", listen], {
    signal,
    env: images,
  });
  const pid = await whenServed(operator, `http://${listen}/readyz`, (text) => text === "ok");
  const appliedMs = await lastCreation(requests, signal);
  await run.whenApplied?.();
  const before = requests().filter(({ atMs }) => atMs <= appliedMs);
  const last = before.findLast(isCreation);
  console.log(`${command.join(" ")}: ${told(before)}; ${last?.resource} ${last?.name} was made last`);
  await sleep(SETTLE_MS, undefined, { signal });
  const idleFromMs = Date.now();
  await sleep(idleSeconds * 1000, undefined, { signal });
  const idle = requests().filter(({ atMs, verb }) => atMs >= idleFromMs && verb !== "watch");
  console.log(`${command.join(" ")}: idle for ${idleSeconds} s: ${told(idle)}`);
  const { rssBytes, pssBytes, anonymousBytes } = await processMemory(pid);
  console.log(
    `${command.join(" ")}: ${(rssBytes / MIB).toFixed(1)} MiB RSS, ${(pssBytes / MIB).toFixed(1)} PSS, ${(anonymousBytes / MIB).toFixed(1)} its own`,
  );
  return {
    seconds: (appliedMs - startedMs) / 1000,
    requests: before.length,
    idlePerMinute: (idle.length / idleSeconds) * 60,
    idleWrites: idle.filter(isWrite).length,
    watches: cluster.audit.openWatches(user).length,
    rssMib: rssBytes / MIB,
  };
}

/** When the last object was created. */
async function lastCreation(requests: () => readonly AuditedRequest[], signal: AbortSignal): Promise<number> {
  for (;;) {
    const lastMs = Math.max(
      0,
      ...requests()
        .filter(isCreation)
        .map(({ atMs }) => atMs),
    );
    if (lastMs > 0 && Date.now() - lastMs > QUIET_MS) return lastMs;
    await sleep(500, undefined, { signal });
  }
}

function isCreation({ verb, resource }: AuditedRequest): boolean {
  return verb === "create" && resource !== "leases" && resource !== "events";
}

function isWrite({ verb, resource }: AuditedRequest): boolean {
  return !["get", "list", "watch"].includes(verb) && resource !== "leases";
}

function told(requests: readonly AuditedRequest[]): string {
  return tally(requests.map(({ verb, resource, code }) => ({ verb, resource, status: code })));
}

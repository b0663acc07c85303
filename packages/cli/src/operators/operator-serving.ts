import { startServing } from "@stowage/operator";
import type { Registry } from "prom-client";

export interface OperatorHealth extends AsyncDisposable {
  /** Undefined when nothing is served. */
  readonly url: string | undefined;
  /** From now on this process should lead: it is unwell when it does not. */
  expectToLead(isLeader: () => boolean): void;
}

/**
 * `/healthz` fails when the process should lead and does not: it is to be started anew. `/readyz` fails until the local copies are
 * complete; one that waits for another to end is ready to take over.
 */
export async function serveOperatorHealth(
  registry: Registry,
  { address, isReady }: { readonly address: string | undefined; readonly isReady: () => boolean },
): Promise<OperatorHealth> {
  let isWell = () => true;
  const health = () => (isWell() ? undefined : "the lease was not renewed in time");
  const readiness = () => (isReady() ? undefined : "what it watches is not known yet");
  const server =
    address === undefined
      ? undefined
      : await startServing({
          address,
          metricsPath: "/metrics",
          registry,
          checks: { "/healthz": health, "/readyz": () => health() ?? readiness() },
        });
  return {
    url: server?.url,
    expectToLead(isLeader) {
      isWell = isLeader;
    },
    [Symbol.asyncDispose]: async () => server?.close(),
  };
}

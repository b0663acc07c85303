import { startServing } from "@stowage/operator";
import type { Registry } from "prom-client";
import type { ClusterSidecarOptions } from "./common-options.ts";

export interface SidecarHealth extends AsyncDisposable {
  /** From now on this process should lead: it is unwell when it does not. */
  expectToLead(isLeader: () => boolean): void;
}

/** Metrics and `/healthz/leader-election`, where the flags ask for them. */
export async function serveSidecarHealth(registry: Registry, options: ClusterSidecarOptions): Promise<SidecarHealth> {
  let isWell = () => true;
  const address = options.httpEndpoint ?? options.metricsAddress;
  const server =
    address === undefined
      ? undefined
      : await startServing({
          address,
          metricsPath: options.metricsPath,
          registry,
          checks: { "/healthz/leader-election": () => (isWell() ? undefined : "the lease was not renewed in time") },
        });
  return {
    expectToLead(isLeader) {
      isWell = isLeader;
    },
    [Symbol.asyncDispose]: async () => server?.close(),
  };
}

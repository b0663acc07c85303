import type { ConnectionConfig } from "@stowage/kube";
import { accountClients, runControllers } from "../controllers/index.ts";
import { authorityOf, clientBy, type MemberDeps, openTransport, withoutCredentials } from "./member-connection.ts";

export interface ControllersMemberDeps extends MemberDeps {
  /** As `system:kube-controller-manager`. */
  readonly manager: ConnectionConfig;
  /** As `system:kube-scheduler`. */
  readonly scheduler: ConnectionConfig;
  /** PEM, private: signs the tokens that are kept in Secrets. Those Secrets stay empty when left out. */
  readonly accountTokenKey?: string | undefined;
}

/**
 * Controllers and scheduler of a cluster, as themselves: what all of them look at is read as kube-controller-manager, and each controller
 * writes as a service account of its own. Runs until the signal is aborted.
 */
export async function runControllersMember(deps: ControllersMemberDeps, signal: AbortSignal): Promise<void> {
  const { manager, scheduler, clock, logger, accountTokenKey } = deps;
  const userAgent = "kube-controller-manager";
  using forManager = openTransport(manager, userAgent);
  using forAccounts = openTransport(withoutCredentials(manager), userAgent);
  using forScheduler = openTransport(scheduler, "kube-scheduler");
  const client = clientBy(forManager, deps);
  const rootCertificate = authorityOf(manager);
  await runControllers(
    {
      client,
      clientOf: accountClients({ transport: forAccounts, manager: client, clock, logger }),
      schedulerClient: clientBy(forScheduler, deps),
      clock,
      logger,
      ...(rootCertificate !== undefined && { rootCertificate }),
      ...(accountTokenKey !== undefined && { accountTokenKey }),
    },
    signal,
  );
}

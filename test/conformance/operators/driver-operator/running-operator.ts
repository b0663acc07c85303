import { type DriverProfile, driverOperatorRules, readDriverAssets } from "@stowage/operators/csi-driver";
import { expect } from "vitest";
import { eventually } from "../../kubelet/cluster.ts";
import { StowageProcess } from "../../kubelet/stowage-process.ts";
import type { AuditedRequest } from "./audit.ts";
import { createAccount } from "./operator-account.ts";
import type { OperatorCluster } from "./operator-cluster.ts";

export const images = {
  DRIVER_IMAGE: "registry.test/driver:1",
  PROVISIONER_IMAGE: "registry.test/provisioner:1",
  ATTACHER_IMAGE: "registry.test/attacher:1",
  RESIZER_IMAGE: "registry.test/resizer:1",
  SNAPSHOTTER_IMAGE: "registry.test/snapshotter:1",
  NODE_DRIVER_REGISTRAR_IMAGE: "registry.test/registrar:1",
  LIVENESS_PROBE_IMAGE: "registry.test/probe:1",
  KUBE_RBAC_PROXY_IMAGE: "registry.test/proxy:1",
  SIDECARS_IMAGE: "registry.test/sidecars:1",
};

/** `stowage driver-operator` in a process of its own, with exactly the rights that it is deployed with. */
export class RunningOperator {
  readonly profile: DriverProfile;
  readonly #cluster: OperatorCluster;
  readonly #process = new StowageProcess();
  #kubeconfig: string | undefined;

  constructor(cluster: OperatorCluster, profile: DriverProfile) {
    this.#cluster = cluster;
    this.profile = profile;
  }

  /** Resolves when it leads; rejects when it does not within half a minute. */
  async start(env: Readonly<Record<string, string>> = images): Promise<void> {
    const { id } = this.profile;
    this.#kubeconfig ??= await createAccount(this.#cluster, this.profile, this.rules);
    this.#process.start(["driver-operator", id, "--kubeconfig", this.#kubeconfig, "--v", "4"], env);
    await eventually(async () => expect(this.log).toContain(`"msg":"leading"`), 30_000);
  }

  stop(): Promise<number | null> {
    return this.#process.stop();
  }

  get log(): string {
    return this.#process.log;
  }

  get rules() {
    return driverOperatorRules(this.profile, readDriverAssets(this.profile));
  }

  /** From a time on; not what every user may ask, such as which APIs there are. */
  requests(sinceMs = 0): AuditedRequest[] {
    const user = `system:serviceaccount:${this.profile.namespace}:${this.profile.operatorName}`;
    return this.#cluster.audit.requests((request) => request.user === user && request.atMs >= sinceMs);
  }

  /** But leases and events. */
  writes(sinceMs = 0): string[] {
    return this.requests(sinceMs)
      .filter(
        ({ verb, resource }) => !["get", "list", "watch"].includes(verb) && !["leases", "events"].includes(resource),
      )
      .map(requestText);
  }
}

/** `update deployments.apps openshift-cluster-csi-drivers/name` */
export function requestText({ verb, group, resource, namespace, name }: AuditedRequest): string {
  const where = [namespace, name].filter(Boolean).join("/");
  return `${verb} ${resource}${group && `.${group}`} ${where}`.trim();
}

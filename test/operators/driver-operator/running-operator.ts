// needs: cli driver-operator
import { type DriverProfile, driverOperatorRules, readDriverAssets } from "@stowage/operators/csi-driver";
import { expect } from "vitest";
import { eventually } from "../../node/kubelet/cluster.ts";
import { StowageProcess } from "../../node/kubelet/stowage-process.ts";
import type { AuditedRequest } from "./audit.ts";
import { createAccount } from "./operator-account.ts";
import type { OperatorCluster } from "./operator-cluster.ts";
import { namespace as operatorsNamespace } from "./platform.ts";

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
  readonly #process: StowageProcess;
  #kubeconfig: string | undefined;

  /** `mainPath`: the command of another checkout, which has the driver. */
  constructor(cluster: OperatorCluster, profile: DriverProfile, mainPath?: string) {
    this.#cluster = cluster;
    this.profile = profile;
    this.#process = new StowageProcess(mainPath);
  }

  /** Resolves when it leads; rejects when it does not within half a minute. */
  async start(env: Readonly<Record<string, string>> = images, words: readonly string[] = []): Promise<void> {
    const { id } = this.profile;
    this.#kubeconfig ??= await createAccount(this.#cluster, this.profile, this.rules);
    this.#process.start(["driver-operator", id, "--kubeconfig", this.#kubeconfig, "--v", "4", ...words], env);
    await eventually(async () => expect(this.log).toContain(`"msg":"leading"`));
  }

  stop(): Promise<number | null> {
    return this.#process.stop();
  }

  get log(): string {
    return this.#process.log;
  }

  /** Lines of its metrics that begin so; for one that was started with `--listen`. */
  async figures(beginning: string): Promise<string[]> {
    const [, url = ""] = /"url":"([^"]+)","msg":"serving metrics and health"/u.exec(this.log) ?? [];
    const text = await (await fetch(new URL("/metrics", url))).text();
    return text.split("\n").filter((line) => line.startsWith(beginning));
  }

  get rules() {
    return driverOperatorRules(this.profile, readDriverAssets(this.profile), operatorsNamespace);
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

// needs: cli storage-operator
import { namespaces } from "@stowage/machinery";
import { hostedControlPlanes } from "@stowage/operator";
import { storageOperatorName, storageOperatorNamespace } from "@stowage/operators/cluster-storage";
import { expect } from "vitest";
import { eventually } from "../../node/kubelet/cluster.ts";
import { StowageProcess } from "../../node/kubelet/stowage-process.ts";
import type { AuditedRequest } from "../driver-operator/audit.ts";
import { writeKubeconfig } from "../driver-operator/operator-account.ts";
import { type OperatorCluster, startOperatorCluster } from "../driver-operator/operator-cluster.ts";
import { type StorageCluster, startStorageCluster } from "../storage-operator/storage-cluster.ts";
import { hostedDefinition } from "./hosted-definition.ts";
import { guestPayload, managementPayload } from "./hosted-payload.ts";

/** Of the control plane. */
export const namespace = "clusters-guest";

const inManagement = { name: storageOperatorName, namespace };
const inGuest = { name: storageOperatorName, namespace: storageOperatorNamespace };

/** A management cluster, its guest, and `stowage storage-operator` between them, with the rights that are shipped for either. */
export class HostedClusters implements AsyncDisposable {
  readonly management: OperatorCluster;
  readonly guest: StorageCluster;
  readonly #process = new StowageProcess();
  readonly #flags: readonly string[];

  private constructor(management: OperatorCluster, guest: StorageCluster, flags: readonly string[]) {
    this.management = management;
    this.guest = guest;
    this.#flags = flags;
  }

  static async start(): Promise<HostedClusters> {
    const level = "api";
    await using stack = new AsyncDisposableStack();
    const [management, guest] = await Promise.all([
      startOperatorCluster({ level }).then((cluster) => stack.use(cluster)),
      startStorageCluster(guestPayload(), { level }).then((cluster) => stack.use(cluster)),
    ]);
    await management.install(hostedDefinition);
    await management.client.create(namespaces, { metadata: { name: namespace } });
    await management.apply(...managementPayload(namespace));
    const kubeconfig = await writeKubeconfig(management, inManagement);
    const guestKubeconfig = await writeKubeconfig(guest, inGuest);
    const flags = ["--kubeconfig", kubeconfig, "--guest-kubeconfig", guestKubeconfig, "--namespace", namespace];
    stack.move();
    return new HostedClusters(management, guest, flags);
  }

  /** Resolves when it leads. */
  async startOperator(env: Readonly<Record<string, string>>): Promise<void> {
    this.#process.start(["storage-operator", ...this.#flags], env);
    await eventually(async () => expect(this.log).toContain(`"msg":"leading"`), 120_000);
  }

  stopOperator(): Promise<number | null> {
    return this.#process.stop();
  }

  get log(): string {
    return this.#process.log;
  }

  async createControlPlane(spec: object): Promise<void> {
    const object = { metadata: { name: "guest", namespace }, spec };
    await this.management.client.create(hostedControlPlanes, object);
  }

  /** Of the operator, in either cluster. */
  requests(): { readonly management: AuditedRequest[]; readonly guest: AuditedRequest[] } {
    const of = (account: typeof inGuest) => {
      const user = `system:serviceaccount:${account.namespace}:${account.name}`;
      return (request: AuditedRequest) => request.user === user;
    };
    return {
      management: this.management.audit.requests(of(inManagement)),
      guest: this.guest.audit.requests(of(inGuest)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopOperator();
    await this.management[Symbol.asyncDispose]();
    await this.guest[Symbol.asyncDispose]();
  }
}

// needs: cli storage-operator
import { storageOperatorName, storageOperatorNamespace } from "@stowage/operators/cluster-storage";
import { expect } from "vitest";
import { eventually } from "../../node/kubelet/cluster.ts";
import { StowageProcess } from "../../node/kubelet/stowage-process.ts";
import type { AuditedRequest } from "../driver-operator/audit.ts";
import { writeKubeconfig } from "../driver-operator/operator-account.ts";
import { requestText } from "../driver-operator/running-operator.ts";
import type { StorageCluster } from "./storage-cluster.ts";

export const images = {
  OPERATOR_IMAGE_VERSION: "1.2.3",
  AWS_EBS_DRIVER_OPERATOR_IMAGE: "registry.test/ebs-operator:1",
  AWS_EBS_DRIVER_IMAGE: "registry.test/ebs:1",
  AWS_EFS_DRIVER_OPERATOR_IMAGE: "registry.test/efs-operator:1",
  AWS_EFS_DRIVER_IMAGE: "registry.test/efs:1",
  GCP_FILESTORE_DRIVER_OPERATOR_IMAGE: "registry.test/filestore-operator:1",
  GCP_FILESTORE_DRIVER_IMAGE: "registry.test/filestore:1",
  GCP_PD_DRIVER_OPERATOR_IMAGE: "registry.test/pd-operator:1",
  GCP_PD_DRIVER_IMAGE: "registry.test/pd:1",
  OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE: "registry.test/cinder-operator:1",
  OPENSTACK_CINDER_DRIVER_IMAGE: "registry.test/cinder:1",
  MANILA_DRIVER_OPERATOR_IMAGE: "registry.test/manila-operator:1",
  MANILA_DRIVER_IMAGE: "registry.test/manila:1",
  MANILA_NFS_DRIVER_IMAGE: "registry.test/nfs:1",
  LOCAL_DRIVER_OPERATOR_IMAGE: "registry.test/local-operator:1",
  LOCAL_DRIVER_IMAGE: "registry.test/local:1",
  PROVISIONER_IMAGE: "registry.test/provisioner:1",
  KUBE_RBAC_PROXY_IMAGE: "registry.test/proxy:1",
};

const account = { name: storageOperatorName, namespace: storageOperatorNamespace };

/** `stowage storage-operator` in a process of its own, as the ServiceAccount that the payload has, with the rights that it has there. */
export class RunningStorageOperator {
  readonly #cluster: StorageCluster;
  readonly #process = new StowageProcess();
  #kubeconfig: string | undefined;

  constructor(cluster: StorageCluster) {
    this.#cluster = cluster;
  }

  /** Resolves when it leads; rejects when it does not within half a minute. */
  async start(env: Readonly<Record<string, string>> = images, flags: readonly string[] = []): Promise<void> {
    this.#kubeconfig ??= await writeKubeconfig(this.#cluster, account);
    this.#process.start(["storage-operator", "--kubeconfig", this.#kubeconfig, ...flags], env);
    await eventually(async () => expect(this.log).toContain(`"msg":"leading"`));
  }

  stop(): Promise<number | null> {
    return this.#process.stop();
  }

  get log(): string {
    return this.#process.log;
  }

  requests(sinceMs = 0): AuditedRequest[] {
    const user = `system:serviceaccount:${account.namespace}:${account.name}`;
    return this.#cluster.audit.requests((request) => request.user === user && request.atMs >= sinceMs);
  }

  /** But leases and events. */
  writes(sinceMs = 0): string[] {
    const isWrite = ({ verb, resource }: AuditedRequest) =>
      !["get", "list", "watch"].includes(verb) && !["leases", "events"].includes(resource);
    return this.requests(sinceMs).filter(isWrite).map(requestText);
  }
}

// needs: cli driver-operator
import {
  type DriverProfile,
  guestOperatorRules,
  hostedOperatorRules,
  loadDriverProfile,
  readDriverAssets,
} from "@stowage/operators/csi-driver";
import { StowageProcess } from "../../node/kubelet/stowage-process.ts";
import type { AuditedRequest } from "../driver-operator/audit.ts";
import { createAccount } from "../driver-operator/operator-account.ts";
import type { OperatorCluster } from "../driver-operator/operator-cluster.ts";
import { images } from "../driver-operator/running-operator.ts";

export interface HostedOperatorInput {
  /** Of the driver. */
  readonly id: string;
  /** Of the control plane. */
  readonly namespace: string;
  /** Beside the images that every driver has. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The operator of a driver beside a hosted control plane, in a process of its own and with exactly the rights that it is deployed with.
 * Management cluster and guest are one API server here: what is where is told by the namespace, and who asks by the account.
 */
export interface HostedOperator {
  readonly profile: DriverProfile;
  readonly log: string;
  /** As whom it is in the management cluster. */
  managementRequests(): AuditedRequest[];
  guestRequests(): AuditedRequest[];
  stop(): Promise<unknown>;
}

export async function startHostedOperator(
  cluster: OperatorCluster,
  input: HostedOperatorInput,
): Promise<HostedOperator> {
  const { id, namespace, env = {} } = input;
  const profile = await loadDriverProfile(id);
  const assets = readDriverAssets(profile);
  const management = { operatorName: profile.operatorName, namespace };
  const guest = { operatorName: `${id}-guest`, namespace: profile.namespace };
  const kubeconfig = await createAccount(cluster, management, hostedOperatorRules(profile, assets, namespace));
  const guestKubeconfig = await createAccount(cluster, guest, guestOperatorRules(profile, assets));
  const flags = ["--kubeconfig", kubeconfig, "--guest-kubeconfig", guestKubeconfig, "--namespace", namespace];
  const process = new StowageProcess();
  process.start(["driver-operator", id, ...flags], { ...images, OPERATOR_IMAGE_VERSION: "4.22.0", ...env });
  const requestsOf = (account: typeof guest) => {
    const user = `system:serviceaccount:${account.namespace}:${account.operatorName}`;
    return cluster.audit.requests((request) => request.user === user);
  };
  return {
    profile,
    get log() {
      return process.log;
    },
    managementRequests: () => requestsOf(management),
    guestRequests: () => requestsOf(guest),
    stop: () => process.stop(),
  };
}

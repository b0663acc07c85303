import type { Container, Deployment, Volume } from "@stowage/machinery";
import type { WorkloadHook } from "../hook-context.ts";
import { withPodSpec } from "../pod-spec.ts";
import { guestKubeconfig, guestMount } from "./hosted-place.ts";

/** Where drivers find the token that a cloud trusts, in the assets. */
const tokenVolume = "bound-sa-token";
const tokenFolder = "/var/run/secrets/openshift/serviceaccount";

export interface TokenMinterSpec {
  /** `HYPERSHIFT_IMAGE` of the operator's environment. */
  readonly image: string | undefined;
  /** In the guest. */
  readonly namespace: string;
  readonly serviceAccount: string;
}

/**
 * TokenMinter: the cloud trusts tokens of the guest's API server, and the Pod is in another cluster; so a container beside the driver
 * fetches one there and renews it. Without an image the driver has to do with the credentials that it has.
 */
export function withTokenMinter({ image, namespace, serviceAccount }: TokenMinterSpec): WorkloadHook<Deployment> {
  return (deployment) => {
    if (!image) return deployment;
    const minter: Container = {
      name: "token-minter",
      image,
      imagePullPolicy: "IfNotPresent",
      command: ["/usr/bin/control-plane-operator", "token-minter"],
      args: [
        `--service-account-namespace=${namespace}`,
        `--service-account-name=${serviceAccount}`,
        "--token-audience=openshift",
        `--token-file=${tokenFolder}/token`,
        `--kubeconfig=${guestKubeconfig}`,
      ],
      resources: { requests: { cpu: "10m", memory: "10Mi" } },
      securityContext: { readOnlyRootFilesystem: true },
      terminationMessagePolicy: "FallbackToLogsOnError",
      volumeMounts: [{ name: tokenVolume, mountPath: tokenFolder }, guestMount],
    };
    const shared: Volume = { name: tokenVolume, emptyDir: { medium: "Memory" } };
    return withPodSpec(deployment, (pod) => ({
      ...pod,
      containers: [...pod.containers, minter],
      volumes: [...(pod.volumes ?? []).filter(({ name }) => name !== tokenVolume), shared],
    }));
  };
}

/**
 * ARO CSI volume: on Azure's own service the identity of the control plane is a certificate that the Secrets Store driver mounts; the
 * class says which. For the first container, which is the driver.
 */
export function withSecretProviderClass(volume: string, className: string | undefined): WorkloadHook<Deployment> {
  return (deployment) => {
    const secretProviderClass = className?.trim();
    if (!secretProviderClass) return deployment;
    const csi = { driver: "secrets-store.csi.k8s.io", readOnly: true, volumeAttributes: { secretProviderClass } };
    const mount = { name: volume, mountPath: "/mnt/certs", readOnly: true };
    return withPodSpec(deployment, (pod) => ({
      ...pod,
      containers: pod.containers.map((container, index) =>
        index === 0 ? { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] } : container,
      ),
      volumes: [...(pod.volumes ?? []), { name: volume, csi }],
    }));
  };
}

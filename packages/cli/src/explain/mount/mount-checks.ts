import { configMaps, type Pod, secrets } from "@stowage/machinery";
import type { Need } from "../attachment/attachment-checks.ts";
import type { CauseCode } from "../causes.ts";
import { rpcFailureIn } from "../driver/rpc-failure.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, inNamespace, missing, told } from "../finding.ts";
import { describe } from "../mending.ts";

/** Objects whose content the Pod mounts, and that must be there. */
export async function filesMissing(pod: Pod, facts: Facts): Promise<Finding | undefined> {
  const { namespace = "" } = pod.metadata;
  for (const { configMap, secret, projected } of pod.spec?.volumes ?? []) {
    const wanted = [
      { configMap, secret: secret && { ...secret, name: secret.secretName } },
      ...(projected?.sources ?? []),
    ];
    for (const source of wanted) {
      const map = source.configMap?.optional === true ? undefined : source.configMap?.name;
      if (map && (await facts.find(configMaps, { namespace, name: map })) === undefined)
        return filesFinding(pod, "ConfigMap", map);
      const name = source.secret?.optional === true ? undefined : source.secret?.name;
      if (name && (await facts.find(secrets, { namespace, name })) === undefined)
        return filesFinding(pod, "Secret", name);
    }
  }
  return undefined;
}

function filesFinding({ metadata }: Pod, kind: "ConfigMap" | "Secret", name: string): Finding {
  const { namespace } = metadata;
  return {
    cause: kind === "ConfigMap" ? "POD_CONFIG_MAP_MISSING" : "POD_SECRET_MISSING",
    says: `Pod ${namespace}/${metadata.name} mounts ${kind} "${name}", which does not exist.`,
    evidence: [missing(kind, { namespace, name })],
    mend: [
      kind === "ConfigMap"
        ? `kubectl create configmap ${name}${inNamespace(metadata)} --from-file=FILE`
        : `kubectl create secret generic ${name}${inNamespace(metadata)} --from-file=FILE`,
    ],
  };
}

/** A Secret that the volume names for its node, without which the node does not even ask the driver. */
export async function nodeSecretMissing({ pod, volume }: Need, facts: Facts): Promise<Finding | undefined> {
  const { nodeStageSecretRef, nodePublishSecretRef } = volume.spec?.csi ?? {};
  for (const [path, ref] of Object.entries({ nodeStageSecretRef, nodePublishSecretRef })) {
    const { namespace = "", name = "" } = ref ?? {};
    if (name === "" || (await facts.secretKeys({ namespace, name })) !== undefined) continue;
    const event = (await facts.eventsOf(pod)).findLast(({ message = "" }) => /SecretRef/u.test(message));
    return {
      cause: "NODE_SECRET_MISSING",
      says: `PersistentVolume "${volume.metadata.name}" names Secret ${namespace}/${name} for the node, which does not exist.`,
      evidence: [
        field(volume, `spec.csi.${path}`, `${namespace}/${name}`),
        missing("Secret", { namespace, name }),
        ...(event === undefined ? [] : [told(event)]),
      ],
      mend: [`kubectl create secret generic ${name} -n ${namespace} --from-literal=KEY=VALUE`],
    };
  }
  return undefined;
}

interface Ground {
  readonly pattern: RegExp;
  readonly cause: CauseCode;
  readonly says: string;
}

/** Kubelet's words, the most telling first. */
const grounds: readonly Ground[] = [
  {
    pattern: /driver name \S+ not found in the list of registered CSI drivers/u,
    cause: "NODE_WITHOUT_DRIVER",
    says: "its volume's driver is not registered on the node",
  },
  {
    pattern: /MountVolume\.MountDevice failed/u,
    cause: "STAGE_REFUSED",
    says: "the driver could not make the volume ready on the node",
  },
  {
    pattern: /MountVolume\.(?:SetUp|Mount) failed/u,
    cause: "MOUNT_REFUSED",
    says: "the driver could not mount the volume for the Pod",
  },
];

/** What kubelet says of volumes that it cannot mount. */
export async function mountRefused(pod: Pod, facts: Facts): Promise<Finding | undefined> {
  if (!pod.spec?.nodeName || pod.status?.phase === "Running") return undefined;
  const events = (await facts.eventsOf(pod)).filter(({ reason }) => reason === "FailedMount").toReversed();
  for (const { pattern, cause, says } of grounds) {
    const event = events.find(({ message = "" }) => pattern.test(message));
    if (event === undefined) continue;
    const failure = rpcFailureIn(event.message);
    return {
      cause,
      says: `Pod ${pod.metadata.namespace}/${pod.metadata.name} cannot start: ${says}${failure === undefined ? "" : ` (${failure.code})`}.`,
      evidence: [told(event)],
      mend: [describe(pod), `kubectl get pods -A --field-selector spec.nodeName=${pod.spec.nodeName}`],
    };
  }
  return undefined;
}

import {
  attacherFinalizer,
  csiAttachmentName,
  csiDrivers,
  csiNodes,
  type Node,
  nodes,
  type PersistentVolume,
  type Pod,
  volumeAttachments,
} from "@stowage/machinery";
import { rpcFailureIn } from "../driver/rpc-failure.ts";
import { sidecarDown } from "../driver/sidecar-checks.ts";
import { sidecarLog } from "../driver/sidecar-log.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field, missing, told } from "../finding.ts";
import { describe } from "../mending.ts";

/** A CSI volume that a Pod needs on its node. */
export interface Need {
  readonly pod: Pod;
  readonly volume: PersistentVolume;
  readonly driver: string;
  readonly nodeName: string;
}

export async function nodeNotReady(pod: Pod, facts: Facts): Promise<Finding | undefined> {
  const { nodeName = "" } = pod.spec ?? {};
  if (nodeName === "") return undefined;
  const node = await facts.find(nodes, { name: nodeName });
  if (node === undefined) {
    return {
      cause: "NODE_MISSING",
      says: `Pod ${pod.metadata.namespace}/${pod.metadata.name} is on node ${nodeName}, which does not exist.`,
      evidence: [field(pod, "spec.nodeName", nodeName), missing("Node", { name: nodeName })],
      mend: [`kubectl delete pod ${pod.metadata.name} -n ${pod.metadata.namespace} --force --grace-period=0`],
    };
  }
  const ready = readyOf(node);
  if (ready?.status === "True") return undefined;
  return {
    cause: "NODE_NOT_READY",
    says: `Node ${nodeName} of Pod ${pod.metadata.namespace}/${pod.metadata.name} is not ready.`,
    evidence: [
      field(
        node,
        "status.conditions[Ready]",
        [ready?.status, ready?.reason, ready?.message].filter(Boolean).join(" ") || "not set",
      ),
    ],
    mend: [describe(node), `kubectl get pods -A --field-selector spec.nodeName=${nodeName}`],
  };
}

function readyOf({ status }: Node) {
  return status?.conditions?.find(({ type }) => type === "Ready");
}

export async function nodeWithoutDriver({ pod, driver, nodeName }: Need, facts: Facts): Promise<Finding | undefined> {
  const csiNode = await facts.find(csiNodes, { name: nodeName });
  const names = (csiNode?.spec.drivers ?? []).map(({ name }) => name);
  if (names.includes(driver)) return undefined;
  return {
    cause: "NODE_WITHOUT_DRIVER",
    says: `Pod ${pod.metadata.namespace}/${pod.metadata.name} is on node ${nodeName}, where driver ${driver} is not registered.`,
    evidence: [
      csiNode === undefined
        ? missing("CSINode", { name: nodeName })
        : field(csiNode, "spec.drivers", names.join(", ") || "none"),
    ],
    mend: [`kubectl get pods -A --field-selector spec.nodeName=${nodeName}`, `kubectl describe csinode ${nodeName}`],
  };
}

async function isAttachedAtAll(driver: string, facts: Facts): Promise<boolean> {
  const object = await facts.find(csiDrivers, { name: driver });
  return object?.spec.attachRequired !== false;
}

function attachmentName({ driver, volume, nodeName }: Need): string {
  return csiAttachmentName({ driver, volumeHandle: volume.spec?.csi?.volumeHandle ?? "" }, nodeName);
}

/** The volume can be on one node at a time, and another has it. */
export async function multiAttach(need: Need, facts: Facts): Promise<Finding | undefined> {
  const { pod, volume, nodeName } = need;
  const isShared = (volume.spec?.accessModes ?? []).some((mode) => mode === "ReadWriteMany" || mode === "ReadOnlyMany");
  const attached = await facts.list(volumeAttachments);
  const elsewhere = attached.find(
    ({ spec }) => spec.source.persistentVolumeName === volume.metadata.name && spec.nodeName !== nodeName,
  );
  const here = attached.find(({ metadata }) => metadata.name === attachmentName(need));
  if (isShared || elsewhere === undefined || here?.status?.attached === true) return undefined;
  const event = (await facts.eventsOf(pod)).findLast(({ message = "" }) => message.startsWith("Multi-Attach error"));
  return {
    cause: "MULTI_ATTACH",
    says: `PersistentVolume "${volume.metadata.name}" is attached to node ${elsewhere.spec.nodeName}, and can be on one node alone.`,
    evidence: [
      field(elsewhere, "spec.nodeName", elsewhere.spec.nodeName),
      field(volume, "spec.accessModes", volume.spec?.accessModes ?? []),
      ...(event === undefined ? [] : [told(event)]),
    ],
    mend: [
      `kubectl get pods -A --field-selector spec.nodeName=${elsewhere.spec.nodeName} -o wide`,
      `kubectl taint node ${elsewhere.spec.nodeName} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute`,
    ],
  };
}

export async function attachRefused(need: Need, facts: Facts): Promise<Finding | undefined> {
  const attachment = await facts.find(volumeAttachments, { name: attachmentName(need) });
  const message = attachment?.status?.attachError?.message;
  if (attachment === undefined || attachment.status?.attached === true || message === undefined) return undefined;
  const event = (await facts.eventsOf(need.pod)).findLast(({ reason }) => reason === "FailedAttachVolume");
  const failure = rpcFailureIn(message);
  const log = await sidecarLog({ driver: need.driver, role: "attacher", about: attachment }, facts);
  const isFull = failure?.code === "ResourceExhausted";
  return {
    cause: isFull ? "ATTACH_NODE_FULL" : "ATTACH_REFUSED",
    says: isFull
      ? `Node ${need.nodeName} has as many volumes attached as the storage allows.`
      : `The driver could not attach PersistentVolume "${need.volume.metadata.name}" to node ${need.nodeName}${failure === undefined ? "" : ` (ControllerPublishVolume: ${failure.code})`}.`,
    evidence: [
      field(attachment, "status.attachError.message", message),
      ...(event === undefined ? [] : [told(event)]),
      ...log,
    ],
    mend: isFull
      ? [`kubectl get volumeattachments | grep ${need.nodeName}`, `kubectl cordon ${need.nodeName}`]
      : [`kubectl describe volumeattachment ${attachment.metadata.name}`, "stowage status"],
  };
}

export async function attacherDown(need: Need, facts: Facts): Promise<Finding | undefined> {
  if (!(await isAttachedAtAll(need.driver, facts))) return undefined;
  const attachment = await facts.find(volumeAttachments, { name: attachmentName(need) });
  if (attachment === undefined || attachment.status?.attached === true) return undefined;
  const isTaken = (attachment.metadata.finalizers ?? []).includes(attacherFinalizer(need.driver));
  const hasActed = isTaken || attachment.status?.attachError !== undefined;
  return sidecarDown({ driver: need.driver, role: "attacher", hasActed }, facts);
}

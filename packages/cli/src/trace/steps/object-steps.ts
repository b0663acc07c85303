import type {
  KubernetesObject,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  VolumeAttachment,
} from "@stowage/machinery";
import { nameOf } from "../../explain/finding.ts";
import { rankOf } from "../chain-order.ts";
import type { Records } from "../records.ts";
import type { Step } from "../step.ts";
import { partOf } from "./actors.ts";
import { creatorOf, writesOf } from "./field-writes.ts";

/** What the objects themselves say of their time: made, written, changed in state, asked to go. */
export function objectSteps({ claim, volume, attachments, pods, snapshots }: Records): readonly Step[] {
  const objects: readonly KubernetesObject[] = [
    ...(claim === undefined ? [] : [claim]),
    ...(volume === undefined ? [] : [volume]),
    ...attachments,
    ...pods,
    ...snapshots,
  ];
  return [
    ...objects.flatMap(lifeOf),
    ...objects.flatMap(writesOf),
    ...(claim === undefined ? [] : claimConditions(claim)),
    ...(volume === undefined ? [] : phaseOf(volume)),
    ...attachments.flatMap(attachmentErrors),
    ...pods.flatMap(podConditions),
    ...pods.flatMap(containerSteps),
  ];
}

function lifeOf(object: KubernetesObject): readonly Step[] {
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  const steps: Step[] = [];
  if (creationTimestamp !== undefined) {
    const says = `created ${object.kind}${placeOf(object)}`;
    steps.push(timed(object, { time: creationTimestamp, kind: "created", actor: creatorOf(object), says }));
  }
  if (deletionTimestamp !== undefined) {
    const held = finalizers.length === 0 ? "" : `; kept by ${finalizers.join(", ")}`;
    const says = `deletion of ${object.kind}${placeOf(object)} was asked for${held}`;
    const asked = timed(object, { time: deletionTimestamp, kind: "deleted", actor: "somebody", says });
    // A Pod's is when its time to end in peace is over.
    steps.push({ ...asked, atMs: asked.atMs - deletionGracePeriodSeconds * 1000 });
  }
  return steps;
}

/** Of an attachment the node says more than its name, which is a hash; the claim and the volume are the only ones of their kind. */
function placeOf(object: KubernetesObject): string {
  if (object.kind === "Pod" || object.kind === "VolumeSnapshot") return ` ${object.metadata.name}`;
  return object.kind === "VolumeAttachment" ? ` to ${(object as VolumeAttachment).spec.nodeName}` : "";
}

function claimConditions(claim: PersistentVolumeClaim): readonly Step[] {
  return (claim.status?.conditions ?? []).flatMap(({ type, status, lastTransitionTime: time, message = "" }) =>
    time === undefined
      ? []
      : [timed(claim, { time, kind: "condition", actor: "resizer", says: `${type} is ${status}${after(message)}` })],
  );
}

function phaseOf(volume: PersistentVolume): readonly Step[] {
  const { lastPhaseTransitionTime: time, phase = "" } = volume.status ?? {};
  const actor = "persistentvolume-controller";
  return time === undefined ? [] : [timed(volume, { time, kind: "condition", actor, says: `phase is ${phase}` })];
}

function attachmentErrors(attachment: VolumeAttachment): readonly Step[] {
  const { attachError, detachError } = attachment.status ?? {};
  return [attachError, detachError].flatMap((error) => {
    if (error?.time === undefined) return [];
    const says = error === attachError ? "attaching failed" : "detaching failed";
    const step = timed(attachment, {
      time: error.time,
      kind: "condition",
      actor: "attacher",
      says: `${says}${after(error.message ?? "")}`,
    });
    return [{ ...step, isTrouble: true }];
  });
}

function podConditions(pod: Pod): readonly Step[] {
  return (pod.status?.conditions ?? []).flatMap(({ type, status, lastTransitionTime: time, message = "" }) => {
    if (time === undefined) return [];
    const says = `${type} is ${status}${after(message)}`;
    if (type !== "PodScheduled") return [timed(pod, { time, kind: "condition", actor: kubeletOf(pod), says })];
    const actor = "default-scheduler";
    return [{ ...timed(pod, { time, kind: "condition", actor, says }), rank: rankOf("Scheduled") }];
  });
}

function containerSteps(pod: Pod): readonly Step[] {
  return (pod.status?.containerStatuses ?? []).flatMap(({ name, state = {} }) => {
    const { running, terminated } = state;
    const steps = [
      { time: running?.startedAt ?? terminated?.startedAt, says: `container ${name} started` },
      { time: terminated?.finishedAt, says: `container ${name} ended with ${terminated?.exitCode}` },
    ];
    return steps.flatMap(({ time, says }) =>
      time == null ? [] : [timed(pod, { time, kind: "condition", actor: kubeletOf(pod), says })],
    );
  });
}

function kubeletOf({ spec }: Pod): string {
  return spec?.nodeName ? `kubelet ${spec.nodeName}` : "kubelet";
}

interface Happening {
  readonly time: string;
  readonly kind: "created" | "deleted" | "condition";
  readonly actor: string;
  readonly says: string;
}

function timed(object: KubernetesObject, { time, kind, actor, says }: Happening): Step {
  return {
    atMs: Date.parse(time),
    isExact: false,
    actor,
    kind,
    object: nameOf(object),
    says,
    isTrouble: false,
    source: kind === "condition" ? "status" : "metadata",
    rank: rankOf(partOf(kind, object)),
  };
}

function after(message: string): string {
  return message === "" ? "" : `: ${message}`;
}

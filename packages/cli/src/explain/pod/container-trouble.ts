import type { ContainerStatus, Pod } from "@stowage/machinery";
import { type Evidence, type Finding, field, inNamespace } from "../finding.ts";
import { describe } from "../mending.ts";

/** What keeps a container of a Pod from running that has a node and its volumes. */
export interface ContainerTrouble extends Pick<Finding, "says" | "evidence" | "mend"> {
  readonly kind: "image" | "crash";
}

const imageReasons: ReadonlySet<string> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
]);

export function containerTrouble(pod: Pod): ContainerTrouble | undefined {
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const statuses = [...initContainerStatuses, ...containerStatuses];
  const pulling = statuses.find(({ state }) => imageReasons.has(state?.waiting?.reason ?? ""));
  if (pulling !== undefined) {
    const says = `container "${pulling.name}" has an image that cannot be had: ${pulling.image}.`;
    return { kind: "image", says, evidence: [stateOf(pod, pulling)], mend: [describe(pod)] };
  }
  const crashing = statuses.find(isCrashing);
  if (crashing === undefined) return undefined;
  const { exitCode } = crashing.lastState?.terminated ?? crashing.state?.terminated ?? {};
  return {
    kind: "crash",
    says: `container "${crashing.name}" ends again and again, last with exit code ${exitCode ?? "unknown"}.`,
    evidence: [stateOf(pod, crashing), field(pod, "status.containerStatuses.restartCount", crashing.restartCount)],
    mend: [`kubectl logs ${pod.metadata.name}${inNamespace(pod.metadata)} -c ${crashing.name} --previous`],
  };
}

function isCrashing({ state, restartCount }: ContainerStatus): boolean {
  const hasFailedAgain = (state?.terminated?.exitCode ?? 0) !== 0 && restartCount > 0;
  return state?.waiting?.reason === "CrashLoopBackOff" || hasFailedAgain;
}

function stateOf(pod: Pod, { name, state }: ContainerStatus): Evidence {
  const { reason = "", message = "" } = state?.waiting ?? state?.terminated ?? {};
  return field(pod, `status.containerStatuses[${name}]`, [reason, message].filter(Boolean).join(": "));
}

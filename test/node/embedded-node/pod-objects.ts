import { imageReferences } from "@stowage/lab";
import { type Container, type ContainerStatus, events, type Pod, type PodSpec, pods } from "@stowage/machinery";
import type { Scene } from "./scenario.ts";

/** Of the only Pod of most scenarios. */
const NAME = "user";

/** Runs until it is told to end, which it does at once. */
export const serving = "trap 'exit 0' TERM; while :; do sleep 0.1; done";
/** Does not end when it is told to. */
export const deaf = "trap '' TERM; while :; do sleep 0.1; done";

/** The image has the machine's own tools: what scripts say is the same wherever they run. */
export function container(script: string, more: Partial<Container> = {}): Container {
  const image = imageReferences.tools;
  return { name: "main", image, imagePullPolicy: "Never", command: ["sh", "-c", script], ...more };
}

/** Ends, and has said what the script prints as its last words, which the Pod's status shows. */
export function saying(script: string, more: Partial<Container> = {}): Container {
  return container(`{ ${script}; } > /dev/termination-log 2>&1`, more);
}

export function createPod(scene: Scene, spec: PodSpec, metadata: Pod["metadata"] = {}): Promise<Pod> {
  const given = { terminationGracePeriodSeconds: 1, ...spec };
  return scene.create(pods, { metadata: { name: NAME, ...metadata }, spec: given });
}

/** A Pod that runs once: what it says is what is compared. */
export async function runOnce(scene: Scene, spec: PodSpec, metadata: Pod["metadata"] = {}): Promise<void> {
  const { name = NAME } = metadata;
  await createPod(scene, { restartPolicy: "Never", ...spec }, metadata);
  await scene.until(pods, name, ({ status }) => ["Succeeded", "Failed"].includes(status?.phase ?? ""));
}

export function untilPhase(scene: Scene, phase: string, name = NAME): Promise<Pod> {
  return scene.until(pods, name, ({ status }) => status?.phase === phase);
}

export function untilReady(scene: Scene, name = NAME): Promise<Pod> {
  return scene.until(pods, name, ({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
  );
}

/** Until the Pod says so of its container, or of its init container. */
export function untilContainer(
  scene: Scene,
  isWanted: (status: ContainerStatus) => boolean | undefined,
  name = "main",
): Promise<Pod> {
  return scene.until(pods, NAME, ({ status }) => {
    const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
    const found = all.find((each) => each.name === name);
    return found !== undefined && isWanted(found);
  });
}

export const isWaitingFor = (reason: string) => (status: ContainerStatus) => status.state?.waiting?.reason === reason;

/** The second time: whether kubelet says so the first time depends on whether it looks again before the wait is over. */
export function isWaitingLonger({ state, restartCount }: ContainerStatus): boolean {
  return restartCount === 2 && state?.waiting?.reason === "CrashLoopBackOff";
}

/** Until an event with the reason was told, about whatever it is. */
export async function untilTold(scene: Scene, reason: string): Promise<void> {
  await scene.untilAll(events, (all) => all.some((event) => event.reason === reason));
}

/** Deletes the Pod, which a finalizer keeps, so that its last status can be seen. */
export async function removeKept(scene: Scene): Promise<void> {
  await scene.remove(pods, NAME);
  await untilContainer(scene, ({ state }) => state?.terminated !== undefined);
}

/** Of a Pod that is to be seen when it has ended. */
export const kept = { finalizers: ["example.org/kept"] };

import type { Pod } from "@stowage/machinery";
import { errorText } from "../kit/index.ts";
import { mayHelp } from "./queue/news.ts";
import { isWaiting, refuse, type Scheduling } from "./scheduling.ts";
import type { NodeState } from "./snapshot/node-state.ts";
import type { StorageView } from "./volumes/storage-view.ts";
import { podClaims } from "./volumes/volume-binding.ts";
import { type VolumePlan, volumePlan } from "./volumes/volume-plan.ts";
import { assumeVolumes, bindVolumes, takeBackVolumes } from "./volumes/volume-writes.ts";

export interface Chosen {
  readonly pod: Pod;
  readonly state: NodeState;
  /** As it was when the choice was made. */
  readonly storage: StorageView;
}

/** Brings the Pod to its node: its volumes first. What it takes there is taken at once in the eyes of others. */
export async function bringToNode(s: Scheduling, chosen: Chosen, signal: AbortSignal): Promise<void> {
  const { pod, state } = chosen;
  const { namespace, name, uid = "" } = pod.metadata;
  s.expected.assume(pod, state.name);
  const plan = assumeVolumes(s.volumes, planFor(chosen), state.name);
  const failure = await bindAll(s, chosen, plan, signal).catch(errorText);
  if (failure === undefined) {
    s.queue.remove(uid);
    const message = `Successfully assigned ${namespace}/${name} to ${state.name}`;
    return s.events.tell(pod, { type: "Normal", reason: "Scheduled", action: "Binding", message });
  }
  s.expected.forget(pod);
  takeBackVolumes(s.volumes, plan);
  if (!signal.aborted) startOver(s, chosen, failure);
}

function startOver(s: Scheduling, { pod, state }: Chosen, message: string): void {
  const { namespace, name, uid = "" } = pod.metadata;
  const current = s.pods.objects.getByKey(`${namespace}/${name}`);
  if (current?.metadata.uid !== uid || !isWaiting(current)) return s.queue.remove(uid);
  s.queue.fail(uid);
  // What it was promised may have been written a moment ago.
  const promised = { ...current, status: { ...current.status, nominatedNodeName: state.name } };
  refuse(s, promised, { message, reason: "SchedulerError", nominatedNodeName: "" });
  wakeOthers(s);
}

/** Others may have the room that it was to have. */
function wakeOthers(s: Scheduling): void {
  s.queue.wake(({ key }, filters) => {
    const other = s.pods.objects.getByKey(key);
    return other !== undefined && mayHelp({ what: "pod gone" }, other, filters);
  });
}

function planFor({ pod, state, storage }: Chosen): VolumePlan {
  const claims = podClaims(pod, storage);
  const plan = typeof claims === "string" ? [] : volumePlan(claims, state.node, storage);
  return "bindings" in plan ? plan : { bindings: [], provisions: [] };
}

/** Returns why it could not be done. */
async function bindAll(
  s: Scheduling,
  { pod, state }: Chosen,
  plan: VolumePlan,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (plan.bindings.length + plan.provisions.length > 0) {
    // Others that watch are to know where it will be: it may take a while until it is.
    await s.writes.status(pod, { nominatedNodeName: state.name });
    const failure = await bindVolumes(s.volumes, plan, state.node, signal).catch(errorText);
    if (failure !== undefined) return `running PreBind plugin "VolumeBinding": ${failure}`;
  }
  return await s.writes.bind(pod, state.name).then(
    () => undefined,
    (error: unknown) => `running Bind plugin "DefaultBinder": ${errorText(error)}`,
  );
}

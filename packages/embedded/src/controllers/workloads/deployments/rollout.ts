import type { EventRecorder, KubeClient } from "@stowage/kube";
import { type Clock, type Deployment, deployments, type Pod, type ReplicaSet, replicaSets } from "@stowage/machinery";
import { canonicalText } from "../../kit/index.ts";
import type { Scaling } from "./old-set-steps.ts";
import { replicasAnnotations } from "./revisions.ts";
import { replicasOf } from "./rollout-amounts.ts";

/** One Deployment on its way to what it wants. */
export interface Rollout {
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
  /** As it was written last. */
  deployment: Deployment;
  /** All that are its own, as they were written last. */
  sets: readonly ReplicaSet[];
  podsOf(set: ReplicaSet): readonly Pod[];
}

interface Written {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly status: Deployment["status"];
}

/** The revision is an annotation that goes with the status. */
export async function writeDeployment(rollout: Rollout, { annotations, status }: Written): Promise<void> {
  const { client, deployment } = rollout;
  const metadata = annotations === undefined ? deployment.metadata : { ...deployment.metadata, annotations };
  rollout.deployment = await client.update(deployments, { ...deployment, metadata, status }, { subresource: "status" });
}

/** Writes a ReplicaSet, which counts from then on. */
export async function writeSet(rollout: Rollout, set: ReplicaSet): Promise<ReplicaSet> {
  const written = await rollout.client.update(replicaSets, set);
  rollout.sets = rollout.sets.map((each) => (each.metadata.uid === written.metadata.uid ? written : each));
  return written;
}

/** Returns it as it is then. Unless forced, what has the size already is left alone. */
export async function scaleSet(rollout: Rollout, { set, replicas }: Scaling, isForced = false): Promise<ReplicaSet> {
  const { deployment, recorder } = rollout;
  const before = replicasOf(set);
  const annotations = { ...set.metadata.annotations, ...replicasAnnotations(deployment) };
  const isAnnotated = canonicalText(annotations) === canonicalText(set.metadata.annotations);
  if (before === replicas && (!isForced || isAnnotated)) return set;
  const scaled = await writeSet(rollout, {
    ...set,
    metadata: { ...set.metadata, annotations },
    spec: { ...set.spec, replicas } as NonNullable<ReplicaSet["spec"]>,
  });
  if (before !== replicas) {
    const way = before < replicas ? "up" : "down";
    const message = `Scaled ${way} replica set ${set.metadata.name} from ${before} to ${replicas}`;
    recorder.event(deployment, "Normal", "ScalingReplicaSet", message);
  }
  return scaled;
}

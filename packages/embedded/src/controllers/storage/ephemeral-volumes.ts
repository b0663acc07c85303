import { createController, type EventRecorder, type Informer, type KubeClient, objectKey } from "@stowage/kube";
import {
  bindingReasons,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  pods,
  StowageError,
  type Volume,
} from "@stowage/machinery";
import {
  type ControllerDeps,
  type ControllerPart,
  controllerReference,
  errorText,
  queueBackoff,
} from "../kit/index.ts";
import { ephemeralClaimName, isMadeForPod, podsByClaim } from "./pod-volumes.ts";

/** The claim for a volume that lives as long as its Pod; undefined for any other volume. */
export function desiredEphemeralClaim(pod: Pod, volume: Volume): PersistentVolumeClaim | undefined {
  const template = volume.ephemeral?.volumeClaimTemplate;
  if (template === undefined) return undefined;
  const { name = "", namespace } = pod.metadata;
  const { labels, annotations } = template.metadata ?? {};
  const ownerReferences = [controllerReference(pod)];
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: ephemeralClaimName(name, volume), namespace, ownerReferences, labels, annotations },
    spec: template.spec,
  };
}

interface Ephemeral {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly claims: Informer<PersistentVolumeClaim>;
}

/**
 * Makes the claims of generic ephemeral volumes.
 *
 * Watches Pods and PersistentVolumeClaims. Creates claims that belong to their Pod: garbage collection deletes them with it. Tells by
 * events on the Pod when a claim cannot be made, or one of that name belongs to somebody else.
 */
export function createEphemeralVolumes(deps: ControllerDeps): ControllerPart {
  const { client, informers } = deps;
  const claims = informers.informer(persistentVolumeClaims);
  const podCopies = informers.informer(pods);
  podCopies.addIndex(podsByClaim.name, podsByClaim.valuesOf);
  const ephemeral: Ephemeral = { client, events: deps.recorder("ephemeral_volume"), claims };
  const controller = createController(deps, {
    name: "ephemeral_volume",
    workers: 5,
    backoff: queueBackoff,
    async sync(key) {
      const pod = podCopies.objects.getByKey(key);
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
      for (const volume of pod.spec?.volumes ?? []) await ensureClaim(ephemeral, pod, volume);
    },
  });
  // A Pod's volumes never change, and so no update of it is news; a claim that somebody deleted is made anew.
  const keysOf = (pod: Pod) => ((pod.spec?.volumes ?? []).some(({ ephemeral: own }) => own) ? [objectKey(pod)] : []);
  controller.watch(podCopies, keysOf, { isNews: () => false });
  claims.addHandler({
    onDelete(claim) {
      const users = podCopies.objects.byIndex(podsByClaim.name, objectKey(claim));
      for (const key of users.flatMap(keysOf)) controller.queue.add(key);
    },
  });
  return { name: "ephemeral-volume-controller", run: (signal) => controller.run(signal) };
}

async function ensureClaim({ client, events, claims }: Ephemeral, pod: Pod, volume: Volume): Promise<void> {
  const desired = desiredEphemeralClaim(pod, volume);
  if (desired === undefined) return;
  const { name } = desired.metadata;
  try {
    const present = claims.objects.getByKey(objectKey(desired));
    if (present === undefined) await client.create(persistentVolumeClaims, desired).catch(explain);
    else if (!isMadeForPod(present, pod)) throw foreignClaim(present, pod);
  } catch (error) {
    events.event(pod, "Warning", bindingReasons.failed, `ephemeral volume ${volume.name}: ${errorText(error)}`);
    throw error;
  }

  function explain(cause: unknown): never {
    throw new StowageError("EPHEMERAL_CLAIM_UNUSABLE", `create PVC ${name}: ${errorText(cause)}`, { cause });
  }
}

function foreignClaim({ metadata: claim }: PersistentVolumeClaim, { metadata: pod }: Pod): StowageError {
  const [claimKey, podKey] = [claim, pod].map(({ namespace, name }) => `${namespace}/${name}`);
  return new StowageError(
    "EPHEMERAL_CLAIM_UNUSABLE",
    `PVC ${claimKey} was not created for pod ${podKey} (pod is not owner)`,
  );
}

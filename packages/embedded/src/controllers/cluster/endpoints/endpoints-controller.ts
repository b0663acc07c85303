import {
  createController,
  type EventRecorder,
  isNamespaceTerminating,
  isNotFound,
  type KubeClient,
  objectKey,
  refOfKey,
} from "@stowage/kube";
import { type Endpoints, endpoints, type Pod, pods, type Service, services } from "@stowage/machinery";
import {
  type ControllerDeps,
  type ControllerPart,
  canonicalText,
  errorText,
  queueBackoff,
  retryOnConflict,
} from "../../kit/index.ts";
import { desiredSubsets, isSameSubsets, truncatedSubsets } from "./endpoint-subsets.ts";
import {
  byNamespace,
  HEADLESS_LABEL,
  hasOwnEndpoints,
  isHeadless,
  isPodNews,
  podsOf,
  servicesOf,
  TRIGGER_TIME_ANNOTATION,
} from "./service-pods.ts";
import { TriggerTimes, withTriggerTime } from "./trigger-times.ts";

const MANAGED_BY_LABEL = "endpoints.kubernetes.io/managed-by";
const CONTROLLER = "endpoint-controller";
const OVER_CAPACITY_ANNOTATION = "endpoints.kubernetes.io/over-capacity";
/** On what replicas once chose their leader by: it has no Service, and must stay. */
const LEADER_ANNOTATION = "control-plane.alpha.kubernetes.io/leader";

/** The Endpoints as they have to be; undefined when they are so already. */
export function desiredEndpoints(
  service: Service,
  own: readonly Pod[],
  present: Endpoints | undefined,
  time: string | undefined,
): Endpoints | undefined {
  const all = desiredSubsets(service, own);
  const truncated = truncatedSubsets(all);
  const subsets = truncated ?? all;
  const labels = desiredLabels(service);
  if (present !== undefined && isCurrent(present, { labels, subsets, isTruncated: truncated !== undefined })) return;
  const timed = withTriggerTime(present?.metadata.annotations, TRIGGER_TIME_ANNOTATION, time);
  const annotations = withTriggerTime(timed, OVER_CAPACITY_ANNOTATION, truncated && "truncated");
  const { name, namespace } = service.metadata;
  return {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { ...present?.metadata, name, namespace, labels, annotations },
    subsets,
  };
}

interface Wanted {
  readonly labels: Readonly<Record<string, string>>;
  readonly subsets: NonNullable<Endpoints["subsets"]>;
  readonly isTruncated: boolean;
}

/** The label of headless ones alone is no reason to write. */
function isCurrent(present: Endpoints, { labels, subsets, isTruncated }: Wanted): boolean {
  const compared = ({ [HEADLESS_LABEL]: _headless, ...others }: Readonly<Record<string, string>>) =>
    canonicalText(others);
  const wasTruncated = present.metadata.annotations?.[OVER_CAPACITY_ANNOTATION] !== undefined;
  return (
    isSameSubsets(present, subsets) &&
    compared(present.metadata.labels ?? {}) === compared(labels) &&
    wasTruncated === isTruncated
  );
}

function desiredLabels(service: Service): Record<string, string> {
  const { [HEADLESS_LABEL]: _headless, ...others } = service.metadata.labels ?? {};
  return { ...others, ...(isHeadless(service) && { [HEADLESS_LABEL]: "" }), [MANAGED_BY_LABEL]: CONTROLLER };
}

/**
 * Keeps the Endpoints of Services that have a selector, for those that do not read EndpointSlices.
 *
 * Watches Services, Pods and Endpoints. Creates and updates the Endpoints that bear the name of a Service, and deletes them when it is
 * gone. Tells of failures by events on them.
 */
export function createEndpointsController(deps: ControllerDeps): ControllerPart {
  const { client, informers } = deps;
  const [serviceCopies, podCopies] = [informers.informer(services), informers.informer(pods)];
  const copies = informers.informer(endpoints);
  for (const informer of [serviceCopies, podCopies]) informer.addIndex(byNamespace.name, byNamespace.valuesOf);
  const recorder = deps.recorder(CONTROLLER);
  const triggers = new TriggerTimes();
  const controller = createController(deps, {
    name: "endpoint",
    workers: 5,
    backoff: queueBackoff,
    sync: retryOnConflict(async (key) => {
      const service = serviceCopies.objects.getByKey(key);
      if (service === undefined) {
        triggers.forget(key);
        return await removeEndpoints(client, key);
      }
      if (!hasOwnEndpoints(service)) return;
      const own = podsOf(service, podCopies);
      const present = copies.objects.getByKey(key);
      const desired = desiredEndpoints(service, own, present, triggers.next(key, service, own));
      if (desired !== undefined) await writeEndpoints({ client, recorder }, service, desired);
    }),
  });
  controller.watch(serviceCopies);
  const keysOf = (pod: Pod) => servicesOf(pod, serviceCopies).map(objectKey);
  controller.watch(podCopies, keysOf, { isNews: isPodNews });
  copies.addHandler({
    // What is left of Services that went while nobody looked.
    onAdd(each, { isInInitialList }) {
      const isLeader = each.metadata.annotations?.[LEADER_ANNOTATION] !== undefined;
      if (isInInitialList && !isLeader) controller.queue.add(objectKey(each));
    },
    onDelete: (each) => controller.queue.add(objectKey(each)),
  });
  return { name: "endpoints-controller", run: (signal) => controller.run(signal) };
}

async function removeEndpoints(client: KubeClient, key: string): Promise<void> {
  await client.delete(endpoints, refOfKey(key)).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

async function writeEndpoints(
  { client, recorder }: { readonly client: KubeClient; readonly recorder: EventRecorder },
  { metadata }: Service,
  desired: Endpoints,
): Promise<void> {
  const isNew = desired.metadata.resourceVersion === undefined;
  try {
    await (isNew ? client.create(endpoints, desired) : client.update(endpoints, desired));
  } catch (error) {
    if (isNew && isNamespaceTerminating(error)) return;
    const about = `${metadata.namespace}/${metadata.name}: ${errorText(error)}`;
    if (isNew)
      recorder.event(desired, "Warning", "FailedToCreateEndpoint", `Failed to create endpoint for service ${about}`);
    else recorder.event(desired, "Warning", "FailedToUpdateEndpoint", `Failed to update endpoint ${about}`);
    throw error;
  }
}

import {
  type Controller,
  createController,
  type EventRecorder,
  type Informer,
  isNamespaceTerminating,
  isNotFound,
  type KubeClient,
  keyOf,
  objectKey,
} from "@stowage/kube";
import {
  type EndpointSlice,
  endpointSlices,
  nodes,
  type Pod,
  pods,
  type Service,
  StowageError,
  type SyncOutcome,
  services,
} from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, errorText, queueBackoff } from "../../kit/index.ts";
import {
  byNamespace,
  hasOwnEndpoints,
  isPodNews,
  podsOf,
  servicesOf,
  TRIGGER_TIME_ANNOTATION,
} from "./service-pods.ts";
import { MANAGED_BY_LABEL, SERVICE_NAME_LABEL, SLICE_CONTROLLER } from "./slice-endpoints.ts";
import { planSlices, type SlicePlan } from "./slice-plan.ts";
import { TriggerTimes, withTriggerTime } from "./trigger-times.ts";
import { WrittenSlices } from "./written-slices.ts";

/** Slices by the Service that they are for, as far as this controller manages them. */
const byService = {
  name: "endpoints/service",
  valuesOf: (slice: EndpointSlice): readonly string[] => {
    const { labels, namespace } = slice.metadata;
    const name = labels?.[SERVICE_NAME_LABEL];
    return name && labels?.[MANAGED_BY_LABEL] === SLICE_CONTROLLER ? [keyOf({ namespace, name })] : [];
  },
} as const;

interface Slices {
  readonly client: KubeClient;
  readonly recorder: EventRecorder;
  readonly written: WrittenSlices;
}

/**
 * Keeps the EndpointSlices of Services that have a selector.
 *
 * Watches Services, Pods and EndpointSlices, and reads Nodes for their zones. Creates, updates and deletes the EndpointSlices
 * that bear its name in `endpointslice.kubernetes.io/managed-by`; those of a Service that is gone are left to garbage collection. Tells
 * of failures by events on the Service.
 */
export function createSliceController(deps: ControllerDeps): ControllerPart {
  const { client, informers } = deps;
  const [serviceCopies, podCopies] = [informers.informer(services), informers.informer(pods)];
  const [nodeCopies, sliceCopies] = [informers.informer(nodes), informers.informer(endpointSlices)];
  for (const informer of [serviceCopies, podCopies]) informer.addIndex(byNamespace.name, byNamespace.valuesOf);
  sliceCopies.addIndex(byService.name, byService.valuesOf);
  const triggers = new TriggerTimes();
  const written = new WrittenSlices(deps.clock);
  const slices: Slices = { client, recorder: deps.recorder("endpoint-slice-controller"), written };
  const controller = createController(deps, {
    name: "endpoint_slice",
    workers: 5,
    backoff: queueBackoff,
    async sync(key): Promise<SyncOutcome | void> {
      const service = serviceCopies.objects.getByKey(key);
      if (service === undefined) for (const each of [triggers, written]) each.forget(key);
      if (service === undefined || !hasOwnEndpoints(service)) return;
      const existing = sliceCopies.objects
        .byIndex(byService.name, key)
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      if (!written.areShown(key, existing)) return { retry: true };
      const own = podsOf(service, podCopies);
      const time = triggers.next(key, service, own);
      const nodeOf = (name: string) => nodeCopies.objects.getByKey(name);
      await syncSlices(slices, service, planSlices({ service, pods: own, existing, nodeOf }), time);
    },
  });
  controller.watch(serviceCopies);
  const keysOf = (pod: Pod) => servicesOf(pod, serviceCopies).map(objectKey);
  controller.watch(podCopies, keysOf, { isNews: isPodNews });
  watchSlices(controller, sliceCopies, written);
  return { name: "endpointslice-controller", run: (signal) => controller.run(signal) };
}

/** What others do to slices is set right; what was written here is no news. */
function watchSlices({ queue }: Controller, copies: Informer<EndpointSlice>, written: WrittenSlices): void {
  const changed = (slice: EndpointSlice) => {
    const keys = byService.valuesOf(slice).filter((key) => !written.isOwn(key, slice));
    for (const key of keys) queue.add(key);
  };
  const lost = (slice: EndpointSlice, keys: readonly string[]) => {
    for (const key of keys) {
      written.forgetSlice(key, slice);
      queue.add(key);
    }
  };
  copies.addHandler({
    onAdd: changed,
    onUpdate(slice, previous) {
      changed(slice);
      const now = byService.valuesOf(slice);
      lost(
        slice,
        byService.valuesOf(previous).filter((key) => !now.includes(key)),
      );
    },
    onDelete: (slice) => lost(slice, byService.valuesOf(slice)),
  });
}

async function syncSlices(slices: Slices, service: Service, plan: SlicePlan, time: string | undefined): Promise<void> {
  const about = `${service.metadata.namespace}/${service.metadata.name}`;
  try {
    await writeSlices(slices, service, plan, time);
    const [skipped] = plan.skipped;
    if (skipped === undefined) return;
    const { metadata, spec } = skipped;
    const why = `skipping Pod ${metadata.name} for Service ${about}: Node ${spec?.nodeName ?? ""} Not Found`;
    throw new StowageError("INVALID_REQUEST", why);
  } catch (error) {
    const message = `Error updating Endpoint Slices for Service ${about}: ${errorText(error)}`;
    slices.recorder.event(service, "Warning", "FailedToUpdateEndpointSlices", message);
    throw error;
  }
}

async function writeSlices(
  { client, written }: Slices,
  service: Service,
  { create, update, remove }: SlicePlan,
  time: string | undefined,
): Promise<void> {
  const key = objectKey(service);
  const timed = (slice: EndpointSlice) => {
    const annotations = withTriggerTime(slice.metadata.annotations, TRIGGER_TIME_ANNOTATION, time);
    return { ...slice, metadata: { ...slice.metadata, annotations } };
  };
  // What is being deleted gets nothing new: it would race with those that collect what it leaves.
  const created = service.metadata.deletionTimestamp === undefined ? create : [];
  for (const slice of created) {
    const made = await client.create(endpointSlices, timed(slice)).catch((error: unknown) => {
      if (!isNamespaceTerminating(error)) throw error;
    });
    if (made === undefined) return;
    written.wrote(key, made);
  }
  for (const slice of update) written.wrote(key, await client.update(endpointSlices, timed(slice)));
  for (const slice of remove) {
    const { namespace, name = "" } = slice.metadata;
    written.forgetSlice(key, slice);
    await client.delete(endpointSlices, { namespace, name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

import { formatTime, parseTime } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import {
  metadataOf,
  numberOf,
  type Strategy,
  sameJson,
  textOf,
  textsOf,
  withMetadata,
} from "../../strategies/index.ts";
import type { DeleteOptions } from "./delete-options.ts";
import type { WriteTarget } from "./write-target.ts";

/**
 * What is done when an object is deleted: nothing, when it is going already; it is marked and stays, for a while or until its
 * finalizers are gone; it is removed, marked before where it could have ended by itself.
 */
export type DeletionPlan =
  | { readonly step: "nothing" }
  | { readonly step: "mark"; readonly object: JsonObject }
  | { readonly step: "remove"; readonly marked: JsonObject | undefined };

export function desiredDeletion(
  strategy: Strategy,
  object: JsonObject,
  options: DeleteOptions,
  nowMs: number,
): DeletionPlan {
  const grace = graceOf(strategy, object, options, nowMs);
  if (grace.step === "pending") return { step: "nothing" };
  const finalizers = desiredFinalizers(strategy, object, options);
  const waits = finalizers.length > 0;
  const listed = withMetadata(grace.object, { finalizers: waits ? finalizers : undefined });
  if (grace.step === "none")
    return waits ? { step: "mark", object: marked(listed, nowMs) } : { step: "remove", marked: undefined };
  return waits || grace.seconds > 0 ? { step: "mark", object: listed } : { step: "remove", marked: listed };
}

type Grace =
  | { readonly step: "pending" }
  | { readonly step: "none"; readonly object: JsonObject }
  | { readonly step: "granted"; readonly object: JsonObject; readonly seconds: number };

function graceOf(strategy: Strategy, object: JsonObject, options: DeleteOptions, nowMs: number): Grace {
  if (strategy.gracePeriodSeconds === undefined) return { step: "none", object };
  const requested = options.gracePeriodSeconds;
  const { deletionTimestamp, deletionGracePeriodSeconds, generation } = metadataOf(object);
  if (deletionTimestamp === undefined) {
    const seconds = strategy.gracePeriodSeconds(object, requested);
    const begun = {
      deletionTimestamp: formatTime(nowMs + seconds * 1000),
      deletionGracePeriodSeconds: seconds,
      generation: raised(numberOf(generation)),
    };
    return { step: "granted", object: withMetadata(object, begun), seconds };
  }
  const left = numberOf(deletionGracePeriodSeconds) ?? 0;
  if (left === 0) return { step: "none", object };
  if (requested === undefined || requested >= left) return { step: "pending" };
  const wantedMs = parseTime(textOf(deletionTimestamp)) + (requested - left) * 1000;
  // What is over already ends now; who asked for some time gets the least that there is.
  const isOver = wantedMs < nowMs;
  const seconds = isOver && requested !== 0 ? 1 : requested;
  const shortened = { deletionTimestamp: formatTime(isOver ? nowMs : wantedMs), deletionGracePeriodSeconds: seconds };
  return { step: "granted", object: withMetadata(object, shortened), seconds };
}

function marked(object: JsonObject, nowMs: number): JsonObject {
  const { deletionTimestamp, generation } = metadataOf(object);
  const isLater = deletionTimestamp !== undefined && parseTime(textOf(deletionTimestamp)) > nowMs;
  return withMetadata(object, {
    generation: deletionTimestamp === undefined ? raised(numberOf(generation)) : generation,
    deletionTimestamp: deletionTimestamp === undefined || isLater ? formatTime(nowMs) : deletionTimestamp,
    deletionGracePeriodSeconds: 0,
  });
}

function raised(generation: number | undefined): number | undefined {
  return generation === undefined || generation === 0 ? generation : generation + 1;
}

const orphan = "orphan";
const foreground = "foregroundDeletion";

/** With the one by which dependents are let go of, or the one by which they go first, as it is asked for. */
function desiredFinalizers(strategy: Strategy, object: JsonObject, options: DeleteOptions): string[] {
  const known = textsOf(metadataOf(object)["finalizers"]);
  const wanted = dependentsFinalizer(strategy, known, options);
  const others = known.filter((name) => name !== orphan && name !== foreground);
  const desired = wanted === undefined ? others : [...others, wanted];
  return sameJson(desired.toSorted(), known.toSorted()) ? known : desired;
}

function dependentsFinalizer(strategy: Strategy, known: readonly string[], options: DeleteOptions): string | undefined {
  if (strategy.garbageCollection === "unsupported") return undefined;
  if (options.orphanDependents !== undefined) return options.orphanDependents ? orphan : undefined;
  const { propagationPolicy: policy } = options;
  if (policy !== undefined) return finalizerOfPolicy[policy];
  const asked = known.find((name) => name === orphan || name === foreground);
  return asked ?? (strategy.garbageCollection === "orphan" ? orphan : undefined);
}

const finalizerOfPolicy: Readonly<Record<string, string | undefined>> = { Orphan: orphan, Foreground: foreground };

export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Why an update does not meet them, with the key that the real server would have: its store says so. */
export function preconditionProblem(
  target: WriteTarget,
  live: JsonObject | undefined,
  { uid, resourceVersion }: Preconditions,
): string | undefined {
  const found = live === undefined ? {} : metadataOf(live);
  const failure =
    mismatch("UID", uid, textOf(found["uid"])) ??
    mismatch("ResourceVersion", resourceVersion, textOf(found["resourceVersion"]));
  if (failure === undefined) return undefined;
  return `StorageError: invalid object, Code: 4, Key: ${realKey(target)}, ResourceVersion: 0, AdditionalErrorMsg: ${failure}`;
}

function mismatch(what: string, wanted: string | undefined, found: string): string | undefined {
  if (wanted === undefined || wanted === found) return undefined;
  return `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
}

const realPrefixes: Readonly<Record<string, string>> = {
  "apiregistration.k8s.io/apiservices": "apiregistration.k8s.io/apiservices",
  "apiextensions.k8s.io/customresourcedefinitions": "apiextensions.k8s.io/customresourcedefinitions",
  "/endpoints": "services/endpoints",
  "networking.k8s.io/ingresses": "ingress",
  "/nodes": "minions",
  "/replicationcontrollers": "controllers",
  "/services": "services/specs",
};

function realKey({ resource, strategy, namespace, request }: WriteTarget): string {
  const { group, plural } = resource;
  const prefix = strategy.isCustom ? `${group}/${plural}` : (realPrefixes[`${group}/${plural}`] ?? plural);
  return ["/registry", prefix, ...(namespace === "" ? [] : [namespace]), request.info.name ?? ""].join("/");
}

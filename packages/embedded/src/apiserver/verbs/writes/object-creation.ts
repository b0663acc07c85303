import { formatTime, generateName } from "@stowage/machinery";
import { type JsonObject, trackUpdate } from "@stowage/machinery/apply";
import { ApiError, alreadyExists } from "../../answers/index.ts";
import type { Transaction } from "../../store/index.ts";
import { commonMetadataErrors, metadataOf, textOf, withMetadata } from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { objectKey } from "../object-key.ts";
import { checkNamespace, inNamespace } from "./namespace-check.ts";
import { withOwnersOnce } from "./owner-references.ts";
import { sentObject } from "./request-body.ts";
import { liveObject, putObject } from "./stored-object.ts";
import { checkFields, unexpected, withWarnings } from "./write-errors.ts";
import { writeOptions } from "./write-options.ts";
import {
  type AdmittedWrite,
  managerOf,
  newUid,
  type WriteDeps,
  type WriteTarget,
  writeTarget,
} from "./write-target.ts";

/** What the server writes of metadata, whatever a client sends. */
const serverWritten = {
  creationTimestamp: undefined,
  uid: undefined,
  deletionTimestamp: undefined,
  deletionGracePeriodSeconds: undefined,
  selfLink: undefined,
};

export async function createObject(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const target = writeTarget(deps, request);
  const { strategy } = target;
  const options = writeOptions("CreateOptions", request.query);
  const sent = sentObject(strategy, request, options.fieldValidation);
  const warnings = [...sent.warnings];
  const own = inNamespace(withMetadata(sent.object, serverWritten), target.namespace);
  const object = withOwnersOnce(own, warnings);
  const manager = managerOf(target, options.fieldManager);
  const body = await withWarnings(warnings, () =>
    deps.store.transact((transaction) => {
      const nowMs = deps.clock.nowMs();
      const tracked = trackUpdate(strategy.managed, { live: undefined, next: object, manager, nowMs });
      return addObject(transaction, { target, object: tracked, nowMs, warnings, isDryRun: options.isDryRun });
    }),
  );
  return { code: 201, body, warnings };
}

export interface Addition {
  readonly target: WriteTarget;
  /** With its managed fields. */
  readonly object: JsonObject;
  readonly nowMs: number;
  readonly warnings: string[];
  readonly isDryRun: boolean;
}

/** As many as are enough for a million names of one prefix. */
const mostNames = 8;

/** Puts an object where there is none yet. Returns its text. */
export function addObject(transaction: Transaction, addition: Addition): string {
  const { target } = addition;
  checkNamespace(transaction, target, addition.object);
  const { deps } = target;
  const object = deps.admit?.(asAdmitted(transaction, addition, addition.object)) ?? addition.object;
  const { name, generateName: prefix } = metadataOf(object);
  if (textOf(name) !== "" || textOf(prefix) === "") return addNamed(transaction, { ...addition, object });
  let conflict: unknown;
  for (let attempt = 0; attempt < mostNames; attempt++) {
    const generated = generateName(textOf(prefix), deps.random ?? Math.random);
    try {
      return addNamed(transaction, { ...addition, object: withMetadata(object, { name: generated }) });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status.reason !== "AlreadyExists") throw error;
      conflict = error;
    }
  }
  throw conflict;
}

function asAdmitted(transaction: Transaction, addition: Addition, object: JsonObject): AdmittedWrite {
  const { target, warnings, isDryRun } = addition;
  const { resource, request } = target;
  return { operation: "create", resource, request, object, old: undefined, transaction, isDryRun, warnings };
}

function addNamed(transaction: Transaction, addition: Addition): string {
  const { target, warnings, isDryRun } = addition;
  const { deps, strategy, resource, namespace, request } = target;
  warnings.push(...(strategy.warningsBeforeCreate?.(addition.object) ?? []));
  const object = completed(addition);
  if (request.info.verb !== "create") deps.checkMayCreate?.(request);
  // They are told also when it is refused in the end.
  warnings.push(...strategy.warnings(object, undefined));
  deps.validate?.(asAdmitted(transaction, addition, object));
  const name = textOf(metadataOf(object)["name"]);
  const version = textOf(metadataOf(object)["resourceVersion"]);
  if (/^\d+$/u.test(version) && Number(version) !== 0) {
    throw unexpected("resourceVersion should not be set on objects to be created");
  }
  const key = objectKey(resource, { namespace, name });
  const existing = transaction.get(key);
  if (existing !== undefined) throw taken(target, object, liveObject(strategy, existing));
  return putObject(transaction, {
    key,
    strategy,
    object: withMetadata(object, { resourceVersion: undefined }),
    isDryRun,
  });
}

/** The object as it is to be kept, when nothing is wrong with it. */
function completed({ target, object, nowMs }: Addition): JsonObject {
  const { strategy, namespace } = target;
  const creationTimestamp = formatTime(nowMs);
  const own = inNamespace(withMetadata(object, { creationTimestamp, uid: newUid(target) }), namespace);
  const prepared = strategy.prepareForCreate(own, nowMs);
  const named = { ...strategy, name: textOf(metadataOf(prepared)["name"]) };
  checkFields(named, strategy.validateCreate(prepared));
  checkFields(named, commonMetadataErrors(prepared, strategy.namespaced));
  return prepared;
}

function taken({ resource }: WriteTarget, object: JsonObject, existing: JsonObject): ApiError {
  const { name, generateName: prefix } = metadataOf(object);
  const { status } = alreadyExists(resource, textOf(name));
  const isGenerated = textOf(prefix) !== "";
  const message = isGenerated
    ? `${status.message}, the server was not able to generate a unique name for the object`
    : (status.message ?? "");
  const isGoing = metadataOf(existing)["deletionTimestamp"] !== undefined;
  const details = { ...status.details, ...(isGenerated && { retryAfterSeconds: 1 }) };
  return new ApiError(409, "AlreadyExists", isGoing ? `object is being deleted: ${message}` : message, details);
}

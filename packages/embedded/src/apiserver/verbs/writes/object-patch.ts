import { hasErrorCode } from "@stowage/machinery";
import {
  ApplyConflictError,
  applyConfiguration,
  goText,
  type JsonObject,
  type JsonValue,
  trackUpdate,
} from "@stowage/machinery/apply";
import {
  applyJsonPatch,
  applyMergePatch,
  type JsonPatchOperation,
  mergeAsServer,
  StrategicPatchError,
} from "@stowage/machinery/patches";
import { invalid } from "@stowage/machinery/structural";
import {
  ApiError,
  badRequest,
  conflict,
  notFound,
  unsupportedMediaType,
  unsupportedPatchType,
} from "../../answers/index.ts";
import { isFields, metadataOf, textOf, withMetadata } from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { inNamespace } from "./namespace-check.ts";
import { checkName, type Replacement, replaceObject } from "./object-update.ts";
import { withOwnersOnce } from "./owner-references.ts";
import { jsonKind, kindProblem, parsedBody, strictErrors, strictText } from "./request-body.ts";
import { objectText } from "./stored-object.ts";
import { invalidObject, patchRejected, unexpected, withWarnings } from "./write-errors.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";
import { managerOf, type WriteDeps, type WriteTarget, writeTarget } from "./write-target.ts";

const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

export type PatchType = keyof typeof patchTypes;

export async function patchObject(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const target = writeTarget(deps, request);
  const type = patchTypeOf(target);
  const options = writeOptions("PatchOptions", request.query, type === "apply");
  const sent = sentPatch(type, request);
  const warnings: string[] = [];
  const patching = { target, type, options, sent, warnings };
  const replacement: Replacement = {
    target,
    warnings,
    isDryRun: options.isDryRun,
    mayCreate: type === "apply" && target.strategy.managed.subresource === "",
    uid: undefined,
    desired: (live, nowMs) => desiredObject(patching, live, nowMs),
  };
  return await withWarnings(warnings, () =>
    deps.store.transact((transaction) => replaceObject(transaction, replacement)),
  );
}

export function patchTypeOf({ request, strategy }: WriteTarget): PatchType {
  const contentType = request.contentType?.split(";")[0] ?? "";
  // Lists of custom kinds have no merge keys.
  const types = (Object.keys(patchTypes) as PatchType[]).filter((type) => !(strategy.isCustom && type === "strategic"));
  const type = types.find((each) => patchTypes[each] === contentType);
  if (type !== undefined) return type;
  throw strategy.isCustom ? unsupportedMediaType(types.map((each) => patchTypes[each])) : unsupportedPatchType();
}

export interface SentPatch {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
}

export interface Patching {
  readonly target: WriteTarget;
  readonly type: PatchType;
  readonly options: WriteOptions;
  readonly sent: SentPatch;
  readonly warnings: string[];
}

export function sentPatch(type: PatchType, request: ApiRequest): SentPatch {
  const failure = {
    json: "error decoding patch: ",
    merge: "error decoding patch: ",
    strategic: "",
    apply: "error decoding YAML: ",
  };
  const parsed = parsedBody(request);
  if (typeof parsed === "string") {
    throw badRequest(`${failure[type]}${type === "apply" ? "error converting YAML to JSON: " : ""}${parsed}`);
  }
  const value = ofNothing(type, parsed.value);
  checkSize(type, value);
  const isOfType = type === "json" ? Array.isArray(value) : isFields(value);
  if (isOfType) return { ...parsed, value };
  const goType = type === "json" ? "[]handlers.jsonPatchOp" : "map[string]interface {}";
  const converted = type === "apply" ? "error unmarshaling JSON: while decoding JSON: " : "";
  throw badRequest(
    `${failure[type]}${converted}json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`,
  );
}

/** Null is no operation, and no change; only a merge patch cannot be null. */
function ofNothing(type: PatchType, value: JsonValue): JsonValue {
  if (value !== null) return value;
  if (type === "merge") throw badRequest("Invalid JSON Patch");
  return type === "json" ? [] : {};
}

const mostOperations = 10_000;

function checkSize(type: PatchType, value: JsonValue): void {
  if (type !== "json" || !Array.isArray(value) || value.length <= mostOperations) return;
  const limit = `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${value.length}`;
  throw new ApiError(413, "RequestEntityTooLarge", `Request entity too large: ${limit}`);
}

export function desiredObject(patching: Patching, live: JsonObject | undefined, nowMs: number): JsonObject {
  const { target, type, options, warnings } = patching;
  const { request, resource, namespace, strategy } = target;
  const name = request.info.name ?? "";
  if (live === undefined && type !== "apply") throw notFound(resource, name);
  const next =
    type === "apply"
      ? appliedObject(patching, live, nowMs)
      : trackUpdate(strategy.managed, {
          live,
          next: readPatched(patching, patchedObject(patching, live ?? {})),
          manager: managerOf(target, options.fieldManager),
          nowMs,
        });
  const uid = textOf(metadataOf(next)["uid"]);
  if (live === undefined && uid !== "") {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resource, name, why);
  }
  // Whoever applies to nothing means nothing by a version.
  const own = live === undefined ? withMetadata(next, { resourceVersion: undefined }) : next;
  const placed = inNamespace(own, namespace);
  checkName(placed, name);
  return withOwnersOnce(placed, warnings);
}

function patchedObject({ type, sent }: Patching, live: JsonObject): JsonObject {
  try {
    if (type === "json") return applyJsonPatch(live, sent.value as unknown as JsonPatchOperation[]);
    if (type === "merge") return applyMergePatch(live, sent.value as object);
    return mergeAsServer(live as never, sent.value as object);
  } catch (error) {
    if (error instanceof StrategicPatchError) {
      throw error.isFailure ? unexpected(error.serverText) : badRequest(error.serverText);
    }
    if (hasErrorCode(error, "INVALID_PATCH")) throw patchRejected();
    if (hasErrorCode(error, "MALFORMED_PATCH")) throw badRequest(error.message);
    throw error;
  }
}

/** What has been patched is read as if it had been sent. */
function readPatched({ target, type, options, sent, warnings }: Patching, patched: JsonObject): JsonObject {
  const isMerged = type === "strategic";
  const { strategy } = target;
  const shown = isMerged ? goText(sent.value) : objectText(strategy, patched);
  const ofOtherKind = isMerged || strategy.isCustom ? undefined : kindProblem(strategy, patched);
  const read = strategy.read(patched, { isMerged });
  const problem = ofOtherKind ?? read.problem;
  if (problem !== undefined) throw unreadable(shown, problem);
  // What has been merged is in the order of its keys.
  const unknown = type === "json" ? read.unknownFields : read.unknownFields.toSorted();
  const errors = strictErrors(sent.duplicates, unknown);
  if (errors.length > 0 && options.fieldValidation === "Strict") throw unreadable(shown, strictText(errors));
  if (options.fieldValidation === "Warn") warnings.push(...errors);
  return read.object;
}

function unreadable(patch: string, why: string): ApiError {
  const error = invalid("patch", patch, why);
  return invalidObject({ group: "", kind: "", name: "" }, [error]);
}

function appliedObject({ target, options, sent }: Patching, live: JsonObject | undefined, nowMs: number): JsonObject {
  const { strategy } = target;
  const { fieldManager: manager, force } = options;
  try {
    const applied = sent.value as JsonObject;
    const made = applyConfiguration(strategy.managed, { live, applied, manager, force, nowMs });
    return strategy.read(made, { isApplied: true }).object;
  } catch (error) {
    if (error instanceof ApplyConflictError) {
      throw new ApiError(409, "Conflict", error.message, { causes: error.causes });
    }
    if (hasErrorCode(error, "APPLY_REFUSED")) throw badRequest(error.message);
    if (hasErrorCode(error, "APPLY_INVALID_OBJECT")) throw unexpected(error.message);
    throw error;
  }
}

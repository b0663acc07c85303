import { hasErrorCode } from "@stowage/machinery";
import {
  ApplyConflictError,
  applyConfiguration,
  type JsonObject,
  type JsonValue,
  trackUpdate,
} from "@stowage/machinery/apply";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  type JsonPatchOperation,
} from "@stowage/machinery/patches";
import { invalid } from "@stowage/machinery/structural";
import { ApiError, badRequest, conflict, notFound, unsupportedMediaType } from "../../answers/index.ts";
import { isFields, metadataOf, textOf } from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { inNamespace } from "./namespace-check.ts";
import { checkName, replaceObject } from "./object-update.ts";
import { withOwnersOnce } from "./owner-references.ts";
import { jsonKind, parsedBody, strictErrors, strictText } from "./request-body.ts";
import { invalidObject, patchRejected, unexpected } from "./write-errors.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";
import { managerOf, type WriteDeps, type WriteTarget, writeTarget } from "./write-target.ts";

const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

type PatchType = keyof typeof patchTypes;

export async function patchObject(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const target = writeTarget(deps, request);
  const type = patchTypeOf(target);
  const options = writeOptions("PatchOptions", request.query, type === "apply");
  const sent = sentPatch(type, request);
  const warnings: string[] = [];
  const patching = { target, type, options, sent, warnings };
  return await deps.store.transact((transaction) =>
    replaceObject(transaction, {
      target,
      warnings,
      isDryRun: options.isDryRun,
      mayCreate: type === "apply" && target.strategy.managed.subresource === "",
      uid: undefined,
      desired: (live, nowMs) => desiredObject(patching, live, nowMs),
    }),
  );
}

function patchTypeOf({ request, strategy }: WriteTarget): PatchType {
  const contentType = request.contentType?.split(";")[0] ?? "";
  // Lists of custom kinds have no merge keys.
  const types = (Object.keys(patchTypes) as PatchType[]).filter((type) => !(strategy.isCustom && type === "strategic"));
  const type = types.find((each) => patchTypes[each] === contentType);
  if (type === undefined) throw unsupportedMediaType(types.map((each) => patchTypes[each]));
  return type;
}

interface SentPatch {
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
}

interface Patching {
  readonly target: WriteTarget;
  readonly type: PatchType;
  readonly options: WriteOptions;
  readonly sent: SentPatch;
  readonly warnings: string[];
}

function sentPatch(type: PatchType, request: ApiRequest): SentPatch {
  const failure = {
    json: "error decoding patch: ",
    merge: "error decoding patch: ",
    strategic: "",
    apply: "error decoding YAML: ",
  };
  const parsed = parsedBody(request);
  if (typeof parsed === "string") throw badRequest(failure[type] + parsed);
  const { value } = parsed;
  const isOfType = type === "json" ? Array.isArray(value) : isFields(value);
  if (isOfType) return parsed;
  const goType = type === "json" ? "[]handlers.jsonPatchOp" : "map[string]interface {}";
  throw badRequest(`${failure[type]}json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`);
}

function desiredObject(patching: Patching, live: JsonObject | undefined, nowMs: number): JsonObject {
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
  const placed = inNamespace(next, namespace);
  checkName(placed, name);
  return withOwnersOnce(placed, warnings);
}

function patchedObject({ type, sent }: Patching, live: JsonObject): JsonObject {
  try {
    if (type === "json") return applyJsonPatch(live, sent.value as unknown as JsonPatchOperation[]);
    if (type === "merge") return applyMergePatch(live, sent.value as object);
    return applyStrategicMergePatch(live as never, sent.value as object);
  } catch (error) {
    if (hasErrorCode(error, "INVALID_PATCH")) throw patchRejected();
    if (hasErrorCode(error, "MALFORMED_PATCH")) throw badRequest(error.message);
    throw error;
  }
}

/** What has been patched is read as if it had been sent. */
function readPatched({ target, options, sent, warnings }: Patching, patched: JsonObject): JsonObject {
  const read = target.strategy.read(patched);
  if (read.problem !== undefined) throw unreadable(patched, read.problem);
  const errors = strictErrors(sent.duplicates, read.unknownFields);
  if (errors.length > 0 && options.fieldValidation === "Strict") throw unreadable(patched, strictText(errors));
  if (options.fieldValidation === "Warn") warnings.push(...errors);
  return read.object;
}

function unreadable(patched: JsonObject, why: string): ApiError {
  const error = invalid("patch", JSON.stringify(patched), why);
  return invalidObject({ group: "", kind: "", name: "" }, [error]);
}

function appliedObject({ target, options, sent }: Patching, live: JsonObject | undefined, nowMs: number): JsonObject {
  const { strategy } = target;
  const { fieldManager: manager, force } = options;
  try {
    const applied = sent.value as JsonObject;
    return strategy.read(applyConfiguration(strategy.managed, { live, applied, manager, force, nowMs })).object;
  } catch (error) {
    if (error instanceof ApplyConflictError) {
      throw new ApiError(409, "Conflict", error.message, { causes: error.causes });
    }
    if (hasErrorCode(error, "APPLY_REFUSED")) throw badRequest(error.message);
    if (hasErrorCode(error, "APPLY_INVALID_OBJECT")) throw unexpected(error.message);
    throw error;
  }
}

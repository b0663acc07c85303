import { StowageError } from "../errors/stowage-error.ts";
import { addAt, readAt, removeAt, replaceAt } from "./json-edit.ts";
import { parsePointer } from "./json-pointer.ts";
import { equalJson, isJsonObject, type JsonValue } from "./json-value.ts";

/** One step of a JSON Patch (RFC 6902). */
export type JsonPatchOperation =
  | { op: "add" | "replace" | "test"; path: string; value: unknown }
  | { op: "remove"; path: string }
  | { op: "move" | "copy"; path: string; from: string };

/**
 * Applies a JSON Patch as the Kubernetes API server does, to a copy. Where the server is more lenient than RFC 6902, so is
 * this: what is missing counts as null in `test`, in `copy` and as the value of an operation, `replace` adds a missing field,
 * and a negative index counts from the end of a list.
 */
export function applyJsonPatch<T>(document: T, patch: readonly JsonPatchOperation[]): T {
  if (!Array.isArray(patch)) throw new StowageError("MALFORMED_PATCH", "A JSON patch is a list of operations");
  let patched = structuredClone(document) as JsonValue;
  for (const [position, operation] of (patch as readonly unknown[]).entries()) {
    patched = applyOperation(patched, checkOperation(operation, position), position);
  }
  return patched as T;
}

function applyOperation(document: JsonValue, operation: JsonPatchOperation, position: number): JsonValue {
  try {
    return perform(document, operation);
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    // Never the operation's value: it may be part of a Secret.
    throw new StowageError("INVALID_PATCH", `${describe(operation, position)} cannot be applied: ${error.message}`);
  }
}

/** Edits the document in place and returns it, or what takes its place as a whole. */
function perform(document: JsonValue, operation: JsonPatchOperation): JsonValue {
  const path = parsePointer(operation.path);
  const isWhole = operation.op === "replace" && path.length === 0;
  if (isWhole && typeof operation.value === "object" && operation.value !== null) return valueOf(operation);
  edit(document, path, operation);
  return document;
}

function edit(document: JsonValue, path: readonly string[], operation: JsonPatchOperation): void {
  switch (operation.op) {
    case "add":
      addAt(document, path, valueOf(operation));
      break;
    case "replace":
      replaceAt(document, path, valueOf(operation));
      break;
    case "remove":
      removeAt(document, path);
      break;
    case "copy":
      addAt(document, path, structuredClone(readAt(document, parsePointer(operation.from))));
      break;
    case "move": {
      const from = parsePointer(operation.from);
      const moved = readAt(document, from);
      removeAt(document, from);
      addAt(document, path, moved);
      break;
    }
    case "test":
      if (equalJson(path.length === 0 ? document : readAt(document, path), valueOf(operation))) break;
      throw new StowageError("INVALID_PATCH", "the value there is another one");
  }
}

function valueOf(operation: { value?: unknown }): JsonValue {
  return structuredClone(operation.value ?? null) as JsonValue;
}

const operations: readonly unknown[] = ["add", "copy", "move", "remove", "replace", "test"];

function checkOperation(operation: unknown, position: number): JsonPatchOperation {
  if (!isJsonObject(operation)) {
    throw new StowageError("MALFORMED_PATCH", `Operation ${position} of the JSON patch is not an object`);
  }
  const { op, path, from } = operation;
  const needsFrom = op === "copy" || op === "move";
  if (operations.includes(op) && typeof path === "string" && (!needsFrom || typeof from === "string")) {
    return operation as unknown as JsonPatchOperation;
  }
  const problem = !operations.includes(op)
    ? `the unknown op ${JSON.stringify(op)}`
    : `no ${needsFrom ? "path or from" : "path"}`;
  throw new StowageError("INVALID_PATCH", `Operation ${position} of the JSON patch has ${problem}`);
}

function describe(operation: JsonPatchOperation, position: number): string {
  return `Operation ${position} of the JSON patch (${operation.op} ${operation.path})`;
}

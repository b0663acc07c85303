import type { ManagedFieldsEntry } from "../api/generated/meta-v1.ts";
import { hasErrorCode } from "../errors/stowage-error.ts";
import { compareText, goQuote } from "../go-text/index.ts";
import { parseTime } from "../time/index.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeFields, encodeFields } from "./fields-v1.ts";
import { goJson } from "./go-text.ts";

export type ManagerOperation = "Apply" | "Update";

/** Who wrote fields, how, and where. An applier is the same in every version. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: ManagerOperation;
  readonly apiVersion: string;
  readonly subresource: string;
}

/** What a manager owns, in the version that it wrote in. */
export interface Manager extends ManagerIdentity {
  readonly set: FieldSet;
  /** When it last wrote, as in the API. */
  readonly time: string | undefined;
}

/** By `managerId`. */
export type Managers = ReadonlyMap<string, Manager>;

/** What tells managers apart, as the original writes it: the order of these texts decides between managers of the same time. */
export function managerId({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const parts = Object.entries({
    manager,
    operation,
    apiVersion: operation === "Apply" ? "" : apiVersion,
    subresource,
  }).filter(([, value]) => value !== "");
  return `{${parts.map(([name, value]) => `"${name}":${goJson(value)}`).join(",")}}`;
}

/** A SyntaxError says what is wrong with the entries. */
export function decodeManagers(entries: readonly ManagedFieldsEntry[]): Managers {
  const managers = new Map<string, Manager>();
  for (const [position, entry] of entries.entries()) {
    checkShape(entry);
    const { apiVersion = "", manager = "", subresource = "", time } = entry;
    const operation = operationOf(entry);
    if (apiVersion === "") throw new SyntaxError("apiVersion must not be empty");
    checkFieldsType(entry.fieldsType ?? "", position);
    const identity = { manager, operation, apiVersion, subresource };
    managers.set(managerId(identity), { ...identity, time, set: decodeFields(entry.fieldsV1 ?? {}) });
  }
  return managers;
}

/** Entries come from clients, too. */
function checkShape(entry: unknown): void {
  if (typeof entry !== "object" || entry === null) throw new SyntaxError("an entry of managed fields is no object");
  const { manager, apiVersion, subresource, time } = entry as Record<string, unknown>;
  for (const text of [manager, apiVersion, subresource, time]) {
    if (text !== undefined && typeof text !== "string") throw new SyntaxError("a field of an entry is no text");
  }
  if (typeof time === "string" && !isTime(time)) throw new SyntaxError(`no time: ${time}`);
}

function isTime(text: string): boolean {
  try {
    parseTime(text);
    return true;
  } catch (error) {
    if (hasErrorCode(error, "INVALID_TIME")) return false;
    throw error;
  }
}

function operationOf({ operation }: ManagedFieldsEntry): ManagerOperation {
  if (operation === "Apply" || operation === "Update") return operation;
  throw new SyntaxError("operation must be `Apply` or `Update`");
}

function checkFieldsType(fieldsType: string, position: number): void {
  if (fieldsType === "FieldsV1") return;
  if (fieldsType === "") throw new SyntaxError(`missing fieldsType in managed fields entry ${position}`);
  throw new SyntaxError(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${position}`);
}

/** Appliers first, then by time, name, version and subresource. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] {
  return [...managers.values()].toSorted(compareManagers).map(encodeManager);
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    secondsOf(a) - secondsOf(b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

/** When it last wrote; one that never said so comes first. */
export function secondsOf({ time }: Pick<Manager, "time">): number {
  return time === undefined ? 0 : Math.floor(parseTime(time) / 1000);
}

function encodeManager({ manager, operation, apiVersion, time, set, subresource }: Manager): ManagedFieldsEntry {
  return {
    ...(manager !== "" && { manager }),
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: "FieldsV1",
    fieldsV1: encodeFields(set),
    ...(subresource !== "" && { subresource }),
  };
}

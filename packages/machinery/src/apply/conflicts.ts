import { StowageError } from "../errors/stowage-error.ts";
import { compareText, goQuote } from "../go-text/index.ts";
import type { FieldSet } from "./field-set.ts";
import { type ManagerIdentity, managerId } from "./managed-fields.ts";
import { type Path, pathText } from "./path-element.ts";

/** A field that the applied configuration would change, and that somebody else owns. */
export interface Conflict {
  readonly manager: ManagerIdentity;
  readonly path: Path;
}

/** What `details.causes` of the answer has. */
export interface ConflictCause {
  readonly reason: "FieldManagerConflict";
  readonly message: string;
  readonly field: string;
}

/** The API answers 409 with reason `Conflict`, this message and these causes. */
export class ApplyConflictError extends StowageError {
  override readonly name: string = "ApplyConflictError";
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super("APPLY_CONFLICT", conflictMessage(conflicts));
    this.conflicts = conflicts;
  }

  get causes(): ConflictCause[] {
    return this.conflicts.map(({ manager, path }) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${managerText(manager)}`,
      field: pathText(path),
    }));
  }
}

/** In the order of the managers; the original's is the accident of a hash table. */
export function conflictsOf(sets: ReadonlyMap<ManagerIdentity, FieldSet>): Conflict[] {
  return [...sets]
    .toSorted(([a], [b]) => compareText(managerId(a), managerId(b)))
    .flatMap(([manager, set]) => [...set.paths()].map((path) => ({ manager, path })));
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const lines: string[] = [];
  let last: ManagerIdentity | undefined;
  for (const { manager, path } of conflicts) {
    if (manager !== last) lines.push(`conflicts with ${managerText(manager)}:`);
    lines.push(`- ${pathText(path)}`);
    last = manager;
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function managerText({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const name = subresource === "" ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

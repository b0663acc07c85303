import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
} from "../../api/index.ts";
import { goQuote } from "../../go-text/index.ts";

export interface NamingDecision {
  readonly acceptedNames: CustomResourceDefinitionNames;
  /** Without times: whoever writes them knows when they changed. */
  readonly conditions: readonly Omit<CustomResourceDefinitionCondition, "lastTransitionTime">[];
}

/**
 * Which names a definition gets, given the others of its group, and whether it can be served. `Established` becomes true one step
 * after the names were accepted: `desiredEstablished`.
 */
export function desiredNames(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): NamingDecision {
  const used = usedNames(definition, others);
  const requested = definition.spec.names;
  const accepted = definition.status?.acceptedNames ?? { plural: "", kind: "" };
  const acceptedNames: CustomResourceDefinitionNames = { ...accepted };
  let conflict: { reason: string; message: string } | undefined;
  for (const { field, reason, taken } of checks) {
    const problem = problemOf(requested[field] ?? "", accepted[field] ?? "", used[taken]);
    if (problem !== undefined) conflict = { reason, message: problem };
    else if (requested[field] !== undefined) acceptedNames[field] = requested[field];
  }
  const shortNames = conflictingShortNames(requested.shortNames ?? [], accepted.shortNames ?? [], used.resources);
  if (shortNames.length > 0) conflict ??= { reason: "ShortNamesConflict", message: aggregate(shortNames) };
  else setList(acceptedNames, "shortNames", requested.shortNames);
  setList(acceptedNames, "categories", requested.categories);
  return { acceptedNames, conditions: conditionsFor(definition, conflict) };
}

/** A list that is asked for no more goes. */
function setList(
  names: CustomResourceDefinitionNames,
  field: "categories" | "shortNames",
  list: string[] | undefined,
): void {
  if (list === undefined) delete names[field];
  else names[field] = list;
}

const checks = [
  { field: "plural", reason: "PluralConflict", taken: "resources" },
  { field: "singular", reason: "SingularConflict", taken: "resources" },
  { field: "kind", reason: "KindConflict", taken: "kinds" },
  { field: "listKind", reason: "ListKindConflict", taken: "kinds" },
] as const;

interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function usedNames(definition: CustomResourceDefinition, others: readonly CustomResourceDefinition[]): UsedNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    const names = other.status?.acceptedNames;
    if (names === undefined || other.spec.group !== definition.spec.group) continue;
    if (other.metadata?.name === definition.metadata?.name) continue;
    for (const name of [names.plural, names.singular ?? "", ...(names.shortNames ?? [])]) resources.add(name);
    for (const kind of [names.kind, names.listKind ?? ""]) kinds.add(kind);
  }
  return { resources, kinds };
}

function problemOf(requested: string, accepted: string, used: ReadonlySet<string>): string | undefined {
  return requested === accepted || !used.has(requested) ? undefined : `${goQuote(requested)} is already in use`;
}

function conflictingShortNames(
  requested: readonly string[],
  accepted: readonly string[],
  used: ReadonlySet<string>,
): string[] {
  return requested
    .filter((name) => !accepted.includes(name) && used.has(name))
    .map((name) => `${goQuote(name)} is already in use`);
}

function aggregate(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] ?? "") : `[${problems.join(", ")}]`;
}

function conditionsFor(
  definition: CustomResourceDefinition,
  conflict: { reason: string; message: string } | undefined,
): NamingDecision["conditions"] {
  const established = definition.status?.conditions?.find(({ type }) => type === "Established");
  if (conflict !== undefined) {
    const notAccepted = { status: "False", reason: "NotAccepted", message: "not all names are accepted" };
    return [
      { type: "NamesAccepted", status: "False", ...conflict },
      { type: "Established", ...(established ?? notAccepted) },
    ];
  }
  const installing = { status: "False", reason: "Installing", message: "the initial names have been accepted" };
  return [
    { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
    { type: "Established", ...(established?.status === "True" ? established : installing) },
  ];
}

/** The condition by which a definition with accepted names begins to be served. */
export const desiredEstablished: Omit<CustomResourceDefinitionCondition, "lastTransitionTime"> = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};

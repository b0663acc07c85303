import type { KubernetesObject } from "@stowage/machinery";

/** A field that two objects do not share; undefined where one does not have it. */
export interface Difference {
  /** `spec.template.spec.containers[0].image` */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a server writes by itself, and what nobody would read. */
const ownFields = ["managedFields", "resourceVersion", "generation", "uid", "creationTimestamp"];

/** What of an object would be another, but for what the server keeps of it. */
export function objectDifferences(before: KubernetesObject, after: KubernetesObject): Difference[] {
  return differences(comparable(before), comparable(after), "");
}

function comparable({ metadata, ...rest }: KubernetesObject): object {
  const kept = Object.entries(metadata).filter(([name]) => !ownFields.includes(name));
  return { ...rest, metadata: Object.fromEntries(kept), status: undefined };
}

function differences(before: unknown, after: unknown, path: string): Difference[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after))
    return differencesIn(before, after, (index) => `${path}[${index}]`);
  if (isFields(before) && isFields(after))
    return differencesIn(before, after, (name) => (path === "" ? name : `${path}.${name}`));
  return [{ path, before, after }];
}

type Fields = Readonly<Record<string, unknown>>;

function differencesIn(before: object, after: object, pathOf: (name: string) => string): Difference[] {
  const [old, changed] = [before as Fields, after as Fields];
  const names = new Set([...Object.keys(old), ...Object.keys(changed)]);
  return [...names].flatMap((name) => differences(old[name], changed[name], pathOf(name)));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

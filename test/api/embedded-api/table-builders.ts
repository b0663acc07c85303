import { create, type Fields, get, patch, strategicPatch } from "./builders.ts";
import type { Request, Sequence, Step } from "./sequence.ts";

/** Words for sequences about tables. */
export const table = "application/json;as=Table;v=v1;g=meta.k8s.io";

/** As kubectl asks. */
export const kubectlTable = `${table},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`;

/** One kind: where its objects are, what they are, and one of them for each row. */
export interface Shown {
  readonly kind: string;
  readonly apiVersion: string;
  readonly path: string;
  readonly rows: Readonly<Record<string, ShownObject>>;
}

/** What is particular to an object; its status is written after it has been created. */
export interface ShownObject extends Fields {
  readonly metadata?: Fields;
  readonly status?: Fields;
}

/** Whether there is one object by that name for all sequences, unless it is made theirs. */
function isOfCluster(path: string): boolean {
  return !path.includes("/namespaces/");
}

/** Created, given its status, and then asked for as a row: by itself, in a list, and with nothing beside its cells. */
export function shown({ kind, apiVersion, path, rows }: Shown): Sequence[] {
  return Object.entries(rows).map(([what, { status, metadata, ...rest }]) => {
    const name = isOfCluster(path) ? "{id}" : "a";
    const object = { apiVersion, kind, metadata: { name, ...metadata }, ...rest };
    const one = `${path}/${name}`;
    return {
      name: `${kind}: ${what}`,
      steps: [create(path, object), ...statusSteps(one, status), ...tableSteps(path, name)],
    };
  });
}

function statusSteps(one: string, status: Fields | undefined): Request[] {
  return status === undefined ? [] : [patch(`${one}/status`, strategicPatch, { status })];
}

export function tableSteps(path: string, name: string): Step[] {
  const only = `fieldSelector=metadata.name%3D${name}`;
  return [
    get(`${path}/${name}?includeObject=None`, { accept: table }),
    get(`${path}?${only}`, { accept: kubectlTable }),
  ];
}

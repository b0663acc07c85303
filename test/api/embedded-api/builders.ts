import type { Request, Sequence, Step } from "./sequence.ts";

/** Small words for the sequences: paths, bodies and steps that many of them have. */
export type Fields = Readonly<Record<string, unknown>>;

export const maps = "/api/v1/namespaces/{ns}/configmaps";
export const secrets = "/api/v1/namespaces/{ns}/secrets";
export const pods = "/api/v1/namespaces/{ns}/pods";
export const claims = "/api/v1/namespaces/{ns}/persistentvolumeclaims";
export const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
export const classes = "/apis/storage.k8s.io/v1/storageclasses";

export const jsonPatch = "application/json-patch+json";
export const mergePatch = "application/merge-patch+json";
export const strategicPatch = "application/strategic-merge-patch+json";
export const applyYaml = "application/apply-patch+yaml";

export const configMap = (name: string, more: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  ...more,
});

export const pod = (name: string, metadata: Fields = {}, spec: Fields = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: { containers: [{ name: "main", image: "example.test/app:1" }], ...spec },
});

export const deployment = (name: string, spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, ...metadata },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "main", image: "example.test/app:1" }] },
    },
    ...spec,
  },
});

export const claim = (name: string, spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name, ...metadata },
  spec: {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    storageClassName: "",
    ...spec,
  },
});

export const create = (collection: string, body: unknown, query = ""): Request => ({
  send: `POST ${collection}${query}`,
  body,
});

export const get = (path: string, more: Partial<Request> = {}): Request => ({ ...more, send: `GET ${path}` });

export const remove = (path: string, body?: unknown): Request => ({
  send: `DELETE ${path}`,
  ...(body !== undefined && { body }),
});

export const update = (path: string, body: unknown): Request => ({ send: `PUT ${path}`, body });

export const patch = (path: string, type: string, body: unknown): Request => ({ send: `PATCH ${path}`, type, body });

export const apply = (path: string, body: unknown, { manager = "ann", force = false, more = "" } = {}): Request =>
  patch(`${path}?fieldManager=${manager}${force ? "&force=true" : ""}${more}`, applyYaml, body);

/** One sequence for each row of a table, all of them beginning in the same way. */
export function rows(
  what: string,
  table: Readonly<Record<string, Step | readonly Step[]>>,
  first: readonly Step[] = [],
): Sequence[] {
  return Object.entries(table).map(([name, steps]) => ({
    name: `${what}: ${name}`,
    steps: [...first, ...(Array.isArray(steps) ? (steps as readonly Step[]) : [steps as Step])],
  }));
}

/** One sequence for each text, which is its name as well. */
export function each(what: string, texts: readonly string[], steps: (text: string) => readonly Step[]): Sequence[] {
  return texts.map((text) => ({ name: `${what}: ${text}`, steps: steps(text) }));
}

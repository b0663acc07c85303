export const NAMESPACE = "bench";
export const collection = collectionIn(NAMESPACE);

export function collectionIn(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

const CHARACTERS = 700;

/** About 1 KB when it is sent; each different from the others, and from itself at another time. */
export function configMap(namespace: string, name: string, revision = 0): string {
  const text = `${name} ${revision} `;
  return JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      namespace,
      labels: { app: "bench", part: name },
      annotations: { "bench.test/revision": `${revision}` },
    },
    data: {
      text: text.repeat(Math.ceil(CHARACTERS / text.length)).slice(0, CHARACTERS),
      revision: String(revision),
      color: "blue",
      limit: "10",
    },
  });
}

export function nameOf(index: number): string {
  return `object-${String(index).padStart(6, "0")}`;
}

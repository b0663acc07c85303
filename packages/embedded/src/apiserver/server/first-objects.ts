import { syncDefaultPolicy } from "../access/index.ts";
import { ApiError } from "../answers/index.ts";
import { objectKey } from "../verbs/object-key.ts";
import { createLocally } from "./local-requests.ts";
import type { ServerParts } from "./server-parts.ts";

const namespaces = ["kube-system", "kube-public", "kube-node-lease", "default"];

const priorityClasses = [
  {
    metadata: { name: "system-node-critical" },
    value: 2_000_001_000,
    description: "Used for system critical pods that must not be moved from their current node.",
  },
  {
    metadata: { name: "system-cluster-critical" },
    value: 2_000_000_000,
    description:
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
  },
];

/** What every cluster has from its first moment on. What is there already is left as it is, but for roles that lack something. */
export async function createFirstObjects(parts: ServerParts): Promise<void> {
  await Promise.all([
    syncDefaultPolicy(parts),
    ...namespaces.map((name) => createLocally(parts, "/api/v1/namespaces", { metadata: { name } })),
    ...priorityClasses.map((object) => createLocally(parts, "/apis/scheduling.k8s.io/v1/priorityclasses", object)),
  ]);
}

const ownService = { namespace: "default", name: "kubernetes" };

/** How workloads find the server, at the first address that services have. Without it the server is as good for everybody else. */
export async function createOwnService(parts: ServerParts, port: number): Promise<void> {
  const resource = { group: "", plural: "services", namespaced: true };
  if (parts.store.get(objectKey(resource, ownService)) !== undefined) return;
  const { namespace, name } = ownService;
  const object = {
    metadata: { name, labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      clusterIP: "10.96.0.1",
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }],
      sessionAffinity: "None",
      type: "ClusterIP",
    },
  };
  try {
    await createLocally(parts, `/api/v1/namespaces/${namespace}/services`, object);
  } catch (error) {
    // Somebody else's service may have the address.
    if (!(error instanceof ApiError)) throw error;
    parts.logger.warn({ error }, "service of the API server not created");
  }
}

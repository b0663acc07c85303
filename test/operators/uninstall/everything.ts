import { type KubernetesObject, metadataOnly } from "@stowage/machinery";
import type { OperatorCluster } from "../driver-operator/operator-cluster.ts";

/** What comes and goes by itself, and what is no object of its own. */
const passing: ReadonlySet<string> = new Set(["events", "componentstatuses", "endpoints", "endpointslices"]);

/** `DaemonSet namespace/name` of every object that the server has, sorted. */
export async function everything({ client, mapper }: OperatorCluster): Promise<string[]> {
  mapper.invalidate();
  const { groups } = await mapper.resources();
  const types = groups.flatMap(({ versions }) => versions[0]?.resources ?? []);
  const listed = types.filter(({ plural, verbs }) => verbs.includes("list") && !passing.has(plural));
  const names = await Promise.all(
    listed.map(async (type) => {
      const { items } = await client.list<KubernetesObject>(metadataOnly(type));
      return items.map(
        ({ metadata }) => `${type.kind} ${[metadata.namespace, metadata.name].filter(Boolean).join("/")}`,
      );
    }),
  );
  return names.flat().toSorted();
}

import { type KubernetesObject, leases, metadataOnly, type ResourceType } from "@stowage/machinery";
import type { OperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";

/** An object that the server has, and where it is. */
export interface ServerObject {
  readonly type: ResourceType;
  readonly object: KubernetesObject;
}

/** The server's own word on how it is, and no object that anybody keeps. */
const notKept: ReadonlySet<string> = new Set(["componentstatuses"]);

/** Everything, of whatever kind. Without its content, unless that is asked for. */
export async function listEverything(
  { client, mapper }: Pick<OperatorCluster, "client" | "mapper">,
  { withContent = false }: { withContent?: boolean } = {},
): Promise<ServerObject[]> {
  mapper.invalidate();
  const { groups } = await mapper.resources();
  const types = groups.flatMap(({ versions }) => versions[0]?.resources ?? []);
  const listed = types.filter(({ plural, verbs }) => verbs.includes("list") && !notKept.has(plural));
  const all = await Promise.all(
    listed.map(async (type) => {
      const { items } = await client.list<KubernetesObject>(withContent ? type : metadataOnly(type));
      return items.map((object) => ({ type, object }));
    }),
  );
  return all.flat();
}

/** `deployments.apps namespace/name` */
export function nameOf({ type: { group, plural }, object: { metadata } }: ServerObject): string {
  const where = [metadata.namespace, metadata.name].filter(Boolean).join("/");
  return `${plural}${group && `.${group}`} ${where}`;
}

/** Those that still hold a placeholder, but for these. */
export async function unfilledObjects(cluster: OperatorCluster, own: ReadonlySet<string>): Promise<string[]> {
  const all = await listEverything(cluster, { withContent: true });
  const isUnfilled = ({ object }: { object: KubernetesObject }) => JSON.stringify(object).includes("${");
  return all.filter((each) => !own.has(nameOf(each)) && isUnfilled(each)).map(nameOf);
}

/** Of everything but leases: name → version. */
export async function versionsOf(cluster: OperatorCluster): Promise<ReadonlyMap<string, string>> {
  const all = (await listEverything(cluster)).filter(({ type }) => type.plural !== leases.plural);
  return new Map(all.map((each) => [nameOf(each), each.object.metadata.resourceVersion ?? ""]));
}

/** The names of what is there only before or after, or in another version. */
export function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));
}

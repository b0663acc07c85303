import type { Node } from "@stowage/machinery";
import type { Store } from "../../store/index.ts";
import { objectKey } from "../../verbs/object-key.ts";

/** Where a node's own server is. */
export interface AgentPlace {
  readonly host: string;
  readonly port: number;
}

const nodes = { group: "", plural: "nodes", namespaced: false };
const usualPort = 10_250;

/** As its Node tells it; undefined when it does not. */
export function agentPlace(store: Store, name: string): AgentPlace | undefined {
  const stored = store.get(objectKey(nodes, { namespace: undefined, name }));
  if (stored === undefined) return undefined;
  const { status } = JSON.parse(stored.text) as Node;
  const host = status?.addresses?.find(({ type }) => type === "InternalIP")?.address;
  return host === undefined ? undefined : { host, port: status?.daemonEndpoints?.kubeletEndpoint?.Port ?? usualPort };
}

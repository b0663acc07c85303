import { createHash } from "node:crypto";
import type { Pod } from "@stowage/machinery";

/** All of 127.0.0.0/8 is the machine's own; Pods have its second quarter, nodes are at the very beginning. */
const SECOND_QUARTER = 64;

/**
 * Where a Pod is. There is one network, the machine's, and two Pods may want the same port of their loopback: each has an address of its own
 * there, which follows from its uid, so that nobody has to remember it. A Pod on the network of its node has the node's.
 */
export function podAddresses({ metadata, spec }: Pod, nodeAddresses: readonly string[]): readonly string[] {
  if (spec?.hostNetwork === true) return nodeAddresses;
  const [a = 0, b = 0, c = 0] = createHash("sha256")
    .update(metadata.uid ?? "")
    .digest();
  // The last part is neither 0 nor 255, which some programs take for a network and a broadcast.
  return [`127.${SECOND_QUARTER + (a % SECOND_QUARTER)}.${b}.${1 + (c % 254)}`];
}

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost"]);

/** Which address is meant by the `host` of a probe or a hook; none is the Pod's own. */
export function probeHost(pod: Pod, host: string | undefined, nodeAddresses: readonly string[]): string {
  const [own = "127.0.0.1"] = podAddresses(pod, nodeAddresses);
  return host === undefined || host === "" || loopback.has(host) ? own : host;
}

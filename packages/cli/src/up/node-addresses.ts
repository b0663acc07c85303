import { createHash } from "node:crypto";

/**
 * The address of a cluster's node on the loopback, by the folder that the cluster is kept in, so that two clusters on a machine keep out of each
 * other's way: Pods in the network of their node, as drivers are, have ports of fixed numbers. Below 127.64.0.0, where other Pods are.
 */
export function nodeAddressIn(folder: string, index: number): string {
  const [first = 0, second = 0] = createHash("sha256").update(folder).digest();
  return `127.${1 + (first % 63)}.${second}.${index}`;
}

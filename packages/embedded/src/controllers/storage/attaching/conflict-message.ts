import type { Pod } from "@stowage/machinery";

/** What a Pod is told whose volume another node has. Of Pods in other namespaces it is told how many there are, and no names. */
export function conflictMessage(volumeName: string, pod: Pod, users: readonly Pod[]): string {
  return attachMessage("Multi-Attach error", volumeName, usedBy(pod, users));
}

function usedBy({ metadata: { namespace } }: Pod, users: readonly Pod[]): string {
  if (users.length === 0) return "Volume is already exclusively attached to one node and can't be attached to another";
  const local = users.filter(({ metadata }) => metadata.namespace === namespace).map(({ metadata }) => metadata.name);
  const others = users.length - local.length;
  if (local.length === 0) return `Volume is already used by ${others} pod(s) in different namespaces`;
  const and = others > 0 ? ` and ${others} pod(s) in different namespaces` : "";
  return `Volume is already used by pod(s) ${local.join(", ")}${and}`;
}

/** Ends in a space when nothing follows: people search for the whole of it. */
export function attachMessage(what: string, volumeName: string, details: string): string {
  return `${what} for volume ${JSON.stringify(volumeName)} ${details}`;
}

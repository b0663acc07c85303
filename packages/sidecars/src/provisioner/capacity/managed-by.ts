import { capacityManager, fnv1a32 } from "@stowage/machinery";

const MAXIMUM_LENGTH = 63;
const HASH_LENGTH = 8;

/** The label by which a provisioner finds its objects. On each node it has its own; the original would not find another name. */
export function managedByLabel(nodeName?: string): string {
  if (nodeName === undefined) return capacityManager;
  const name = `${capacityManager}-${nodeName}`;
  if (name.length <= MAXIMUM_LENGTH) return name;
  const room = MAXIMUM_LENGTH - nodeName.length - HASH_LENGTH - 2;
  if (room <= 0) return `${capacityManager}-${hashOf(name)}`;
  return `${capacityManager.slice(0, room)}-${hashOf(capacityManager)}-${nodeName}`;
}

function hashOf(text: string): string {
  return fnv1a32(text).toString(16).padStart(HASH_LENGTH, "0");
}

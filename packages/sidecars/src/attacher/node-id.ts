import { attachingAnnotations, type CSINode, StowageError, type VolumeAttachment } from "@stowage/machinery";

/** What the driver calls a node, as kubelet has written it down. */
function registeredNodeId(csiNode: CSINode | undefined, driver: string): string | undefined {
  return (csiNode?.spec.drivers ?? []).find(({ name }) => name === driver)?.nodeID;
}

/** To attach, the driver must be there. @throws StowageError NODE_NOT_REGISTERED */
export function attachNodeId(attachment: VolumeAttachment, csiNode: CSINode | undefined, driver: string): string {
  const nodeId = registeredNodeId(csiNode, driver);
  if (nodeId === undefined) throw notRegistered(attachment.spec.nodeName, csiNode, driver);
  return nodeId;
}

/** To detach, the driver may be gone from the node, and the node too. @throws StowageError NODE_NOT_REGISTERED */
export function detachNodeId(attachment: VolumeAttachment, csiNode: CSINode | undefined, driver: string): string {
  const nodeId = registeredNodeId(csiNode, driver) ?? attachment.metadata.annotations?.[attachingAnnotations.nodeId];
  if (nodeId === undefined) throw notRegistered(attachment.spec.nodeName, csiNode, driver);
  return nodeId;
}

function notRegistered(node: string, csiNode: CSINode | undefined, driver: string): StowageError {
  const why =
    csiNode === undefined ? `there is no CSINode ${node}` : `CSINode ${node} does not contain driver ${driver}`;
  return new StowageError("NODE_NOT_REGISTERED", `cannot tell what ${driver} calls the node ${node}: ${why}`);
}

import { isNotFound, type KubeClient, type ObjectReader } from "@stowage/kube";
import { KeyedLock, type Node, nodes } from "@stowage/machinery";
import type { ActualAttachments } from "./actual-attachments.ts";

export interface NodeReportDeps {
  readonly client: KubeClient;
  readonly nodes: ObjectReader<Node>;
  readonly actual: ActualAttachments;
}

/** Writes what is attached to a node into its status, where kubelet waits for it. One write at a time for each node. */
export function createNodeReport({
  client,
  nodes: known,
  actual,
}: NodeReportDeps): (nodeName: string) => Promise<void> {
  const lock = new KeyedLock();
  return (name) =>
    lock.run(name, async () => {
      if (!actual.takeChanged(name) || known.get({ name }) === undefined) return;
      const attached = actual.reportedOn(name).map((each) => ({ name: each, devicePath: "" }));
      const patch = { status: { volumesAttached: attached.length === 0 ? null : attached } };
      try {
        await client.patch(nodes, { name }, { type: "strategic", patch }, { subresource: "status" });
      } catch (error) {
        if (isNotFound(error)) return;
        actual.markChanged(name);
        throw error;
      }
    });
}

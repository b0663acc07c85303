import type { NodeService } from "@stowage/csi";
import type { NodeDeps } from "./node-deps.ts";
import { publishCalls } from "./publish-calls.ts";
import { stageCalls } from "./stage-calls.ts";
import { expandCall, usageCalls } from "./usage-calls.ts";

export function nodeService(deps: NodeDeps): NodeService {
  const { nodeId, maxVolumesPerNode, topology, abilities } = deps.settings;
  return {
    ...stageCalls(deps),
    ...publishCalls(deps),
    ...usageCalls(deps),
    ...(abilities.includes("expand") ? expandCall(deps) : {}),
    async nodeGetInfo() {
      const isSomewhere = Object.keys(topology).length > 0;
      return {
        nodeId,
        maxVolumesPerNode: BigInt(maxVolumesPerNode),
        accessibleTopology: isSomewhere ? { segments: { ...topology } } : undefined,
      };
    },
  };
}

import { defineSidecarFlags } from "../sidecar-flags.ts";

export const resizerFlags = defineSidecarFlags({
  name: "resizer",
  summary: "expand volumes, and change them to another VolumeAttributesClass",
  options: {
    timeout: { type: "duration", default: "10s", help: "how long a call to the driver may take" },
    workers: { type: "int", default: 10, minimum: 1, help: "claims that are worked on at once" },
    resyncPeriod: { type: "duration", default: "10m", help: "how often everything is looked at again" },
    handleVolumeInuseError: {
      type: "boolean",
      default: true,
      help: "wait until no Pod uses a volume that its driver will not expand in use",
    },
    extraModifyMetadata: { type: "boolean", help: "tell the driver which claim and volume it modifies" },
    nodeDeployment: { type: "boolean", help: "runs on each node, for the volumes of that node; the original cannot" },
  },
  idleReason: ({ name, plugin, controller }) => {
    const expands = plugin.has("VOLUME_EXPANSION_ONLINE") || plugin.has("VOLUME_EXPANSION_OFFLINE");
    if (expands || controller.has("EXPAND_VOLUME") || controller.has("MODIFY_VOLUME")) return undefined;
    return `driver ${name} can neither expand nor modify volumes`;
  },
});

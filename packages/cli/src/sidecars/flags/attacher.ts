import { defineSidecarFlags } from "../sidecar-flags.ts";

export const attacherFlags = defineSidecarFlags({
  name: "attacher",
  summary: "attach volumes to nodes as VolumeAttachments ask for",
  options: {
    timeout: { type: "duration", default: "15s", help: "how long a call to the driver may take" },
    workerThreads: { type: "int", default: 10, minimum: 1, help: "VolumeAttachments that are worked on at once" },
    resync: { type: "duration", default: "10m", help: "how often everything is looked at again" },
    reconcileSync: { type: "duration", default: "1m", help: "how often the driver is asked what is attached" },
    maxEntries: { type: "int", default: 0, minimum: 0, help: "volumes in one answer of the driver; 0 for its choice" },
    defaultFstype: { type: "string", placeholder: "NAME", default: "", help: "file system where the PV names none" },
    maxGrpcLogLength: {
      type: "int",
      default: -1,
      help: "taken and ignored: messages are logged whole, without secrets",
    },
  },
});

import { defineSidecarFlags } from "../sidecar-flags.ts";

export const snapshotterFlags = defineSidecarFlags({
  name: "snapshotter",
  summary: "make and delete snapshots as VolumeSnapshotContents ask for",
  options: {
    timeout: { type: "duration", default: "1m", help: "how long a call to the driver may take" },
    workerThreads: { type: "int", default: 10, minimum: 1, help: "contents that are worked on at once" },
    snapshotNamePrefix: { type: "string", placeholder: "TEXT", default: "snapshot", help: "begins names of snapshots" },
    snapshotNameUuidLength: { type: "int", default: -1, help: "how much of the uid a name has; -1 for all of it" },
    groupsnapshotNamePrefix: {
      type: "string",
      placeholder: "TEXT",
      default: "groupsnapshot",
      help: "begins names of group snapshots",
    },
    groupsnapshotNameUuidLength: { type: "int", default: -1, help: "as with snapshots" },
    resyncPeriod: { type: "duration", default: "15m", help: "how often everything is looked at again" },
    extraCreateMetadata: { type: "boolean", help: "tell the driver the names of the Kubernetes objects" },
    nodeDeployment: { type: "boolean", help: "runs on each node, for the contents of that node" },
  },
  idleReason: ({ name, controller }) =>
    controller.has("CREATE_DELETE_SNAPSHOT") ? undefined : `driver ${name} cannot make snapshots`,
});

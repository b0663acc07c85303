import { defineSidecarFlags } from "../sidecar-flags.ts";

const namingOptions = {
  volumeNamePrefix: { type: "string", placeholder: "TEXT", default: "pvc", help: "begins names of volumes" },
  volumeNameUuidLength: { type: "int", default: -1, help: "how much of the claim's uid a name has; -1 for all of it" },
  extraCreateMetadata: { type: "boolean", help: "tell the driver the names of claim and volume" },
  defaultFstype: { type: "string", placeholder: "NAME", default: "", help: "file system where the class names none" },
} as const;

const topologyOptions = {
  strictTopology: { type: "boolean", help: "ask for the selected node's place and no other" },
  immediateTopology: {
    type: "boolean",
    default: true,
    help: "name all places there are where a claim waits for no node",
  },
} as const;

const capacityOptions = {
  enableCapacity: { type: "boolean", help: "keep CSIStorageCapacity objects, by which the scheduler goes" },
  capacityPollInterval: { type: "duration", default: "1m", help: "how often the driver is asked for its capacity" },
  capacityThreads: { type: "int", default: 1, minimum: 1, help: "capacity objects that are worked on at once" },
  capacityOwnerrefLevel: {
    type: "int",
    default: 1,
    help: "who owns the capacity objects: 0 the Pod, 1 its owner, 2 that one's owner, -1 nobody",
  },
  capacityForImmediateBinding: { type: "boolean", help: "also for classes that do not wait for a Pod" },
  kubeApiCapacityQps: { type: "number", default: 1, minimum: 0.1, help: "requests a second for capacity objects" },
  kubeApiCapacityBurst: { type: "int", default: 5, minimum: 1, help: "such requests at once" },
} as const;

const nodeOptions = {
  nodeDeployment: { type: "boolean", help: "runs on each node, for the volumes of that node" },
  nodeDeploymentImmediateBinding: {
    type: "boolean",
    default: true,
    help: "there, take claims that wait for no Pod too",
  },
  nodeDeploymentBaseDelay: { type: "duration", default: "20s", help: "there, how long to wait before taking one" },
  nodeDeploymentMaxDelay: { type: "duration", default: "60s", help: "there, the longest such wait" },
} as const;

export const provisionerFlags = defineSidecarFlags({
  name: "provisioner",
  summary: "make volumes for PersistentVolumeClaims, and delete them",
  options: {
    timeout: { type: "duration", default: "10s", help: "how long a call to the driver may take" },
    workerThreads: { type: "int", default: 100, minimum: 1, help: "claims and volumes that are worked on at once" },
    cloningProtectionThreads: { type: "int", default: 1, minimum: 1, help: "clone sources that are worked on at once" },
    snapshotOrphanSweepInterval: {
      type: "duration",
      default: "5m",
      help: "how often snapshots are looked at that were a source and are still protected",
    },
    controllerPublishReadonly: { type: "boolean", help: "attach volumes read-only that can only be read" },
    preventVolumeModeConversion: {
      type: "boolean",
      default: true,
      help: "refuse to restore a snapshot in another volume mode",
    },
    durableIntent: {
      type: "choice",
      choices: ["auto", "true", "false"],
      default: "auto",
      help: "note volumes in a ConfigMap before they are made, so that a crash leaves none behind; auto: if it may",
    },
    enablePprof: { type: "boolean", help: "taken and ignored: profiles are those of Go programs" },
    ...namingOptions,
    ...topologyOptions,
    ...capacityOptions,
    ...nodeOptions,
  },
  idleReason: ({ name, controller }) =>
    controller.has("CREATE_DELETE_VOLUME") ? undefined : `driver ${name} cannot make volumes`,
});

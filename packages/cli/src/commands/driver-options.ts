import type { MockAbility } from "@stowage/drivers";
import type { OptionTable, OptionValues } from "../options/option-table.ts";

export const driverKinds = ["mock", "local"] as const;

export type DriverKind = (typeof driverKinds)[number];

export function isDriverKind(text: string): text is DriverKind {
  return (driverKinds as readonly string[]).includes(text);
}

/** Here too, since the driver itself takes long to load. */
export const abilityNames = [
  "expand",
  "snapshots",
  "group-snapshots",
  "clones",
  "modify",
] as const satisfies MockAbility[];

/** Of every driver. */
const commonOptions = {
  endpoint: {
    type: "string",
    env: "CSI_ENDPOINT",
    placeholder: "ADDRESS",
    help: "where to listen, such as unix:///run/csi/socket; required",
  },
  nodeId: { type: "string", placeholder: "NAME", help: "what the node is called; required" },
  stateDir: {
    type: "string",
    placeholder: "FOLDER",
    help: "where volumes are kept; local requires it, and mock forgets them without it",
  },
  driverName: { type: "string", placeholder: "NAME", help: "name to go by; each driver has its own" },
  services: {
    type: "string",
    placeholder: "LIST",
    default: "controller,node",
    help: "what this process offers: controller, node, or both",
  },
  httpEndpoint: {
    type: "string",
    placeholder: "HOST:PORT",
    help: "where to serve /healthz, /readyz and /metrics; nowhere when left out",
  },
  pluginRegistrationPath: {
    type: "string",
    placeholder: "FOLDER",
    help: "kubelet's folder for registrations, as this process sees it; not registered when left out",
  },
  kubeletRegistrationPath: {
    type: "string",
    placeholder: "SOCKET",
    help: "the driver's socket as kubelet sees it; the one to listen at when left out",
  },
  attach: { type: "choice", choices: ["on", "off"], help: "whether nodes need volumes attached; on for mock" },
  maxVolumesPerNode: { type: "int", default: 0, minimum: 0, help: "volumes that a node can have; 0 for any number" },
  csi13: { type: "boolean", help: "offer what CSI 1.13 adds, which not every caller knows" },
} as const satisfies OptionTable;

const mockOptions = {
  controlEndpoint: {
    type: "string",
    placeholder: "ADDRESS",
    help: "mock: where faults are injected and calls are read, a socket (unix:///…) or a port of 127.0.0.1",
  },
  topology: { type: "string", placeholder: "KEY=VALUE,…", help: "mock: where the node is; no topology when left out" },
  attachableNodes: {
    type: "string",
    placeholder: "LIST",
    help: "mock: the nodes that volumes can be attached to, or any; its own when left out",
  },
  abilities: {
    type: "string",
    placeholder: "LIST",
    default: abilityNames.join(","),
    help: "mock: what it offers beside volumes and to attach them",
  },
  capacity: { type: "string", placeholder: "QUANTITY", default: "100Ti", help: "mock: size of the storage" },
  maxVolumeSize: { type: "string", placeholder: "QUANTITY", default: "16Ti", help: "mock: size of the largest volume" },
  expansion: {
    type: "choice",
    choices: ["online", "offline"],
    default: "online",
    help: "mock: whether volumes in use can be expanded",
  },
  mutableParameters: {
    type: "string",
    placeholder: "LIST",
    default: "type,iops,throughput",
    help: "mock: parameters that a VolumeAttributesClass can set",
  },
  snapshotDelayMs: { type: "int", default: 0, minimum: 0, help: "mock: how long a snapshot takes to be ready" },
  secretsFile: {
    type: "string",
    placeholder: "FILE",
    help: "mock: JSON with the secrets that calls must carry, in the form that csi-sanity takes",
  },
} as const satisfies OptionTable;

const localOptions = {
  kubeletDirs: {
    type: "string",
    placeholder: "LIST",
    default: "/var/lib/kubelet",
    help: "local: folders below which volumes may be staged and published",
  },
  contents: {
    type: "choice",
    choices: ["auto", "image", "directory"],
    default: "auto",
    help: "local: what a volume is: an image file on a loop device, or a plain folder",
  },
  reserve: { type: "string", placeholder: "QUANTITY", default: "0", help: "local: space that volumes are not given" },
  extraLabels: { type: "string", placeholder: "KEY=VALUE,…", help: "local: marks for every volume and snapshot" },
  ioCgroup: { type: "string", placeholder: "FOLDER", help: "local: the cgroup that I/O limits hold for" },
} as const satisfies OptionTable;

export const driverOptions = { ...commonOptions, ...mockOptions, ...localOptions } as const satisfies OptionTable;

export type DriverOptions = OptionValues<typeof driverOptions>;

/** `a,b` -> `["a", "b"]`. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** `a=1,b=2` -> `{ a: "1", b: "2" }`. */
export function mapOf(text = ""): Record<string, string> {
  return Object.fromEntries(
    listOf(text).map((item) => {
      const [key = "", ...value] = item.split("=");
      return [key, value.join("=")];
    }),
  );
}

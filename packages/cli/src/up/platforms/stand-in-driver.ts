import type { MockAbility } from "@stowage/drivers";
import type { Container } from "@stowage/machinery";

/** What a driver of a cloud can do beside making volumes; network file systems do not attach. */
export type StandInAbility = "attach" | MockAbility;

/** A driver of a cloud, as far as its stand-in has to know it. */
export interface StandInDriver {
  /** Undefined for a program that is no driver, and that nobody misses. */
  readonly driverName: string | undefined;
  /** Of such a program: whether it is one that does not end. */
  readonly runsOn?: true;
  /** No sidecar is beside it: another driver calls it, or would. */
  readonly isCompanion?: true;
  /** Where every node is; no topology when left out. */
  readonly topology?: Readonly<Record<string, string>>;
  /**
   * No more than the cloud's own says of itself: sidecars watch what goes with each, and their roles, which are the originals', allow only
   * that. Nothing when left out.
   */
  readonly abilities?: readonly StandInAbility[];
}

/** Where a stand-in finds the volumes of the simulated cloud, which are kept with the cluster. */
export const cloudFolder = "/stowage/cloud";

/** What drivers of clouds look for on their nodes. Not every machine has all of it, and none is to get it for a simulation. */
export const foldersOfClouds = [
  "/etc/amazon",
  "/etc/selinux",
  "/etc/udev",
  "/lib/udev",
  "/run/udev",
  "/sys/bus/scsi/devices",
  "/sys/class/scsi_host",
  "/var/amazon",
  "/var/run/efs",
];

/** Until it is told to end: the first process of a container has to say that it listens to that. */
const idle = ["sh", "-c", "trap 'exit 0' TERM; sleep infinity & wait"];

const endpointFlag = "--endpoint=";

/** Under which flags the drivers are told where to serve their metrics. */
const metricsFlags = ["--http-endpoint=", "--metrics-address="];

const kubeletFolder = "/var/lib/kubelet";
/** Where Pods' volumes are, as a driver on a node is asked for them. */
export const podsFolder = `${kubeletFolder}/pods`;

/**
 * What runs in place of a cloud's driver: the mock driver under its name, where the container says that the driver is to be. Undefined for a
 * script, which needs nothing of the driver's image but a shell.
 */
export function standInCommand(
  standIn: StandInDriver,
  container: Container,
  nodeName: string,
): readonly string[] | undefined {
  const { driverName, topology = {}, abilities = [] } = standIn;
  if (container.command?.[0] === "sh") return undefined;
  if (driverName === undefined) return standIn.runsOn ? idle : ["true"];
  const pairs = Object.entries(topology).map(([key, value]) => `${key}=${value}`);
  return [
    "stowage",
    "driver",
    "mock",
    `--driver-name=${driverName}`,
    `--endpoint=${endpointOf(container) ?? idleEndpoint(nodeName)}`,
    `--node-id=${nodeName}`,
    `--services=${isOnNode(container) ? "node" : "controller"}`,
    `--state-dir=${cloudFolder}`,
    "--attachable-nodes=any",
    ...(pairs.length > 0 ? [`--topology=${pairs.join(",")}`] : []),
    ...(abilities.includes("attach") ? [] : ["--attach=off"]),
    `--abilities=${abilities.filter((each) => each !== "attach").join(",")}`,
    ...addressOf(container),
  ];
}

/** Controllers may be privileged too, but have nothing of kubelet's. */
function isOnNode({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some(({ mountPath }) => isWithin(kubeletFolder, mountPath));
}

/** Of a driver that has its volumes mounted by another one, and so cannot see where: its stand-in makes them itself. */
export function missesPods(container: Container): boolean {
  const { volumeMounts = [] } = container;
  return isOnNode(container) && !volumeMounts.some(({ mountPath }) => isWithin(mountPath, podsFolder));
}

function isWithin(folder: string, path: string): boolean {
  return `${path}/`.startsWith(`${folder.replace(/\/+$/u, "")}/`);
}

/** Of a program in the driver's image that is no driver: nobody calls it, and it only has to say that it is well. */
function idleEndpoint(nodeName: string): string {
  return `unix://${cloudFolder}/idle-${nodeName}.sock`;
}

/** By a variable, or by a flag that names none. Some say `unix://csi/csi.sock` and mean the root of the file system. */
function endpointOf({ env = [], args = [] }: Container): string | undefined {
  const flag = args.find((word) => word.startsWith(`${endpointFlag}unix:`));
  const said = env.find(({ name }) => name === "CSI_ENDPOINT")?.value ?? flag?.slice(endpointFlag.length);
  return said?.replace(/^unix:\/*/u, "unix:///");
}

/** For metrics, or where such a program is asked how it is. */
function addressOf(container: Container): string[] {
  const { args = [], ports = [] } = container;
  const probed = endpointOf(container) === undefined ? ports.filter(({ name = "" }) => name.endsWith("healthz")) : [];
  const addresses = args.flatMap((word) => {
    const flag = metricsFlags.find((each) => word.startsWith(each));
    return flag === undefined ? [] : [word.slice(flag.length)];
  });
  return [...addresses, ...probed.map(({ containerPort }) => `0.0.0.0:${containerPort}`)]
    .slice(0, 1)
    .map((address) => `--http-endpoint=${address}`);
}

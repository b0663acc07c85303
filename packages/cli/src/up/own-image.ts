import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ImageProgram } from "@stowage/embedded";
import type { Container } from "@stowage/machinery";
import { loopbackVariable } from "./own-loopback.ts";
import {
  cloudFolder,
  foldersOfClouds,
  missesPods,
  podsFolder,
  type StandInDriver,
  standInCommand,
} from "./platforms/index.ts";

/** Where a container finds the program: no image is pulled, what runs here is laid into it. */
const programFolder = "/stowage/program";
const nodeFile = "/stowage/node";
const commandFolder = "/stowage/bin";
/** As images that need no rights have it; no account of a machine has this number. */
export const NOBODY = 65_532;
const ROOT = 0;

/** Images that are our own program, by the last part of their name, and what they run when their Pod says nothing else. */
export const ownImages: Readonly<Record<string, readonly string[]>> = {
  stowage: [],
  "kube-rbac-proxy": ["rbac-proxy"],
  "csi-external-provisioner": ["sidecar", "provisioner"],
  "csi-external-attacher": ["sidecar", "attacher"],
  "csi-external-resizer": ["sidecar", "resizer"],
  "csi-external-snapshotter": ["sidecar", "snapshotter"],
  "csi-snapshot-controller": ["sidecar", "snapshot-controller"],
  "csi-node-driver-registrar": ["sidecar", "registrar"],
  "csi-livenessprobe": ["sidecar", "livenessprobe"],
  "csi-sidecars": ["sidecars"],
};

/** As Kubernetes' own registry names them, where OpenShift says `csi-…`. */
const otherNames: Readonly<Record<string, string>> = {
  "csi-provisioner": "csi-external-provisioner",
  "csi-attacher": "csi-external-attacher",
  "csi-resizer": "csi-external-resizer",
  "csi-snapshotter": "csi-external-snapshotter",
  "snapshot-controller": "csi-snapshot-controller",
  livenessprobe: "csi-livenessprobe",
};

/**
 * Who an image is when its Pod says nothing else. Sidecars are root, as the originals' images are: they talk to a socket that the driver has
 * made, and most drivers are root.
 */
export function imageUser(words: readonly string[]): number {
  return words[0]?.startsWith("sidecar") ? ROOT : NOBODY;
}

/** `quay.io/openshift/origin-kube-rbac-proxy:latest` is `kube-rbac-proxy`. */
export function imageName(image: string): string {
  const name = image.replace(/[@:][^/]*$/u, "").replace(/^.*\//u, "");
  const plain = name.replace(/^origin-/u, "");
  return otherNames[plain] ?? plain;
}

/** Which words of ours an image stands for; undefined for one that is not ours. */
export function ownCommand(image: string): readonly string[] | undefined {
  const name = imageName(image);
  return Object.hasOwn(ownImages, name) ? ownImages[name] : undefined;
}

export interface OwnProgram {
  readonly nodePath: string;
  /** Of Node, beside the file. */
  readonly flags: readonly string[];
  /** The file that this process was started from: of the bundle, or of the sources. */
  readonly mainPath: string;
  /** A folder with a script that starts it, for containers. */
  readonly launcherFolder: string;
  /** What Node and its allocator are told, so that a process is small. */
  readonly env: Readonly<Record<string, string>>;
}

/** What is run in place of a cloud's own programs, by the last part of their image's name. */
export interface StandIns {
  readonly drivers: Readonly<Record<string, StandInDriver>>;
  /** Of the machine, with a folder for each: what the simulated cloud has. */
  readonly folder: string;
  /** What Pods of a node call `/var/lib/kubelet`, on the machine. */
  kubeletOf(nodeName: string): string;
}

const noStandIns: StandIns = { drivers: {}, folder: "", kubeletOf: () => "" };

/** What our own images run, in place of being pulled, and what runs in place of those of a simulated cloud. */
export function ownImage(
  program: OwnProgram,
  standIns: StandIns = noStandIns,
): (container: Container, podIPs: readonly string[], nodeName: string) => ImageProgram | undefined {
  const files = [
    { hostPath: programRoot(program.mainPath), containerPath: programFolder },
    { hostPath: realpathSync(program.nodePath), containerPath: nodeFile },
    { hostPath: program.launcherFolder, containerPath: commandFolder },
  ];
  const env = { ...program.env, ...launcherVariables(program), PATH: `${commandFolder}:${systemPath}`, HOME: "/" };
  return (container, [address = "127.0.0.1"], nodeName) => {
    const { image = "", securityContext } = container;
    const words = ownCommand(image);
    const user = securityContext?.privileged === true ? ROOT : imageUser(words ?? []);
    const own = { args: [], env: { ...env, [loopbackVariable]: address }, user };
    const standIn = standInOf(standIns, image);
    if (standIn !== undefined) {
      const cloud = { hostPath: standIn.folder, containerPath: cloudFolder, isWritable: true };
      const pods = missesPods(container) ? [podsOf(standIns.kubeletOf(nodeName))] : [];
      const instead = standInCommand(standIn.driver, container, nodeName);
      return {
        ...own,
        command: [],
        ...(instead && { instead }),
        files: [...files, cloud, ...pods],
        ignoredMounts: foldersOfClouds,
      };
    }
    return words === undefined ? undefined : { ...own, command: ["stowage", ...words], files };
  };
}

function podsOf(kubelet: string) {
  return { hostPath: join(kubelet, basename(podsFolder)), containerPath: podsFolder, isWritable: true };
}

function standInOf({ drivers, folder }: StandIns, image: string) {
  const name = imageName(image);
  const driver = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  return driver === undefined ? undefined : { driver, folder: join(folder, name) };
}

const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The bundle is a folder of its own; sources need the whole checkout. */
function programRoot(mainPath: string): string {
  const folder = dirname(realpathSync(mainPath));
  return isBundle(mainPath) ? folder : join(folder, "..", "..", "..");
}

function isBundle(mainPath: string): boolean {
  return mainPath.endsWith(".cjs");
}

/** What a container runs as `stowage`. Where it finds what it starts, it is told: a container may see the machine as it is. */
export const launcherScript = '#!/bin/sh\nexec "$STOWAGE_NODE" $STOWAGE_NODE_FLAGS "$STOWAGE_MAIN" "$@"\n';

function launcherVariables({ flags, mainPath }: OwnProgram): Record<string, string> {
  const file = isBundle(mainPath) ? basename(mainPath) : "packages/cli/src/main.ts";
  return { STOWAGE_NODE: nodeFile, STOWAGE_NODE_FLAGS: flags.join(" "), STOWAGE_MAIN: join(programFolder, file) };
}

import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { createMounter, type Mounter, mountAt, systemExecutor } from "@stowage/csi/host";
import { StowageError } from "@stowage/machinery";
import { containerScript } from "../container-script.ts";
import type { ContainerMount, ContainerSpec } from "../container-spec.ts";
import { toolFile, toolPath } from "../system-tools.ts";
import type { Confinement } from "./confinement.ts";
import type { ContainerRoot } from "./container-root.ts";
import { machineRoot } from "./machine-root.ts";
import { userRoot } from "./user-root.ts";

/** Containers in namespaces of their own, made by the machine's root. */
export function createMachineConfinement(mounter?: Mounter): Confinement {
  return namespacedConfinement(machineRoot, (spec) => spec, mounter);
}

/** Containers in namespaces of their own, made by root of the user namespace that this process is in. */
export function createUserConfinement(mounter?: Mounter): Confinement {
  return namespacedConfinement(userRoot, withinRights, mounter);
}

function namespacedConfinement(
  root: ContainerRoot,
  checked: (spec: ContainerSpec) => ContainerSpec,
  mounter = createMounter(systemExecutor),
): Confinement {
  return {
    async open(folder) {
      // Mounts that containers make below must stay theirs; those of the machine must still be the machine's.
      if ((await mountAt(mounter, folder)) === undefined) await mounter.bind(folder, folder);
      await mounter.makePrivate(folder);
    },
    prepare(given, folder) {
      const spec = checked(withRealPaths(given));
      const { flags, prefix } = root.entry(spec);
      const sharesProcesses = spec.seesHostProcesses || spec.processSpace !== undefined;
      return {
        launcher: [toolFile("unshare"), ...newNamespaces(spec), "--propagation=unchanged"],
        // On a terminal it is not the shell that starts the first process, but whoever holds the terminal.
        ...(makesLate(spec) && { firstLauncher: [toolFile("unshare"), "--pid"] }),
        script: containerScript(spec, folder, root),
        env: { PATH: toolPath, ...spec.env },
        entry: {
          kind: "namespaces",
          flags: [...namespaces(spec), "--root", "--wd", ...flags],
          prefix,
          ...(sharesProcesses && { sharesProcesses }),
        },
      };
    },
  };
}

/** Links in sources would lead elsewhere from within the container. */
function withRealPaths(spec: ContainerSpec): ContainerSpec {
  const real = <T extends { readonly hostPath: string }>(each: T): T => ({
    ...each,
    hostPath: realpathSync(each.hostPath),
  });
  return { ...spec, mounts: spec.mounts.map(real), devices: spec.devices.map(real) };
}

/** Those that are not the machine's, in the words of both `unshare` and `nsenter`. */
function namespaces({ seesHostProcesses, hostname }: ContainerSpec): string[] {
  return ["--mount", ...(seesHostProcesses ? [] : ["--pid"]), ...(hostname === undefined ? [] : ["--uts"])];
}

/** Those that are made for it: a set of processes that is shared is there already. */
function newNamespaces(spec: ContainerSpec): string[] {
  const isThere = spec.seesHostProcesses || spec.processSpace !== undefined;
  return namespaces({ ...spec, seesHostProcesses: isThere || makesLate(spec) });
}

/** Whether its set of processes is made by whoever starts the first of them, and not before. */
function makesLate({ terminal, seesHostProcesses, processSpace }: ContainerSpec): boolean {
  return terminal !== undefined && !seesHostProcesses && processSpace === undefined;
}

/** Refuses devices that the user may not open: the container would be told so by its own program at best. */
function withinRights(spec: ContainerSpec): ContainerSpec {
  const refused = spec.devices.find(({ hostPath }) => !may(hostPath, constants.R_OK));
  if (refused === undefined) return { ...spec, mounts: spec.mounts.filter((mount) => canBePlaced(mount, spec.mounts)) };
  const message = `block device ${refused.containerPath} needs root: ${refused.hostPath} may not be opened by this user`;
  throw new StowageError("CONTAINER_NEEDS_ROOT", message);
}

/**
 * Who mounts the machine's `/dev` has no place there for the file with the container's last words, which only root could make. It is
 * left out, as nobody would look for it but a program that tries to write it.
 */
function canBePlaced({ containerPath }: ContainerMount, all: readonly ContainerMount[]): boolean {
  const devices = all.find((mount) => mount.containerPath === "/dev");
  if (devices === undefined || !containerPath.startsWith("/dev/")) return true;
  const place = join(devices.hostPath, containerPath.slice("/dev".length));
  return existsSync(place) || may(dirname(place), constants.W_OK);
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

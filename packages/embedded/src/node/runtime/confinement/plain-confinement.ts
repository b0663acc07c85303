import { chmodSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { StowageError } from "@stowage/machinery";
import { containerFiles } from "../container-files.ts";
import type { ContainerMount, ContainerSpec } from "../container-spec.ts";
import { shellQuoted, shellWords } from "../shell-text.ts";
import { notFound, noWorkingDir, refuse, tell } from "../start-report.ts";
import { foundTool, toolPath } from "../system-tools.ts";
import { terminalLines } from "../terminal/index.ts";
import type { Confinement, NamedPlace } from "./confinement.ts";
import { realPath, withRealMentions } from "./path-mentions.ts";

/** Where clients look for who they are, and how those that know it are told of another place. */
const accountFolder = {
  named: "/var/run/secrets/kubernetes.io/serviceaccount",
  variable: "STOWAGE_SERVICE_ACCOUNT_DIR",
};
/** To programs of others, paths of sockets have at most 107 letters, and something comes below. */
const LONGEST_PLACE = 60;

export interface PlainConfinementDeps {
  /** Of this process. */
  readonly uid: number;
  /** For links to places with long paths; short itself. */
  readonly temporaryFolder: string;
}

/**
 * Containers as nothing but processes, for where neither root nor a user namespace is to be had. A container sees the machine as it is.
 * Its volumes are where they are: paths that its command and its variables mention are replaced.
 */
export function createPlainConfinement(deps: PlainConfinementDeps): Confinement {
  return {
    open: async () => {},
    prepare(spec, folder) {
      refuseImpossible(spec, deps.uid);
      const { places, linksFolder } = placesOf(spec.mounts, deps.temporaryFolder);
      const real = (text: string) => withRealMentions(text, places);
      const env = Object.fromEntries(Object.entries(spec.env).map(([name, value]) => [name, real(value)]));
      const command = spec.command.map(real);
      const setpriv = spec.mayGainPrivileges ? undefined : foundTool("setpriv");
      const prefix = setpriv === undefined ? [] : [setpriv, "--no-new-privs", "--"];
      const workingDir = realPath(spec.workingDir, places);
      return {
        launcher: [],
        script: plainScript({ ...spec, command, workingDir }, folder, prefix),
        env: { PATH: toolPath, ...toldPlaces(spec, places), ...env },
        entry: { kind: "plain", prefix, places, ...(linksFolder !== undefined && { linksFolder }) },
      };
    },
  };
}

/** What would be had by no name at all, or with more rights than asked for. */
function refuseImpossible({ devices, user }: ContainerSpec, uid: number): void {
  const [device] = devices;
  if (device !== undefined) throw needsRoot(`block device ${device.containerPath} needs a container with its own /dev`);
  // Whoever is not root has no more rights than were asked for, whatever the number says.
  if (uid === 0 && user.uid !== 0) throw needsRoot(`user ${user.uid} cannot reach what is root's`);
}

function needsRoot(why: string): StowageError {
  return new StowageError("CONTAINER_NEEDS_ROOT", `${why}, and containers are plain processes here`);
}

interface Places {
  readonly places: readonly NamedPlace[];
  readonly linksFolder?: string;
}

function placesOf(mounts: readonly ContainerMount[], temporaryFolder: string): Places {
  const places = mounts.map(({ containerPath, hostPath }) => ({ named: containerPath, real: realpathSync(hostPath) }));
  const moved = places.filter(({ named, real }) => named !== real);
  if (moved.every(({ real }) => real.length <= LONGEST_PLACE)) return { places: moved };
  const linksFolder = mkdtempSync(join(temporaryFolder, "stowage-"));
  chmodSync(linksFolder, 0o700);
  const linked = moved.map(({ named, real }, index) => {
    if (real.length <= LONGEST_PLACE) return { named, real };
    const link = join(linksFolder, String(index));
    symlinkSync(real, link);
    return { named, real: link };
  });
  return { places: linked, linksFolder };
}

/** What the container would find out by looking around. */
function toldPlaces({ hostname }: ContainerSpec, places: readonly NamedPlace[]): Record<string, string> {
  const at = (path: string) => places.find(({ named }) => named === path)?.real;
  const told = { HOSTNAME: hostname, TMPDIR: at("/tmp"), [accountFolder.variable]: at(accountFolder.named) };
  return Object.fromEntries(
    Object.entries(told).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The first of a session of its own, so that whatever it starts ends with it. */
function plainScript(spec: ContainerSpec, folder: string, prefix: readonly string[]): string {
  const [program = ""] = spec.command;
  const isElsewhere = `cd ${shellQuoted(spec.workingDir)} 2> /dev/null`;
  return [
    "set -eu",
    ...terminalLines(spec, folder),
    `${isElsewhere} || ${refuse(folder, noWorkingDir(spec))}`,
    `command -v ${shellQuoted(program)} > /dev/null || ${refuse(folder, notFound(program))}`,
    tell(folder, containerFiles.started, ""),
    `exec ${shellWords([...prefix, ...spec.command])}`,
    "",
  ].join("\n");
}

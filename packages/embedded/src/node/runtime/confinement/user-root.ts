import { type Dirent, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ContainerSpec } from "../container-spec.ts";
import { shellQuoted, shellWords } from "../shell-text.ts";
import { toolFile } from "../system-tools.ts";
import { type ContainerRoot, formerRoot, plainDevices } from "./container-root.ts";
import { rightsFlags } from "./machine-root.ts";

/** Made anew for each container. */
const ofTheSystem = new Set(["dev", "proc", "sys"]);
/** Programs expect that root may write there. */
const usuallyWritable = ["/var/cache", "/var/lib", "/var/log"];
/** Where folders of the machine are that cannot be put under a layer. */
const machineFolder = "/.machine";

/**
 * For root of a user namespace. The kernel does not put a layer over a folder with mounts below that others made, and `/` has those: each
 * folder in it gets a layer of its own. Files of other users are nobody's here, so that even root cannot make anything beside them: folders
 * that something must be made in are made in the layer beforehand, and are the container's own.
 */
export const userRoot: ContainerRoot = {
  rootLines: (spec, folder) => [
    `cd ${shellQuoted(folder)}`,
    // As container engines have it.
    "umask 022",
    "mkdir -p layer",
    "mount -t tmpfs -o mode=0755 container layer",
    "cd layer",
    "mkdir root",
    "mount -t tmpfs -o mode=0755 container root",
    ...partLines(spec, topLevel()),
    "cd root",
    `mkdir .${formerRoot}`,
    `pivot_root . .${formerRoot}`,
    "cd /",
  ],
  deviceNodeLines: () =>
    plainDevices.map((name) => `: > /dev/${name}; mount --bind ${formerRoot}/dev/${name} /dev/${name}`),
  readOnlyLines: (spec) => [
    ...topLevel()
      .filter((entry) => entry.isDirectory() && !isCovered(spec, entry))
      // Those that have no layer are in the root's own.
      .map(({ name }) => `mount -o remount,bind,ro ${shellQuoted(`/${name}`)} 2> /dev/null || :`),
    "mount -o remount,bind,ro /",
  ],
  programPrefix: (spec) => [...(isOther(spec) ? [toolFile("unshare"), ...userFlags(spec), "--"] : []), ...rights(spec)],
  entry: (spec) => ({ flags: isOther(spec) ? ["--user", "--preserve-credentials"] : [], prefix: rights(spec) }),
};

/** The machine has one user for all of them: whoever else a container is, it is in a namespace of its own, and by number alone. */
function isOther({ user }: ContainerSpec): boolean {
  return user.uid !== 0 || user.gid !== 0;
}

function userFlags({ user }: ContainerSpec): string[] {
  return ["--user", `--map-user=${user.uid}`, `--map-group=${user.gid}`];
}

function rights(spec: ContainerSpec): string[] {
  const own = spec.mayGainPrivileges ? [] : ["--no-new-privs"];
  // Another user than root has no rights that could be taken.
  return [toolFile("setpriv"), ...(spec.user.uid === 0 ? rightsFlags(spec) : own), "--"];
}

function topLevel(): Dirent[] {
  return readdirSync("/", { withFileTypes: true }).filter(({ name }) => !ofTheSystem.has(name));
}

function isCovered({ mounts }: ContainerSpec, { name }: Dirent): boolean {
  return mounts.some(({ containerPath }) => containerPath === `/${name}`);
}

/** Each command is a process: what can be done at once is. */
function partLines(spec: ContainerSpec, entries: readonly Dirent[]): string[] {
  const links = entries.filter((entry) => entry.isSymbolicLink());
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const layered = folders.filter((name) => hasSomething(`/${name}`));
  const empty = folders.filter((name) => !layered.includes(name));
  const made = [
    ...layered.flatMap((name) => [`upper/${name}`, `work/${name}`]),
    ...[...folders, ...ofTheSystem].map((name) => `root/${name}`),
    ...foldersToMake(spec).map((path) => `upper${path}`),
  ];
  return [
    `mkdir -p ${shellWords(made)}`,
    ...modeLines([...layered.map((name) => ["upper", name] as const), ...empty.map((name) => ["root", name] as const)]),
    ...links.map(({ name }) => `ln -s ${shellWords([readlinkSync(`/${name}`), `root/${name}`])}`),
    ...layerFunctions,
    ...layered.map((name) => `layered ${shellQuoted(name)}`),
  ];
}

/** For those that are not as they have just been made. */
function modeLines(folders: readonly (readonly [parent: string, name: string])[]): string[] {
  const modes = folders.map(([parent, name]) => [(statSync(`/${name}`).mode & 0o7777) | 0o700, parent, name] as const);
  return modes
    .filter(([mode]) => mode !== 0o755)
    .map(([mode, parent, name]) => `chmod ${mode.toString(8)} ${shellQuoted(`${parent}/${name}`)}`);
}

/** That this user may see. */
function hasSomething(path: string): boolean {
  try {
    return readdirSync(path).length > 0;
  } catch {
    return false;
  }
}

/** Without links, so that they can be made in the layer: what leads to the places of mounts, and where root usually writes. */
function foldersToMake({ mounts, devices, workingDir }: ContainerSpec): string[] {
  const targets = [...mounts, ...devices].map(({ containerPath }) => dirname(containerPath));
  const places = [...targets, workingDir, ...usuallyWritable].map(withoutLinks);
  return [...new Set(places)];
}

function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(withoutLinks(parent), path.slice(parent.length));
  }
}

/** A folder with mounts below that others made is taken as it is, beside the root, and its entries are links to there. */
const layerFunctions = [
  "layered() {",
  '  layers="userxattr,lowerdir=/$1,upperdir=upper/$1,workdir=work/$1"',
  '  mount -t overlay -o "$layers" container "root/$1" 2> /dev/null || linked "$1"',
  "}",
  "linked() {",
  `  mkdir -p "root${machineFolder}/$1"; mount --rbind "/$1" "root${machineFolder}/$1"`,
  '  cp -a "upper/$1/." "root/$1/"',
  '  (cd root; find "$1" -type d) | while read -r own; do',
  '    find "/$own" -mindepth 1 -maxdepth 1 -type l -exec cp -Pn -t "root/$own" {} + 2> /dev/null || :',
  `    find "/$own" -mindepth 1 -maxdepth 1 ! -type l -printf "${machineFolder}/$own/%f\\0" 2> /dev/null |`,
  '      xargs -0r ln -s -t "root/$own" 2> /dev/null || :',
  "  done",
  "}",
];

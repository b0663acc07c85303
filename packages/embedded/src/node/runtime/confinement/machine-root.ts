import { desiredCapabilities } from "../capabilities.ts";
import type { ContainerSpec } from "../container-spec.ts";
import { shellQuoted } from "../shell-text.ts";
import { toolFile } from "../system-tools.ts";
import { type ContainerRoot, formerRoot, plainDevices } from "./container-root.ts";

/** For the machine's own root: the whole file system of the machine under one layer that forgets. */
export const machineRoot: ContainerRoot = {
  rootLines: (_spec, folder) => [
    `cd ${shellQuoted(folder)}`,
    "mkdir -p layer",
    "mount -t tmpfs -o mode=0755 container layer",
    "mkdir layer/upper layer/work layer/root",
    "mount -t overlay -o lowerdir=/,upperdir=layer/upper,workdir=layer/work container layer/root",
    "cd layer/root",
    `mkdir .${formerRoot}`,
    `pivot_root . .${formerRoot}`,
    "cd /",
  ],
  /** Copies, as container engines make them: what is plugged in later is seen by those who mount the host's `/dev`. */
  deviceNodeLines: (isPrivileged) =>
    isPrivileged
      ? [`cp -ax ${formerRoot}/dev/. /dev/`, "rm -rf /dev/ptmx"]
      : [`cp -a ${plainDevices.map((name) => `${formerRoot}/dev/${name}`).join(" ")} /dev/`],
  readOnlyLines: () => ["mount -o remount,bind,ro /"],
  programPrefix,
  entry: (spec) => ({ flags: [], prefix: programPrefix(spec) }),
};

function programPrefix(spec: ContainerSpec): string[] {
  return [toolFile("setpriv"), ...userFlags(spec), ...rightsFlags(spec), "--"];
}

function userFlags({ user }: ContainerSpec): string[] {
  const { uid, gid, supplementalGroups } = user;
  const groups = supplementalGroups.length === 0 ? "--clear-groups" : `--groups=${supplementalGroups.join(",")}`;
  return [`--reuid=${uid}`, `--regid=${gid}`, groups];
}

/** What a program may, for `setpriv`. */
export function rightsFlags(spec: ContainerSpec): string[] {
  const capabilities = desiredCapabilities(spec);
  return [
    ...(capabilities === undefined
      ? []
      : [`--bounding-set=${["-all", ...capabilities.map((name) => `+${name.toLowerCase()}`)].join(",")}`]),
    ...(spec.mayGainPrivileges ? [] : ["--no-new-privs"]),
  ];
}

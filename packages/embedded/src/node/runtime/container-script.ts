import { type ContainerRoot, formerRoot } from "./confinement/container-root.ts";
import { containerFiles } from "./container-files.ts";
import type { ContainerDevice, ContainerMount, ContainerSpec, MountPropagation } from "./container-spec.ts";
import { shellQuoted, shellWords } from "./shell-text.ts";
import { notFound, notRunnable, noWorkingDir, refuse, tell } from "./start-report.ts";
import { toolPath } from "./system-tools.ts";
import { consoleLines, terminalLines } from "./terminal/index.ts";

/**
 * What a container's first process runs, in mount, process and name namespaces of its own, until it becomes the program: a root file
 * system that is the machine's to read, the Pod's volumes in it, and nothing else of the machine. `folder` is the container's own, on a
 * private mount.
 *
 * Targets are made and found after the root has changed, so that links in their paths lead where they lead for the container. Sources are
 * then below the former root, and must have no links in them.
 */
export function containerScript(spec: ContainerSpec, folder: string, root: ContainerRoot): string {
  return [
    "set -eu",
    ...terminalLines(spec, folder),
    "program_path=$PATH",
    `PATH=${toolPath}`,
    ...root.rootLines(spec, folder),
    ...(spec.hostname === undefined ? [] : [`hostname ${shellQuoted(spec.hostname)}`]),
    ...systemLines(spec.isPrivileged, root),
    ...consoleLines(spec),
    ...spec.mounts.flatMap(mountLines),
    ...spec.devices.flatMap(deviceLines),
    ...(spec.hasReadOnlyRoot ? root.readOnlyLines(spec) : []),
    ...programLines(spec, `${formerRoot}${folder}`, root.programPrefix(spec)),
    "",
  ].join("\n");
}

function systemLines(isPrivileged: boolean, root: ContainerRoot): string[] {
  return [
    "mount -t proc proc /proc",
    "mount -t tmpfs -o mode=0755,nosuid container /dev",
    ...root.deviceNodeLines(isPrivileged),
    "mkdir -p /dev/pts /dev/shm",
    "mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts /dev/pts",
    "ln -sfn pts/ptmx /dev/ptmx",
    "mount -t tmpfs -o mode=1777,nosuid,nodev container /dev/shm",
    "ln -sfn /proc/self/fd /dev/fd",
    "ln -sfn fd/0 /dev/stdin; ln -sfn fd/1 /dev/stdout; ln -sfn fd/2 /dev/stderr",
    `mount --rbind ${formerRoot}/sys /sys`,
    "mount --make-rslave /sys",
    ...(isPrivileged ? [] : ["mount -o remount,bind,ro /sys"]),
  ];
}

const propagationFlags: Readonly<Record<MountPropagation, string | undefined>> = {
  None: "--make-rprivate",
  HostToContainer: "--make-rslave",
  Bidirectional: undefined,
};

function mountLines(mount: ContainerMount): string[] {
  const { hostPath, containerPath, isReadOnly, isRecursivelyReadOnly = false, propagation } = mount;
  const source = shellQuoted(`${formerRoot}${hostPath}`);
  const target = shellQuoted(containerPath);
  const flag = propagationFlags[propagation];
  return [
    `if [ -d ${source} ]; then mkdir -p ${target}; else mkdir -p "$(dirname ${target})"; [ -e ${target} ] || : > ${target}; fi`,
    `mount --rbind ${source} ${target}`,
    ...(flag === undefined ? [] : [`mount ${flag} ${target}`]),
    ...(isReadOnly ? [`mount -o remount,bind,ro ${target}`] : []),
    ...(isRecursivelyReadOnly ? [readOnlyBelow(target)] : []),
  ];
}

/** One after the other: not every `mount` knows how to do it at once. */
function readOnlyBelow(target: string): string {
  return [
    `below=$(findmnt -nrR -o TARGET -M ${target})`,
    `printf '%s\\n' "$below" | while read -r place; do mount -o remount,bind,ro "$(printf %b "$place")"; done`,
  ].join("\n");
}

function deviceLines({ hostPath, containerPath }: ContainerDevice): string[] {
  const target = shellQuoted(containerPath);
  return [
    `mkdir -p "$(dirname ${target})"; : > ${target}`,
    `mount --bind ${shellQuoted(`${formerRoot}${hostPath}`)} ${target}`,
  ];
}

/** The last lines: everything that can fail for the user's own reasons is tried while the reason can still be told. */
function programLines(spec: ContainerSpec, folder: string, prefix: readonly string[]): string[] {
  const [program = ""] = spec.command;
  const workingDir = shellQuoted(spec.workingDir);
  return [
    `mkdir -p ${workingDir} && cd ${workingDir} || ${refuse(folder, noWorkingDir(spec))}`,
    `program=$(PATH=$program_path command -v ${shellQuoted(program)}) || ${refuse(folder, notFound(program))}`,
    // What the shell can do itself has no path.
    `case $program in /*) [ -f "$program" ] && [ -x "$program" ] || ${refuse(folder, notRunnable(program))};; esac`,
    tell(folder, containerFiles.started, ""),
    // What is mounted below must not be unmounted on the machine with it.
    `mount --make-rslave ${formerRoot}`,
    `umount -l ${formerRoot}`,
    ...(spec.hasReadOnlyRoot ? [] : [`rmdir ${formerRoot}`]),
    "PATH=$program_path",
    "unset OLDPWD",
    `exec ${shellWords([...prefix, ...spec.command])}`,
  ];
}

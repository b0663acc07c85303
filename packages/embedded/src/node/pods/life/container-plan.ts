import { type Container, type Pod, StowageError, type VolumeMount } from "@stowage/machinery";
import type { ContainerDevice, ContainerMount, ContainerSpec } from "../../runtime/index.ts";
import type { HostVolumes } from "../../volumes/host-volume.ts";
import { expanded } from "../values/variable-expansion.ts";
import { containerUser } from "./container-user.ts";
import { isRecursivelyReadOnly } from "./read-only-mounts.ts";

/** What an image would bring, were there images. */
export interface ImageProgram {
  readonly command: readonly string[];
  readonly args: readonly string[];
  /** What runs whatever the container says: for a program that stands in for another, whose words it does not know. */
  readonly instead?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Who it runs as when nobody says otherwise; root when left out. */
  readonly user?: number;
  /** What it has no use for, and below: not every machine has where these would be mounted. */
  readonly ignoredMounts?: readonly string[];
  /** Files and folders of the machine that would be in it. */
  readonly files?: readonly ImageFile[];
}

export interface ImageFile {
  readonly hostPath: string;
  readonly containerPath: string;
  /** Read-only when left out: many containers have it. */
  readonly isWritable?: boolean;
}

export interface ContainerPlan {
  readonly pod: Pod;
  readonly container: Container;
  readonly attempt: number;
  /** Of this start. */
  readonly id: string;
  readonly image: ImageProgram;
  readonly env: Readonly<Record<string, string>>;
  readonly volumes: HostVolumes;
  /** Where those mounts are that are of a part of their volume, by their index in the container. */
  readonly subPaths: ReadonlyMap<number, string>;
  /** Files of the Pod's own, such as its `/etc/hosts`. */
  readonly podFiles: readonly ImageFile[];
  /** Where a container may leave its last words. */
  readonly terminationLogPath: string;
  /** Where a user is at home. */
  homeOf(uid: number): string;
}

/** What the runtime is to start. Throws `CONTAINER_CONFIG` when the Pod asks for what cannot be. */
export function desiredContainer(plan: ContainerPlan): ContainerSpec {
  const { pod, container, image, id, attempt } = plan;
  const { name: podName = "", namespace: podNamespace = "", uid: podUid = "" } = pod.metadata;
  const user = containerUser(pod, container, image.user);
  const hostname = pod.spec?.hostNetwork === true ? undefined : (pod.spec?.hostname ?? podName);
  const env = { HOME: plan.homeOf(user.uid), ...(hostname && { HOSTNAME: hostname }), ...image.env, ...plan.env };
  const security = container.securityContext ?? {};
  return {
    id,
    labels: { podUid, podName, podNamespace, containerName: container.name, attempt, image: container.image ?? "" },
    command: commandOf(container, image, env),
    env,
    workingDir: container.workingDir ?? "/",
    ...(hostname !== undefined && { hostname }),
    user,
    mounts: [...imageFiles(image), ...volumeMounts(plan), ...ownFiles(plan)],
    devices: devicesOf(plan),
    isPrivileged: security.privileged ?? false,
    hasReadOnlyRoot: security.readOnlyRootFilesystem ?? false,
    seesHostProcesses: pod.spec?.hostPID ?? false,
    ...(pod.spec?.shareProcessNamespace === true && { processSpace: podUid }),
    addedCapabilities: security.capabilities?.add ?? [],
    droppedCapabilities: security.capabilities?.drop ?? [],
    mayGainPrivileges: security.allowPrivilegeEscalation ?? true,
    ...(container.tty === true && { terminal: { takesInput: container.stdin ?? false } }),
  };
}

/** A command of its own takes the arguments of the image away too, as Kubernetes has it. */
function commandOf(
  { command = [], args = [] }: Container,
  image: ImageProgram,
  env: Readonly<Record<string, string>>,
): string[] {
  const valueOf = (name: string) => env[name];
  const own = command.length > 0;
  const words = [...(own ? command : image.command), ...(args.length > 0 ? args : own ? [] : image.args)];
  return (image.instead ?? words).map((word) => expanded(word, valueOf));
}

/** Those that others are below come first, or they would hide them. */
function volumeMounts(plan: ContainerPlan): ContainerMount[] {
  const depthOf = ({ containerPath }: ContainerMount) => containerPath.split("/").filter((part) => part !== "").length;
  const { ignoredMounts = [] } = plan.image;
  const isIgnored = (path: string) => ignoredMounts.some((each) => path === each || path.startsWith(`${each}/`));
  const mounts = (plan.container.volumeMounts ?? []).map((mount, index) => volumeMount(plan, mount, index));
  const wanted = mounts.filter(({ containerPath }) => !isIgnored(containerPath));
  return wanted.toSorted((a, b) => depthOf(a) - depthOf(b));
}

function volumeMount(
  { volumes, subPaths, container }: ContainerPlan,
  mount: VolumeMount,
  index: number,
): ContainerMount {
  const volume = volumes.get(mount.name);
  if (volume === undefined || volume.kind === "device") {
    const message = `cannot find volume "${mount.name}" to mount into container "${container.name}"`;
    throw new StowageError("CONTAINER_CONFIG", message);
  }
  return {
    hostPath: subPaths.get(index) ?? volume.path,
    containerPath: mount.mountPath.startsWith("/") ? mount.mountPath : `/${mount.mountPath}`,
    isReadOnly: (mount.readOnly ?? false) || volume.isReadOnly,
    ...(isRecursivelyReadOnly(mount) && { isRecursivelyReadOnly: true }),
    propagation: mount.mountPropagation ?? "None",
  };
}

function imageFiles({ files = [] }: ImageProgram): ContainerMount[] {
  return files.map(({ isWritable = false, ...file }) => ({ ...file, isReadOnly: !isWritable, propagation: "None" }));
}

function ownFiles({ container, podFiles, terminationLogPath }: ContainerPlan): ContainerMount[] {
  const isTaken = (path: string) => container.volumeMounts?.some(({ mountPath }) => mountPath === path) ?? false;
  const file = (hostPath: string, containerPath: string): ContainerMount[] =>
    isTaken(containerPath) ? [] : [{ hostPath, containerPath, isReadOnly: false, propagation: "None" }];
  return [
    ...podFiles.flatMap(({ hostPath, containerPath }) => file(hostPath, containerPath)),
    ...file(terminationLogPath, container.terminationMessagePath ?? "/dev/termination-log"),
  ];
}

function devicesOf({ container, volumes }: ContainerPlan): ContainerDevice[] {
  return (container.volumeDevices ?? []).map(({ name, devicePath }) => {
    const volume = volumes.get(name);
    if (volume?.kind !== "device") {
      throw new StowageError("CONTAINER_CONFIG", `volume "${name}" is no block device`);
    }
    return { hostPath: volume.path, containerPath: devicePath };
  });
}

/** How mounts made later on one side are seen on the other, as Kubernetes names it. */
export type MountPropagation = "None" | "HostToContainer" | "Bidirectional";

/** A file or a folder of the machine, as the container sees it. */
export interface ContainerMount {
  readonly hostPath: string;
  readonly containerPath: string;
  readonly isReadOnly: boolean;
  /** Also what is mounted below it. */
  readonly isRecursivelyReadOnly?: boolean;
  readonly propagation: MountPropagation;
}

/** A block device of the machine, as the container sees it. */
export interface ContainerDevice {
  readonly hostPath: string;
  readonly containerPath: string;
}

export interface ContainerUser {
  readonly uid: number;
  readonly gid: number;
  readonly supplementalGroups: readonly number[];
}

/** Which Pod a container is of, and its how manieth start it is: what must be known again after a restart of the agent. */
export interface ContainerLabels {
  readonly podUid: string;
  readonly podName: string;
  readonly podNamespace: string;
  readonly containerName: string;
  readonly attempt: number;
  /** As its Pod named it then; undefined of those that an older agent has started. */
  readonly image?: string;
}

/** The terminal of a container's program. */
export interface ContainerTerminal {
  /** Whether those who attach to it may type. */
  readonly takesInput: boolean;
}

/** All that a container is started with. */
export interface ContainerSpec {
  /** Of this start, and the name of its folder. */
  readonly id: string;
  readonly labels: ContainerLabels;
  /** The program and its arguments; looked for on the container's own `PATH`. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  /** The machine's own when left out, as for Pods on the network of the host. */
  readonly hostname?: string;
  readonly user: ContainerUser;
  readonly mounts: readonly ContainerMount[];
  readonly devices: readonly ContainerDevice[];
  readonly isPrivileged: boolean;
  readonly hasReadOnlyRoot: boolean;
  readonly seesHostProcesses: boolean;
  /** Containers with the same one see each other's processes; each has its own when left out. */
  readonly processSpace?: string;
  readonly addedCapabilities: readonly string[];
  readonly droppedCapabilities: readonly string[];
  readonly mayGainPrivileges: boolean;
  /** Left out, it has none, and nothing to read. */
  readonly terminal?: ContainerTerminal;
}

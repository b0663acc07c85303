import type { ContainerSpec } from "../container-spec.ts";

/** What a path is that a container names, on the machine. */
export interface NamedPlace {
  readonly named: string;
  readonly real: string;
}

/** How another command gets beside a container's first process; kept with the container. */
export type ContainerEntry =
  /** `flags` are for `nsenter`; `prefix` comes before the command. */
  | {
      readonly kind: "namespaces";
      readonly flags: readonly string[];
      readonly prefix: readonly string[];
      /** Its first process is not the first that it sees. */
      readonly sharesProcesses?: boolean;
    }
  | {
      readonly kind: "plain";
      readonly prefix: readonly string[];
      readonly places: readonly NamedPlace[];
      /** Holds links, and goes with the container. */
      readonly linksFolder?: string;
    };

/** Whether the kernel ends all of a container's processes with the first; otherwise they are a group, and ended as one. */
export function endsWithFirst(entry: ContainerEntry): boolean {
  return entry.kind === "namespaces" && entry.sharesProcesses !== true;
}

/** A container that has only to be started. */
export interface PreparedContainer {
  /** What the shell beside it is started through. */
  readonly launcher: readonly string[];
  /** What is between the shell and its first process; nothing when left out. */
  readonly firstLauncher?: readonly string[];
  /** What its first process runs until it becomes the program. */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entry: ContainerEntry;
}

/** How a container's first process is made, and what it sees of the machine: that depends on what this process may do. */
export interface Confinement {
  /** Makes the folder ready that holds a folder for each container. */
  open(folder: string): Promise<void>;
  /** Throws `CONTAINER_NEEDS_ROOT` for what cannot be had here. `folder` is the container's own. */
  prepare(spec: ContainerSpec, folder: string): PreparedContainer;
}

import type { ContainerSpec } from "../container-spec.ts";

/** Where the machine's root is while a container is made. */
export const formerRoot = "/.former-root";

/** A container's root file system, in the words of the shell that makes it. */
export interface ContainerRoot {
  /** Makes it and changes to it; the former root is then below. `folder` is the container's own, on a private mount. */
  rootLines(spec: ContainerSpec, folder: string): string[];
  /** Fills `/dev`, on which there is an empty file system. */
  deviceNodeLines(isPrivileged: boolean): string[];
  /** So that nothing can be written but to volumes, which are there already. */
  readOnlyLines(spec: ContainerSpec): string[];
  /** What comes before the program's command: as whom it runs and what it may. */
  programPrefix(spec: ContainerSpec): string[];
  /** For another command in it: what `nsenter` is told beside what it always is, and what comes before the command. */
  entry(spec: ContainerSpec): { readonly flags: string[]; readonly prefix: string[] };
}

/** Those that every container has. */
export const plainDevices = ["full", "null", "random", "tty", "urandom", "zero"];

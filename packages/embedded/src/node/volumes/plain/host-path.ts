import { mkdirSync, type Stats, statSync, writeFileSync } from "node:fs";
import { type HostPathVolumeSource, StowageError } from "@stowage/machinery";
import type { HostVolume } from "../host-volume.ts";

interface Wanted {
  readonly is: (stat: Stats) => boolean;
  readonly told: string;
  readonly make?: (path: string) => void;
}

const folder = (stat: Stats) => stat.isDirectory();
const file = (stat: Stats) => stat.isFile();
const makeFolder = (path: string) => void mkdirSync(path, { recursive: true, mode: 0o755 });
const types: Readonly<Record<string, Wanted>> = {
  Directory: { is: folder, told: "a directory" },
  DirectoryOrCreate: { is: folder, told: "a directory", make: makeFolder },
  File: { is: file, told: "a file" },
  FileOrCreate: { is: file, told: "a file", make: (path) => writeFileSync(path, "", { mode: 0o644, flag: "a" }) },
  Socket: { is: (stat) => stat.isSocket(), told: "a socket file" },
  CharDevice: { is: (stat) => stat.isCharacterDevice(), told: "a character device" },
  BlockDevice: { is: (stat) => stat.isBlockDevice(), told: "a block device" },
  // Without a type a folder is made, as container engines do it.
  "": { is: () => true, told: "anything", make: makeFolder },
};

/** What is there on the machine, when it is what the Pod says that it is. `place`: where the Pod's path leads on the machine. */
export function hostPathVolume({ path, type = "" }: HostPathVolumeSource, place = path): HostVolume {
  if (path.split("/").includes("..")) throw wrong(`invalid HostPath \`${path}\`: must not contain '..'`);
  const wanted = types[type];
  if (wanted === undefined) throw wrong(`${type} is an invalid volume type`);
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined && wanted.make !== undefined) wanted.make(place);
  else if (stat === undefined || !wanted.is(stat)) {
    throw wrong(`hostPath type check failed: ${path} is not ${wanted.told}`);
  }
  const kind = statSync(place).isDirectory() ? "folder" : "file";
  return { kind, path: place, isReadOnly: false };
}

function wrong(message: string): StowageError {
  return new StowageError("VOLUME_SOURCE_MISSING", message);
}

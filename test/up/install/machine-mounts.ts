import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";

/** The local driver's folder on a node, as its Pod has it. */
const stateFolder = "/var/lib/stowage";

const mount = (...words: string[]) => execFileSync("mount", words);

/**
 * What the local driver's Pod wants of a node: mounts that are made in its container are seen outside of it, and devices that come later
 * are seen inside. On most machines all of `/` is so; in a container it is not. Undone in the end.
 */
export function shareMounts(): Disposable {
  const undone = new DisposableStack();
  const devices = execFileSync("findmnt", ["--noheadings", "--output", "PROPAGATION", "/dev"], { encoding: "utf8" });
  if (devices.trim() === "private") {
    mount("--make-shared", "/dev");
    undone.defer(() => mount("--make-private", "/dev"));
  }
  const isNew = !existsSync(stateFolder);
  mkdirSync(stateFolder, { recursive: true });
  mount("--bind", stateFolder, stateFolder);
  mount("--make-rshared", stateFolder);
  undone.defer(() => {
    execFileSync("umount", ["--recursive", stateFolder]);
    if (isNew) rmSync(stateFolder, { recursive: true });
  });
  return undone;
}

import { spawnSync } from "node:child_process";

export const NOBODY = 65_534;

/** Starts a program as somebody without rights. */
export const asNobody = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

/** As somebody who cannot have a user namespace either, by being in one that allows no further. */
export const asNobodyWithoutNamespaces = [
  ...asNobody,
  "unshare",
  "--user",
  "--map-current-user",
  "--keep-caps",
  "sh",
  "-c",
  'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --inh-caps=-all --ambient-caps=-all "$@"',
  "sh",
];

/** A checkout in somebody's home may be nobody else's to read. */
export function mayNobodyRead(path: string): boolean {
  return succeeds([...asNobody, "test", "-r", path]);
}

/** Not every machine lets its users have one. */
export function mayNobodyHaveNamespaces(): boolean {
  return succeeds([...asNobodyWithoutNamespaces, "true"]);
}

function succeeds([program = "", ...words]: readonly string[]): boolean {
  return spawnSync(program, words).status === 0;
}

import type { Stats } from "node:fs";

/** What a volume's files are to be for the group of a Pod. */
export interface GroupWish {
  readonly fsGroup: number;
  readonly isReadOnly: boolean;
}

type FileFacts = Pick<Stats, "gid" | "mode" | "isDirectory">;

const permissionBits = 0o7777;
const setgid = 0o2000;

/** The mode of a file that its group may use: what it had, and what is needed. Folders hand their group on. */
export function groupMode(facts: Omit<FileFacts, "gid">, isReadOnly: boolean): number {
  const files = isReadOnly ? 0o440 : 0o660;
  return (facts.mode & permissionBits) | files | (facts.isDirectory() ? setgid | 0o110 : 0);
}

/** Whether a file is so already. */
export function isGroupsOwn(facts: FileFacts, { fsGroup, isReadOnly }: GroupWish): boolean {
  return facts.gid === fsGroup && groupMode(facts, isReadOnly) === (facts.mode & permissionBits);
}

/** With `OnRootMismatch` a volume is left as it is when its root says that it was done before: it is done last. */
export function isLeftAsItIs(root: FileFacts, wish: GroupWish, changePolicy: string | undefined): boolean {
  return changePolicy === "OnRootMismatch" && root.isDirectory() && isGroupsOwn(root, wish);
}

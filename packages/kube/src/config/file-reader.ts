import { readFile } from "node:fs/promises";

/** Rejects with Node's own errors (`ENOENT`, `EACCES`), which callers turn into words. */
export type FileReader = (path: string) => Promise<string>;

export const readTextFile: FileReader = (path) => readFile(path, "utf8");

/** Why a file could not be read, in words. */
export function readComplaint(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  switch (code) {
    case "ENOENT":
      return "does not exist";
    case "EACCES":
    case "EPERM":
      return "may not be read by this user";
    case "EISDIR":
      return "is a directory";
    default:
      return `cannot be read (${code})`;
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** Rejects with Node's own errors (`ENOENT`, `EACCES`), which callers turn into words. */
export type FileReader = (path: string) => Promise<string>;

export const readTextFile: FileReader = (path) =>
  new Promise((resolve, reject) => {
    // Not `node:fs/promises`: with it comes all of Node's readline, a megabyte in each process.
    const { readFile } = process.getBuiltinModule("node:fs");
    readFile(path, "utf8", (error, text) => (error === null ? resolve(text) : reject(error)));
  });

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

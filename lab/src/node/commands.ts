import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where the machine's administrators' commands are, which a user's PATH often leaves out. */
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/bin", "/bin"];

export function findCommand(name: string, path: string = process.env.PATH ?? ""): string | undefined {
  // The machine's own first: the PATH of an npm script begins with folders of the checkout.
  const folders = [...SYSTEM_FOLDERS, ...path.split(delimiter).filter((folder) => folder !== "")];
  return folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
}

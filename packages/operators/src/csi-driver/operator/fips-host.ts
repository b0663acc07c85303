import { readFileSync } from "node:fs";

/** Where the kernel says whether it keeps to FIPS; not every one does. */
const FIPS_FILE = "/proc/sys/crypto/fips_enabled";

export function isFipsHost(path: string = FIPS_FILE): boolean {
  try {
    return readFileSync(path, "utf8").trim() === "1";
  } catch {
    return false; // A kernel without the file has no such mode.
  }
}

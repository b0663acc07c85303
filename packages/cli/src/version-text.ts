import { readFileSync } from "node:fs";

/** Stowage's own version, as its package says. */
export function versionText(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

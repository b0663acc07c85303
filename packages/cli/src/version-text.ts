import manifest from "../package.json" with { type: "json" };

/** Stowage's own version, as its package says. */
export function versionText(): string {
  return manifest.version;
}

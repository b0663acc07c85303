/** As drivers name the versions of CSI that they speak: `1.0.0`, `v1.3`. */
const versionForm = /^v?(\d+)\.(\d+)(?:\.(\d+))?/;

/**
 * The highest version that both sides speak: any of 1.x, since those are compatible with each other. Undefined when there is none; a
 * version that cannot be read spoils the whole list, as it does for kubelet.
 */
export function highestSupportedVersion(versions: readonly string[]): string | undefined {
  const parsed = versions.map((version) =>
    versionForm
      .exec(version)
      ?.slice(1)
      .map((part) => Number(part ?? 0)),
  );
  if (parsed.some((parts) => parts === undefined)) return undefined;
  const spoken = (parsed as number[][]).filter(([major]) => major === 1).toSorted(byParts);
  return spoken.at(-1)?.join(".");
}

function byParts(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

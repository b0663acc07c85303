/** Semantic Versioning 2.0.0, as far as updates need it. Build metadata has no part in the order. */
export interface SemanticVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Empty for a release. */
  readonly prerelease: readonly string[];
}

const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/u;

export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, major = "", minor = "", patch = "", prerelease] = match;
  const parts = prerelease === undefined ? [] : prerelease.split(".");
  return { major: Number(major), minor: Number(minor), patch: Number(patch), prerelease: parts };
}

/** Negative when the first comes before the second. */
export function compareVersions(left: SemanticVersion, right: SemanticVersion): number {
  return (
    left.major - right.major ||
    left.minor - right.minor ||
    left.patch - right.patch ||
    comparePrereleases(left.prerelease, right.prerelease)
  );
}

/** Whether going from one to the other changes more than the last number. */
export function isSameMinor(left: SemanticVersion, right: SemanticVersion): boolean {
  return left.major === right.major && left.minor === right.minor;
}

/** A prerelease comes before its release; of two, the first part that differs decides, and then the longer one is later. */
function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareIdentifiers(left: string, right: string): number {
  const isLeftNumber = /^\d+$/u.test(left);
  const isRightNumber = /^\d+$/u.test(right);
  if (isLeftNumber && isRightNumber) return Number(left) - Number(right);
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const DECIMAL = /^(0|[1-9][0-9]*)$/;

/**
 * Orders two versions of objects of one resource: negative when `a` is older. Kubernetes promises that they are decimal
 * numbers of any length that only rise; undefined when a server of another kind sends something else.
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

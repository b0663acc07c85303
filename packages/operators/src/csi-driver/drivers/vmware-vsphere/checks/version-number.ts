/** Whether a version of vSphere is another one or later: `8.0.2.0`, of which the first three numbers count. Undefined: it is none. */
export function isAtLeast(version: string, minimum: string): boolean | undefined {
  const [found, wanted] = [version, minimum].map(numbersOf);
  if (found === undefined || wanted === undefined) return undefined;
  const at = found.findIndex((number, index) => number !== wanted[index]);
  return at === -1 || (found[at] ?? 0) > (wanted[at] ?? 0);
}

function numbersOf(version: string): [number, number, number] | undefined {
  const [, major, minor, patch = "0"] = /^(\d+)\.(\d+)(?:\.(\d+))?(?:\.\d+)*$/u.exec(version) ?? [];
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

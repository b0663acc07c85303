/** The Go version that a go.mod asks for, such as 1.26.0. */
export function requiredGoVersion(goMod: string): string {
  const found = /^go (\S+)$/m.exec(goMod)?.[1];
  if (found === undefined) throw new Error("go.mod names no Go version");
  return found;
}

/** The version that a go.mod requires of a module, such as v1.36.3. */
export function requiredModuleVersion(goMod: string, modulePath: string): string {
  for (const line of goMod.split("\n")) {
    const [path, version] = line
      .replace(/^require\s/, "")
      .trim()
      .split(/\s+/);
    if (path === modulePath && version?.startsWith("v") === true) return version;
  }
  throw new Error(`go.mod does not require ${modulePath}`);
}

/** True when `version`, such as go1.26.8 or 1.27rc1, is at least `wanted`; a release candidate counts as its release. */
export function isGoAtLeast(version: string, wanted: string): boolean {
  const [have, want] = [numbersOf(version), numbersOf(wanted)];
  for (let at = 0; at < 3; at += 1) {
    const difference = (have[at] ?? 0) - (want[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbersOf(version: string): number[] {
  return version
    .replace(/^go/, "")
    .split(".")
    .map((part) => Number.parseInt(part, 10));
}

import { CelError } from "../cel-error.ts";
import { CelOpaque, type CelValue } from "../cel-value.ts";
import { fn, method, type Overload } from "./overload.ts";

interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
}

class CelSemver extends CelOpaque {
  readonly typeName = "kubernetes.Semver";
  readonly version: Version;

  constructor(version: Version) {
    super();
    this.version = version;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelSemver && compare(this.version, other.version) === 0;
  }
}

type Pair = [CelSemver, CelSemver];
const type = "kubernetes.Semver";

export const semverOverloads: readonly Overload[] = [
  fn<[string]>("semver", "string", type, ([text]) => new CelSemver(versionOf(text))),
  fn<[string, boolean]>(
    "semver",
    "string, bool",
    type,
    ([text, loose]) => new CelSemver(versionOf(loose ? normalized(text) : text)),
  ),
  fn<[string]>("isSemver", "string", "bool", ([text]) => parse(text) !== undefined),
  fn<[string, boolean]>(
    "isSemver",
    "string, bool",
    "bool",
    ([text, loose]) => parse(loose ? normalized(text) : text) !== undefined,
  ),
  method<[CelSemver]>("major", type, "int", ([{ version }]) => version.numbers[0]),
  method<[CelSemver]>("minor", type, "int", ([{ version }]) => version.numbers[1]),
  method<[CelSemver]>("patch", type, "int", ([{ version }]) => version.numbers[2]),
  method<Pair>("isGreaterThan", `${type}, ${type}`, "bool", ([a, b]) => compare(a.version, b.version) > 0),
  method<Pair>("isLessThan", `${type}, ${type}`, "bool", ([a, b]) => compare(a.version, b.version) < 0),
  method<Pair>("compareTo", `${type}, ${type}`, "int", ([a, b]) => BigInt(compare(a.version, b.version))),
];

const number = "(0|[1-9]\\d{0,18})";
const identifier = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const shape = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

function parse(text: string): Version | undefined {
  const match = text.length > 1000 ? null : shape.exec(text);
  if (match === null) return undefined;
  const [, major = "0", minor = "0", patch = "0", prerelease] = match;
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    prerelease: prerelease === undefined ? [] : prerelease.split("."),
  };
}

function versionOf(text: string): Version {
  const version = parse(text);
  if (version === undefined) throw new CelError(problemOf(text));
  return version;
}

function problemOf(text: string): string {
  if (text === "") return "Version string empty";
  if (text.split(/[-+]/)[0]?.split(".").length !== 3) return "No Major.Minor.Patch elements found";
  const bad = text
    .split(/[-+]/)[0]
    ?.split(".")
    .find((part) => !/^\d+$/.test(part));
  return bad === undefined
    ? `Version number must not contain leading zeroes "${text}"`
    : `Invalid character(s) found in number "${bad}"`;
}

/** Without a `v`, with three numbers, and those without zeros in front. */
function normalized(text: string): string {
  const [first = "", second, ...rest] = text.replace(/^v/, "").split(".");
  const parts = [first, second ?? "0", rest.length === 0 ? "0" : rest.join(".")];
  const isShort = second === undefined || rest.length === 0;
  if (isShort && /[-+]/.test(second ?? first)) return "";
  return parts.map((part) => part.replace(/^0+(?=\d)/, "")).join(".");
}

function compare(a: Version, b: Version): -1 | 0 | 1 {
  for (const [index, value] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (value !== other) return value < other ? -1 : 1;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

/** A version with a prerelease comes before the one without. */
function comparePrereleases(a: readonly string[], b: readonly string[]): -1 | 0 | 1 {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 0 : a.length === 0 ? 1 : -1;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

function compareParts(a: string, b: string): -1 | 0 | 1 {
  const areNumbers = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
  const [left, right] = areNumbers[0] ? [BigInt(a), BigInt(b)] : [a, b];
  return left < right ? -1 : left > right ? 1 : 0;
}

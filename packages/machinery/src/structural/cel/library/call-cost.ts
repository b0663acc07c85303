import { runeCount } from "../../errors/go-text.ts";
import { CelList, CelMap, type CelValue } from "../cel-value.ts";

const traversal = 0.1;
const perPatternCharacter = 0.25;

const ofOneText: ReadonlySet<string> = new Set([
  "url",
  "lowerAscii",
  "upperAscii",
  "substring",
  "trim",
  "cidr",
  "isIP",
  "isCIDR",
  "ip",
  "quantity",
  "isQuantity",
  "semver",
  "isSemver",
  "startsWith",
  "endsWith",
  "bytes",
  "strings.quote",
  "format",
]);

const ofAList: ReadonlySet<string> = new Set(["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"]);
const comparisons: ReadonlySet<string> = new Set(["_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_"]);

/** What a call costs before it is made, in the units of the API server: most cost one. */
export function callCost(name: string, args: readonly CelValue[]): number {
  const [first = null, second = null] = args;
  if (comparisons.has(name)) return Math.ceil(Math.min(deepSize(first), deepSize(second)) * traversal);
  if (ofOneText.has(name)) return Math.max(1, Math.ceil(sizeOf(first) * traversal));
  if (ofAList.has(name)) return Math.max(1, sizeOf(first));
  switch (name) {
    case "matches":
    case "find":
    case "findAll":
      return Math.ceil((1 + sizeOf(first)) * traversal) * Math.ceil(sizeOf(second) * perPatternCharacter);
    case "contains":
      return Math.ceil(sizeOf(first) * traversal) * Math.ceil(sizeOf(second) * traversal);
    case "replace":
    case "split":
      return Math.ceil(sizeOf(first) * 2 * traversal);
    case "_+_":
      return typeof first === "string" ? Math.ceil((sizeOf(first) + sizeOf(second)) * traversal) : 1;
    default:
      return 1;
  }
}

function sizeOf(value: CelValue): number {
  if (typeof value === "string") return runeCount(value);
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  return value instanceof Uint8Array ? value.length : 1;
}

/** What comparing a value touches; lists and maps are counted with what is in them, as far as that is quickly known. */
function deepSize(value: CelValue): number {
  if (!(value instanceof CelList) && !(value instanceof CelMap)) return sizeOf(value);
  return Math.max(1, value.size) * 10;
}

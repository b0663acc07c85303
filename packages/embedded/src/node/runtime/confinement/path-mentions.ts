import type { NamedPlace } from "./confinement.ts";

/**
 * A text with the paths that a container names replaced by where they are on the machine. A mention is a whole path or the beginning of a
 * longer one; the longest that fits is taken. What stands before it must not be part of a path, but for the slashes of a URL.
 */
export function withRealMentions(text: string, places: readonly NamedPlace[]): string {
  const known = new Map(places.map(({ named, real }) => [withoutSlash(named), withoutSlash(real)]));
  // A root that is mounted would be every path.
  const names = [...known.keys()].filter((name) => name !== "").toSorted((a, b) => b.length - a.length);
  if (names.length === 0) return text;
  const pattern = new RegExp(`(?<=^|://|[^\\w./~@%+})-])(?:${names.map(RegExp.escape).join("|")})(?![\\w.@%+~-])`, "g");
  return text.replace(pattern, (name) => known.get(name) ?? name);
}

/** A path of the container's, on the machine. */
export function realPath(path: string, places: readonly NamedPlace[]): string {
  const fitting = places
    .filter(({ named }) => path === named || path.startsWith(`${withoutSlash(named)}/`))
    .toSorted((a, b) => b.named.length - a.named.length);
  const [place] = fitting;
  return place === undefined ? path : withoutSlash(place.real) + path.slice(withoutSlash(place.named).length);
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, "");
}

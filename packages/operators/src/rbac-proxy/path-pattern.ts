import { StowageError } from "@stowage/machinery";

export type PathPattern = (path: string) => boolean;

/** A class, a character with a backslash before it, or any other character. */
const piece = /\[(?<not>\^?)(?<members>(?:\\.|[^\]\\])+)\]|\\(?<literal>.)|./gsu;

/**
 * A shell pattern for whole paths, as Go's `path.Match` has them: `*` and `?` for anything but a slash, `[a-z]`, `[^a-z]`, and a
 * backslash before what is meant as it stands.
 */
export function compilePathPattern(pattern: string): PathPattern {
  const expression = pattern.replaceAll(piece, (text, ...rest) => {
    const { not = "", members, literal } = rest.at(-1) as Partial<Record<string, string>>;
    if (members !== undefined) return `[${not}${members.replaceAll(/\\(.)/gsu, (_, member) => escaped(member))}]`;
    if (literal !== undefined) return escaped(literal);
    if (text === "*") return "[^/]*";
    if (text === "?") return "[^/]";
    if (text === "[" || text === "\\") throw malformed(pattern);
    return escaped(text);
  });
  try {
    const compiled = new RegExp(`^${expression}$`, "su");
    return (path) => compiled.test(path);
  } catch {
    throw malformed(pattern); // A range that runs backwards.
  }
}

function escaped(character: string): string {
  return /[$()*+./?[\\\]^{|}-]/u.test(character) && character !== "-" ? `\\${character}` : character;
}

function malformed(pattern: string): StowageError {
  return new StowageError("RBAC_PROXY_MISCONFIGURED", `The path pattern ${JSON.stringify(pattern)} is malformed.`);
}

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "rolldown/utils";

/** A name that is taken from another module; `*` is everything of it. */
export interface Taken {
  readonly from: string;
  readonly name: string;
  /** It is loaded when it is needed, by `import()`. */
  readonly isLate: boolean;
}

/** What of a source decides which others its tests reach. Paths are relative to the checkout. */
export interface SourceModule {
  readonly path: string;
  readonly taken: readonly Taken[];
  /** Names that it defines itself. */
  readonly own: ReadonlySet<string>;
  /** Names that are passed on: own name -> where it comes from. */
  readonly passedOn: ReadonlyMap<string, { readonly from: string; readonly name: string }>;
  /** Modules of which all names are passed on. */
  readonly passedOnWhole: readonly string[];
  /** Files and folders that are no sources, and that it names. */
  readonly data: readonly string[];
  /** Whether it names the file of the `stowage` program. */
  readonly namesProgram: boolean;
  /** What its `// needs:` lines say: processes that it starts. */
  readonly needs: readonly string[];
}

/** What the `stowage` command is, and what starts it: which command a source means, its `// needs:` lines say. */
export const program = "packages/cli/src/main.ts";
const launcher = "packages/cli/bin/stowage.js";

/** Where `@stowage/…` leads: the `exports` of the packages. */
export type Doors = ReadonlyMap<string, string>;

export function readDoors(checkout: string, folders: readonly string[]): Doors {
  const doors = new Map<string, string>();
  for (const folder of folders) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(checkout, folder, "package.json"), "utf8")) as {
      name: string;
      exports?: Record<string, string>;
    };
    for (const [door, file] of Object.entries(exports)) {
      doors.set(normalize(join(name, door)), normalize(join(folder, file)));
    }
  }
  return doors;
}

export function readModule(checkout: string, path: string, doors: Doors): SourceModule {
  const text = readFileSync(join(checkout, path), "utf8");
  const { module } = parseSync(path, text);
  const resolve = (specifier: string) => targetOf(path, specifier, doors);
  const taken = module.staticImports.flatMap(({ moduleRequest, entries }) => {
    const from = resolve(moduleRequest.value);
    if (from === undefined) return [];
    if (entries.length === 0) return [{ from, name: "*", isLate: false }];
    // Types are gone when it runs: what they say, the compiler checks.
    const values = entries.filter((entry) => !entry.isType);
    return values.map(({ importName }) => ({ from, name: nameOf(importName), isLate: false }));
  });
  const own = new Set<string>();
  const passedOn = new Map<string, { from: string; name: string }>();
  const passedOnWhole: string[] = [];
  for (const { moduleRequest, importName, exportName, isType } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    const from = moduleRequest === null ? undefined : resolve(moduleRequest.value);
    if (isType) continue;
    if (from === undefined) own.add(exportName.name ?? "default");
    else if (exportName.kind === "None") passedOnWhole.push(from);
    else passedOn.set(exportName.name ?? "default", { from, name: nameOf(importName) });
  }
  const late = module.dynamicImports.flatMap(({ start, moduleRequest }) =>
    lateNames(text, start, moduleRequest, resolve),
  );
  const statements = [...module.staticImports, ...module.staticExports, ...module.dynamicImports];
  const named = namedFiles(checkout, path, without(text, statements));
  const started = named.filter((each) => each.endsWith(".ts") && each !== program);
  return {
    path,
    taken: [...taken, ...late, ...started.map((from) => ({ from, name: "*", isLate: true }))],
    own,
    passedOn,
    passedOnWhole,
    data: named.filter((each) => !each.endsWith(".ts")),
    namesProgram: named.some((each) => each === program || each === launcher),
    needs: needsOf(text),
  };
}

/** The text without the statements that were read already. An export of something of its own is not one of them. */
function without(
  text: string,
  spans: readonly {
    readonly start: number;
    readonly end: number;
    readonly entries?: readonly { readonly moduleRequest?: unknown }[];
  }[],
): string {
  let rest = text;
  for (const { start, end, entries } of spans) {
    const isOwn = entries?.some((entry) => "moduleRequest" in entry && entry.moduleRequest === null) ?? false;
    if (!isOwn) rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  }
  return rest;
}

function nameOf({ kind, name }: { readonly kind: string; readonly name: string | null }): string {
  if (kind === "Name" && name !== null) return name;
  return kind === "Default" ? "default" : "*";
}

/** `const { a, b } = await import("x")` takes two names; any other way of saying it takes all. */
function lateNames(
  text: string,
  start: number,
  request: { readonly start: number; readonly end: number },
  resolve: (specifier: string) => string | undefined,
): Taken[] {
  const from = resolve(text.slice(request.start + 1, request.end - 1));
  if (from === undefined) return [];
  const names = /\{([^{}]*)\}\s*=\s*await\s*$/u.exec(text.slice(Math.max(0, start - 500), start))?.[1];
  if (names === undefined) return [{ from, name: "*", isLate: true }];
  const listed = names.split(",").map((name) => name.split(":")[0]?.trim() ?? "");
  return listed.filter((name) => name !== "").map((name) => ({ from, name, isLate: true }));
}

function targetOf(path: string, specifier: string, doors: Doors): string | undefined {
  if (specifier.startsWith(".")) return normalize(join(dirname(path), specifier));
  return doors.get(specifier);
}

const literal = /["'`]([\w@.-]+(?:\/[\w@.-]*)+|\.{1,2}(?:\/[\w@.-]*)+)["'`]/gu;
const besideIt = /import\.meta\.dirname, *"([^"]+)"|new URL\( *"([^"]+)", *import\.meta\.url/gu;

/**
 * Files and folders that its literals lead to, from its own folder or from the checkout: assets that it reads, and sources that it starts as
 * processes or finds by listing a folder. A word alone is one only where it is put beside the source's own place.
 */
function namedFiles(checkout: string, path: string, text: string): string[] {
  const found = new Set<string>();
  const add = (base: string, said: string) => {
    const target = normalize(join(base, said)).replace(/\/$/u, "");
    const isSomewhere = !target.startsWith("..") && target.split("/").length > 1;
    if (isSomewhere && existsSync(join(checkout, target))) found.add(target);
  };
  for (const [, said = ""] of text.matchAll(literal)) for (const base of [dirname(path), ""]) add(base, said);
  for (const [, first, second = ""] of text.matchAll(besideIt)) add(dirname(path), first ?? second);
  return [...found];
}

/** `// needs: cli driver, sidecars` */
function needsOf(text: string): string[] {
  const lines = text.matchAll(/^\/\/ needs: (.+)$/gmu);
  return [...lines].flatMap(([, said = ""]) => said.split(",").map((need) => need.trim()));
}

import { glob } from "node:fs/promises";
import { program, readDoors, readModule, type SourceModule } from "./source-module.ts";

/** What one test reaches: each path with the one through which it was found. */
export type Reach = ReadonlyMap<string, string | undefined>;

/**
 * Which sources a test runs, by its imports and by the processes that it says to start. A name that comes through the front door of a package
 * leads to the source that defines it, so that a test of one room does not reach the whole house.
 */
export class ImportGraph {
  readonly #modules: ReadonlyMap<string, SourceModule>;

  constructor(modules: readonly SourceModule[]) {
    this.#modules = new Map(modules.map((module) => [module.path, module]));
  }

  static async read(checkout: string): Promise<ImportGraph> {
    const paths: string[] = [];
    const patterns = [
      "packages/*/src/**/*.ts",
      "packages/*/bin/*.js",
      "lab/src/**/*.ts",
      "{scripts,test}/**/*.ts",
      "bootstrap/*.js",
    ];
    for await (const path of glob(patterns, { cwd: checkout })) paths.push(path);
    const folders: string[] = [];
    for await (const manifest of glob("{packages/*,lab}/package.json", { cwd: checkout })) {
      folders.push(manifest.replace(/\/package\.json$/u, ""));
    }
    const doors = readDoors(checkout, folders);
    return new ImportGraph(paths.sort().map((path) => readModule(checkout, path, doors)));
  }

  /** Everything that the test may run, itself among it. */
  reach(test: string): Reach {
    const found = new Map<string, string | undefined>([[test, undefined]]);
    const waiting = [test];
    const followed = new Set(waiting);
    const add = (path: string, through: string) => {
      if (followed.has(path)) return;
      followed.add(path);
      // It may have been found as one that is loaded early, and not been followed.
      if (!found.has(path)) found.set(path, through);
      waiting.push(path);
    };
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const module = this.#modules.get(path);
      if (module === undefined) continue;
      for (const target of this.#uses(module, true)) add(target, path);
      for (const data of module.data) if (!found.has(data)) found.set(data, path);
      for (const need of module.needs) this.#follow(need, path, found, add);
    }
    return found;
  }

  /** Sentences about `// needs:` lines that name nothing, and about who starts the program and does not say by which command. */
  problems(): string[] {
    return [...this.#modules.values()].flatMap(({ path, needs, namesProgram }) => {
      const unknown = needs.filter((need) => this.#targetsOf(need) === undefined);
      const told = unknown.map((need) => `${path}: "// needs: ${need}" names no command, package or path`);
      const isOfTests = path.startsWith("test/") && !path.startsWith("test/perf/");
      const isSilent = (isOfTests && namesProgram && needs.length === 0) || this.#leavesItToNobody(path);
      return isSilent ? [...told, `${path}: it starts stowage; say which commands: // needs: cli COMMAND`] : told;
    });
  }

  /** Whether a test starts the program by a helper that leaves the command to its callers, and nobody says it. */
  #leavesItToNobody(path: string): boolean {
    if (!path.endsWith(".test.ts")) return false;
    const needs = [...this.reach(path).keys()].flatMap((each) => this.#modules.get(each)?.needs ?? []);
    return needs.includes("cli main") && !needs.some((need) => need !== "cli main" && need.split(" ")[0] === "cli");
  }

  #follow(
    need: string,
    path: string,
    found: Map<string, string | undefined>,
    add: (path: string, through: string) => void,
  ) {
    const targets = this.#targetsOf(need);
    for (const target of targets?.whole ?? []) add(target, path);
    // What the program loads before it knows its command: not what the other commands load later.
    for (const early of targets?.early ?? []) if (!found.has(early)) found.set(early, path);
  }

  #targetsOf(need: string): { readonly whole: readonly string[]; readonly early: Iterable<string> } | undefined {
    const [first = "", command] = need.split(" ");
    if (first === "cli" && command !== undefined) {
      // What starts any command; its callers say which.
      if (command === "main") return { whole: [], early: this.#loadedEarly() };
      const path = `packages/cli/src/commands/${command}.ts`;
      return this.#modules.has(path) ? { whole: [path], early: this.#loadedEarly() } : undefined;
    }
    const path = first === "cli" ? program : first.includes("/") ? first : `packages/${first}/src/index.ts`;
    return this.#modules.has(path) ? { whole: [path], early: [] } : undefined;
  }

  #early: Set<string> | undefined;

  #loadedEarly(): Set<string> {
    if (this.#early !== undefined) return this.#early;
    const found = new Set([program]);
    const waiting = [program];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const module = this.#modules.get(path);
      if (module === undefined) continue;
      for (const target of this.#uses(module, false)) {
        if (found.has(target)) continue;
        found.add(target);
        waiting.push(target);
      }
    }
    this.#early = found;
    return found;
  }

  #uses(module: SourceModule, withLate: boolean): Set<string> {
    const targets = new Set<string>();
    for (const { from, name, isLate } of module.taken) {
      if (isLate && !withLate) continue;
      this.#define(from, name, targets, new Set());
    }
    return targets;
  }

  /** Adds the sources in which a name of a module is defined. */
  #define(path: string, name: string, targets: Set<string>, seen: Set<string>): void {
    const key = `${path} ${name}`;
    const module = this.#modules.get(path);
    if (seen.has(key) || module === undefined) return;
    seen.add(key);
    if (name === "*") {
      targets.add(path);
      for (const { from, name: other } of module.passedOn.values()) this.#define(from, other, targets, seen);
      for (const from of module.passedOnWhole) this.#define(from, "*", targets, seen);
      return;
    }
    const passed = module.passedOn.get(name);
    if (passed !== undefined) return this.#define(passed.from, passed.name, targets, seen);
    const provider = module.own.has(name) ? undefined : module.passedOnWhole.find((from) => this.#provides(from, name));
    if (provider !== undefined) return this.#define(provider, name, targets, seen);
    targets.add(path);
  }

  #provides(path: string, name: string): boolean {
    const module = this.#modules.get(path);
    if (module === undefined) return false;
    if (module.own.has(name) || module.passedOn.has(name)) return true;
    return module.passedOnWhole.some((from) => this.#provides(from, name));
  }
}

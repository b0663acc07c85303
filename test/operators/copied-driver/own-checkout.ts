// needs: cli
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { DriverProfile } from "@stowage/operators/csi-driver";

const run = promisify(execFile);
const checkout = fileURLToPath(new URL("../../../", import.meta.url));
/** What files are generated from, and the generated ones. */
const parts = ["package.json", "packages", "scripts", "docs", "deploy", "Dockerfile", "bootstrap/node24/package.json"];
const driversPath = "packages/operators/src/csi-driver/drivers";

/** The project in a folder of the test's own, to be changed as a vendor changes it. */
export class OwnCheckout implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "own-checkout-"));

  constructor() {
    const ours = (name: string) => join(this.#folder, name);
    for (const name of parts) cpSync(join(checkout, name), ours(name), { recursive: true, verbatimSymlinks: true });
    // Libraries are those of the other checkout; our own packages are links to where they are.
    mkdirSync(ours("node_modules"));
    for (const name of readdirSync(join(checkout, "node_modules"))) {
      const [from, to] = [join(checkout, "node_modules", name), join(ours("node_modules"), name)];
      if (name === "@stowage") cpSync(from, to, { recursive: true, verbatimSymlinks: true });
      else symlinkSync(from, to);
    }
  }

  get mainPath(): string {
    return join(this.#folder, "packages/cli/src/main.ts");
  }

  copyDriver(id: string, newId: string): void {
    cpSync(this.#driver(id), this.#driver(newId), { recursive: true });
  }

  /** In every file of the driver's folder that people write. */
  replaceInDriver(id: string, replacements: Readonly<Record<string, string>>): void {
    const folder = this.#driver(id);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.parentPath.endsWith("generated"),
    );
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      const replaced = Object.entries(replacements).reduce(
        (text, [from, to]) => text.replaceAll(from, to),
        readFileSync(path, "utf8"),
      );
      writeFileSync(path, replaced);
    }
  }

  /** As `npm run generate`; returns the files that it has written. */
  async generate(): Promise<string[]> {
    const { stdout } = await run(process.execPath, ["scripts/generate.ts"], { cwd: this.#folder });
    return [...stdout.matchAll(/^wrote (?<path>.+)$/gmu)].map(({ groups }) => groups?.["path"] ?? "");
  }

  async stowage(...words: string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [this.mainPath, ...words], { maxBuffer: 16_000_000 });
    return stdout;
  }

  /** Name → text, of the assets that were made for the driver. */
  assets(id: string): Record<string, string> {
    const folder = join(this.#driver(id), "generated");
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  }

  async profile(id: string): Promise<DriverProfile> {
    const exports = (await import(pathToFileURL(join(this.#driver(id), "profile.ts")).href)) as Record<string, unknown>;
    const [found] = Object.values(exports) as DriverProfile[];
    if (found === undefined) throw new Error(`the profile of ${id} exports nothing`);
    return { ...found, id };
  }

  #driver(id: string): string {
    return join(this.#folder, driversPath, id);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

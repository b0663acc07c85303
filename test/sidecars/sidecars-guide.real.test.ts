// needs: cli sidecars, cli sidecar, cli node-sidecar
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureBinaries, silentProgress } from "@stowage/lab";
import { errorCatalogue } from "@stowage/machinery";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";

const run = promisify(execFile);
const checkout = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(checkout, "docs/guides/sidecars.md"), "utf8");
const main = join(checkout, "packages/cli/src/main.ts");

/** The code blocks of a language below a heading. */
function blocks(heading: string, language: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, text = ""]) => text);
}

describe("the guide to the sidecars", () => {
  let folder: string;
  let kubectlFolder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sidecars-guide-"));
    const { kubectl } = await ensureBinaries(["kubectl"], { progress: silentProgress });
    kubectlFolder = dirname(kubectl?.path ?? "");
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** As a reader pastes it in a checkout: with job control. */
  async function shell(script: string): Promise<string> {
    const env = {
      ...process.env,
      TMPDIR: folder,
      KUBECONFIG: inject("kubeconfig"),
      PATH: `${kubectlFolder}${delimiter}${process.env.PATH}`,
    };
    const { stdout } = await run("bash", ["-meuo", "pipefail", "-c", script], { cwd: checkout, env, timeout: 90_000 });
    return stdout;
  }

  /** Processes that were started with something of this test's. */
  function leftOver(): string[] {
    const commands = readdirSync("/proc").flatMap((pid) => {
      if (!/^\d+$/.test(pid)) return [];
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        // It has ended.
        return [];
      }
    });
    return commands.filter((command) => command.includes(folder));
  }

  it("gets a reader a bound claim, and leaves neither a volume nor a process behind", async () => {
    const [script = ""] = blocks("Try it", "sh");
    expect(await shell(script)).toMatch(/^first +Bound +pvc-\S+ +1Gi/m);
    await vi.waitFor(() => expect(leftOver()).toEqual([]), { timeout: 20_000 });
    const drivers = await shell("kubectl get pv --output jsonpath='{.items[*].spec.csi.driver}'");
    expect(drivers.split(" ")).not.toContain("mock.csi.stowage.dev");
  });

  it("has commands for rights and definitions that a cluster takes", async () => {
    const scripts = [...blocks("Rights", "sh"), ...blocks("Snapshots", "sh")];
    expect(scripts).toHaveLength(2);
    for (const script of scripts) expect(await shell(script)).toMatch(/(created|configured|unchanged)$/m);
  });

  it("has a Deployment that a cluster takes, with arguments that the command takes", async () => {
    const [manifest = ""] = blocks("All in one", "yaml");
    await shell(`kubectl apply --dry-run=server -f - <<'END'\n${manifest}END\n`);
    const { spec } = load(manifest) as {
      spec: { template: { spec: { containers: { name: string; command?: string[]; args: string[] }[] } } };
    };
    const { command = [], args = [] } = spec.template.spec.containers.find(({ name }) => name === "sidecars") ?? {};
    const { stdout } = await run(process.execPath, [main, ...command.slice(1), ...args, "--version"]);
    expect(stdout).toMatch(/\d+\.\d+\.\d+/);
  });

  it("names commands and error codes that exist", async () => {
    const commands = new Set([...page.matchAll(/^\| .*?\| `(sidecars?[ a-z-]*)`/gm)].map(([, text = ""]) => text));
    expect(commands.size).toBe(9);
    for (const command of commands) await run(process.execPath, [main, ...command.split(" "), "--help"]);
    const codes = [...page.matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)].map(([, code = ""]) => code);
    expect(codes).not.toEqual([]);
    expect(Object.keys(errorCatalogue)).toEqual(expect.arrayContaining(codes));
  });
});

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { createClient, createTransport, loadKubeconfig } from "@stowage/kube";
import { namespaces, persistentVolumeClaims } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leftOf } from "./stowage-up/machine-state.ts";
import { onTerminal } from "./stowage-up/pseudo-terminal.ts";
import { RunningCommand } from "./stowage-up/running-up.ts";

// What people see: on narrow and wide terminals, with colours and without, in a pipe, and when nobody reads on.

const ESCAPE = "\u001B";
const place = realpathSync(mkdtempSync(join(tmpdir(), "up-tty-")));
const stateDir = join(place, "state");
const kubeconfig = join(stateDir, "cluster", "apiserver", "kubeconfig");
const inNamespace = { namespace: "shop", name: "data" };

afterAll(async () => {
  await new RunningCommand(["reset", "--state-dir", stateDir]).ended();
  rmSync(place, { recursive: true });
});

const linesOf = (text: string) => stripVTControlCharacters(text).split(/[\r\n]+/u);
const tooLong = (text: string, columns: number) => linesOf(text).filter((line) => line.length > columns);

/** Brings it up, and down again when it is ready. */
async function upAndDown(prefix: readonly string[]): Promise<string> {
  const up = new RunningCommand(["up", "--demo=false", "--timeout", "9m", "--state-dir", stateDir], prefix);
  await up.said("Storage works.");
  expect((await new RunningCommand(["down", "--state-dir", stateDir]).ended()).exitCode).toBe(0);
  const { stdout } = await up.ended();
  expect(leftOf(stateDir)).toEqual([]);
  return stdout;
}

describe("stowage up on a terminal", () => {
  it("has colours and whole lines on one of 200 columns", async () => {
    const seen = await upAndDown(onTerminal(200));
    expect(seen).toContain(`${ESCAPE}[32m✓`);
    expect(linesOf(seen).filter((line) => /^ {2}✓ .+ \d+\.\d s$/u.test(line)).length).toBeGreaterThan(5);
    expect(tooLong(seen, 200)).toEqual([]);
  }, 600_000);

  it("draws its lines anew without colours where NO_COLOR is set, on one of 80 columns", async () => {
    const seen = await upAndDown(onTerminal(80, "NO_COLOR=1"));
    expect(seen).toContain(`\r${ESCAPE}[2K`);
    expect(seen.replaceAll(`${ESCAPE}[2K`, "")).not.toContain(ESCAPE);
    expect(linesOf(seen).filter((line) => line.startsWith("  ✓ ")).length).toBeGreaterThan(5);
  }, 600_000);
});

describe("commands that look", () => {
  let up: RunningCommand;
  const claim = ["explain", "pvc", "data", "--namespace", "shop", "--kubeconfig", kubeconfig];
  const looking: readonly (readonly [string, readonly string[]])[] = [
    ["StorageClass ", ["status", "--kubeconfig", kubeconfig]],
    ["Cause: CLASS_MISSING", claim],
    ["created PersistentVolumeClaim", ["trace", ...claim.slice(1)]],
  ];

  beforeAll(async () => {
    up = new RunningCommand(["up", "--demo=false", "--timeout", "9m", "--state-dir", stateDir]);
    await up.said("Storage works.");
    const transport = createTransport(await loadKubeconfig({ path: kubeconfig, env: {}, homeDir: "/" }));
    const client = createClient({ transport });
    await client.create(namespaces, { metadata: { name: inNamespace.namespace } });
    await client.create(persistentVolumeClaims, {
      metadata: inNamespace,
      spec: {
        storageClassName: "nobody-has-made-it",
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
      },
    });
    transport.close();
  }, 600_000);
  afterAll(async () => {
    up?.kill("SIGINT");
    await up?.ended();
  });

  it.each(looking)(
    "say %j on narrow and wide terminals and in a pipe, with colours on terminals alone",
    async (says, words) => {
      for (const [prefix, hasColours] of [
        [onTerminal(80), true],
        [onTerminal(200), true],
        [onTerminal(200, "NO_COLOR=1"), false],
        [[], false],
      ] as const) {
        const { stdout } = await new RunningCommand(words, prefix).ended();
        expect(stripVTControlCharacters(stdout)).toContain(says);
        expect([prefix, stdout.includes(ESCAPE)]).toEqual([prefix, hasColours]);
      }
    },
  );

  it.each(looking)("end quietly when nobody reads on where they say %j", async (_says, words) => {
    const command = new RunningCommand(words);
    command.close("stdout");
    expect((await command.ended()).stderr).toBe("");
  });
});

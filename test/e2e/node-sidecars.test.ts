// needs: cli node-sidecar, cli driver
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { stowage } from "./stowage.ts";

const main = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
/** For a command to start, on a machine that has much else to do. */
const PATIENCE_MS = 60_000;
let place = "";
let folder = "";
const running: ChildProcess[] = [];

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "node-sidecar-"));
  folder = place;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => stopped(child, "SIGTERM")));
  rmSync(place, { recursive: true, force: true });
});

/** A command that goes on; `said` is what it has told people so far. */
function start(...commandArguments: string[]) {
  const child = spawn(process.execPath, [main, ...commandArguments], { stdio: ["ignore", "ignore", "pipe"] });
  running.push(child);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return { child, said: () => said };
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill(signal);
  return new Promise((resolve) => child.once("close", (code) => resolve(code)));
}

const socket = () => join(folder, "csi.sock");

async function startDriver() {
  const driver = start("driver", "mock", "--endpoint", `unix://${socket()}`, "--node-id", "node-1");
  await vi.waitFor(() => expect(driver.said()).toContain("listening at"), { timeout: PATIENCE_MS });
  return driver;
}

async function startProbe() {
  // A second, as it is by default, may pass while the driver has no turn.
  const patience = `-probe-timeout=${PATIENCE_MS}ms`;
  const where = [`-csi-address=${socket()}`, "-http-endpoint=127.0.0.1:0"];
  const probe = start("sidecar", "livenessprobe", ...where, patience, "-v=2");
  await vi.waitFor(() => expect(probe.said()).toMatch(/listening at http/), { timeout: PATIENCE_MS });
  const url = /listening at (\S+)/.exec(probe.said())?.[1] ?? "";
  return async (path: string) => (await fetch(`${url}${path}`)).status;
}

/** The kernel takes no address of a socket in the second one. */
const folders = [
  { which: "a near folder", name: "near", isHere: true },
  { which: "a deep folder", name: "deep".repeat(50), isHere: process.platform === "linux" },
].filter(({ isHere }) => isHere);

describe.each(folders)("in $which", { timeout: 5 * PATIENCE_MS }, ({ name }) => {
  beforeEach(() => {
    folder = join(place, name);
    mkdirSync(folder);
  });

  test("the liveness probe says how the driver is, and knows at once when it is gone and when it is back", async () => {
    const driver = await startDriver();
    const statusOf = await startProbe();
    expect(await statusOf("/healthz")).toBe(200);
    expect(await statusOf("/metrics")).toBe(200);
    await stopped(driver.child, "SIGKILL");
    expect(await statusOf("/healthz")).toBe(500);
    await startDriver();
    expect(await statusOf("/healthz")).toBe(200);
  });

  test("the registrar waits for the driver, offers it to kubelet, and takes the offer back when it is stopped", async () => {
    const flags = [
      `--csi-address=${socket()}`,
      `--plugin-registration-path=${folder}`,
      "--kubelet-registration-path=/k/csi.sock",
      `--timeout=${PATIENCE_MS}ms`,
    ];
    const registrar = start("sidecar", "registrar", ...flags);
    await startDriver();
    const offer = "mock.csi.stowage.dev-reg.sock";
    await vi.waitFor(() => expect(readdirSync(folder)).toContain(offer), { timeout: PATIENCE_MS });
    const probe = ["sidecar", "registrar", ...flags, "--mode=kubelet-registration-probe"];
    expect(await stowage(probe)).toMatchObject({ exitCode: 0 });
    expect(await stopped(registrar.child, "SIGTERM")).toBe(0);
    expect(readdirSync(folder)).not.toContain(offer);
    expect(await stowage(probe)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("nobody answers") });
  });
});

test("the registrar says which flag it misses, and each sidecar its version", {
  timeout: 5 * PATIENCE_MS,
}, async () => {
  const outcome = await stowage(["sidecar", "registrar"]);
  expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--kubelet-registration-path") });
  for (const name of ["registrar", "livenessprobe", "provisioner", "attacher"]) {
    expect(await stowage(["sidecar", name, "--version"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  }
});

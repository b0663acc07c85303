// needs: cli sidecar, cli sidecars
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stowage } from "./stowage.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sidecars-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("stowage sidecars, as a stranger may call it", () => {
  test.each([
    [["--controllers=provisioner,expander"], '--controllers has no "expander"; there are provisioner, attacher'],
    [["--controllers="], "--controllers names none"],
    [["--controllers=,"], "--controllers names none"],
    [["--timeout=1s"], "--timeout"],
    [["--provisioner-timeout=soon"], "--provisioner-timeout"],
    [["--provisioner-worker-threads=0"], "--provisioner-worker-threads"],
    [["--kube-api-qps=0"], "--kube-api-qps"],
    [["--leader-election=perhaps"], "--leader-election"],
    [["provisioner"], "too many arguments"],
    [["--http-endpoint=:1", "--metrics-address=:2"], "give one of the two"],
    [["--leader-election-labels=csi"], "is not KEY=VALUE"],
    [["--leader-election", "--provisioner-node-deployment"], "has no place with --node-deployment"],
  ])("says what is wrong with %j", async (flags, words) => {
    const outcome = await stowage(["sidecars", ...flags]);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(words) });
  });

  test("names every flag with its sidecar and its default in the help", async () => {
    const { exitCode, stdout } = await stowage(["sidecars", "--help"]);
    expect(exitCode).toBe(0);
    for (const flag of [
      "--attacher-timeout",
      "--snapshot-controller-worker-threads",
      "--leader-election-lease-duration",
    ])
      expect(stdout).toContain(flag);
  });

  test("says which Kubernetes it misses, and no more than that", async () => {
    const socket = join(folder, "csi.sock");
    const outcome = await stowage(["sidecar", "snapshot-controller", `--kubeconfig=${socket}`]);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
    expect(outcome.stderr).toContain(socket);
    expect(outcome.stderr).not.toContain("    at ");
  });
});

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  persistentVolumeClaims,
  pods,
  type VolumeSnapshot,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, describe, expect, it } from "vitest";
import { bundleFolder, currentFile } from "../../bootstrap/bundle.js";
import { clusterEssentials, isAtRest } from "./stowage-up/cluster-essentials.ts";
import { leftOf, listeningAddresses, processesOf } from "./stowage-up/machine-state.ts";
import { type ControlPlane, PlayedCluster, ready, startOf } from "./stowage-up/played-cluster.ts";
import { onScreen, onTerminal } from "./stowage-up/pseudo-terminal.ts";
import { RunningCommand } from "./stowage-up/running-up.ts";
import { restoringClaim, restoringPod, snapshotOfDemo } from "./stowage-up/snapshot-objects.ts";
import { TypedKubectl, type Way } from "./stowage-up/typed-kubectl.ts";

// The same from `up` to `reset`, whoever the API server and the controllers are of.

const controlPlanes: readonly ControlPlane[] = ["embedded", "kubernetes"];
/** How kubectl may ask for a connection. The real API server asks the node by SPDY, whatever kubectl does. */
const ways: readonly Way[] = ["WebSocket", "SPDY"];
/** What each was like, to be compared. */
const steps = new Map<ControlPlane, string[]>();
const essentials = new Map<ControlPlane, string[]>();

/** Says on which port it listens, and says again what it is told. */
const echoServer = `
  const server = require("node:http").createServer((asked, answer) => asked.pipe(answer));
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

describe.each(controlPlanes)("stowage up --control-plane %s", (controlPlane) => {
  const cluster = new PlayedCluster(controlPlane);
  let up: RunningCommand;
  let firstLine: string | undefined;
  let volumeName: string | undefined;

  afterAll(() => cluster[Symbol.asyncDispose]());

  const readClaim = () =>
    cluster.asking((client) => client.get(persistentVolumeClaims, { namespace: "demo", name: "data" }));

  it("reaches every step, up to a Pod that has written", async () => {
    up = cluster.up("--output", "json");
    await up.said('"ready":true');
    const lines = up.stdout.trim().split("\n");
    const told = lines.map((line) => JSON.parse(line) as { step?: string; kubeconfig?: string });
    steps.set(
      controlPlane,
      told.flatMap(({ step }) => step ?? []),
    );
    expect(told.at(-1)).toMatchObject({ kubeconfig: cluster.kubeconfigPath });
    [firstLine] = cluster.written(await cluster.readPod("writer"));
    expect(firstLine).toMatch(/\d\d:\d\d:\d\d/u);
    volumeName = (await readClaim()).spec?.volumeName;
  });

  it("listens on the loopback alone, and its kubeconfig is its owner's", () => {
    const addresses = listeningAddresses(processesOf(cluster.stateDir));
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => !address.startsWith("127."))).toEqual([]);
    expect(statSync(cluster.kubeconfigPath).mode & 0o777).toBe(0o600);
  });

  it("lets the API server read what the demonstration has said", async () => {
    expect(await cluster.readLog("writer")).toMatch(/^[^\n]*\d\d:\d\d:\d\d[^\n]*\n$/u);
  });

  it.each(ways)("runs commands in Pods for kubectl, by %s", async (way) => {
    const kubectl = await TypedKubectl.for(cluster.kubeconfigPath);
    const script = "echo out; echo err >&2; exit 7";
    expect(await kubectl.run(["exec", "writer", "--", "sh", "-c", script], { way })).toEqual({
      exitCode: 7,
      stdout: "out\n",
      stderr: "err\ncommand terminated with exit code 7\n",
    });
    const input = "0123456789abcde\n".repeat(128 * 1024);
    const echoed = await kubectl.run(["exec", "--stdin", "writer", "--", "cat"], { way, input });
    expect(echoed.exitCode).toBe(0);
    expect(echoed.stdout === input).toBe(true);
    const said = ["exec", "--stdin", "--tty", "writer", "--", "sed", "-e", "s/^/heard-/", "-e", "q"];
    const onTty = await kubectl.run(said, { way, input: "hello\n", prefix: onTerminal(80) });
    expect(onTty).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("heard-hello") });
  });

  it.each(ways)("gives a shell its terminal for kubectl exec -it, by %s", async (way) => {
    const kubectl = await TypedKubectl.for(cluster.kubeconfigPath);
    const typing = { way, prefix: onScreen(33, 111), isTyped: true };
    const exec = ["exec", "--stdin", "--tty", "writer", "--"];
    // Told once, at the beginning, and often before the terminal is there.
    const size = await kubectl.start([...exec, "stty", "size"], typing).endedSoon();
    expect(size).toEqual({ exitCode: 0, stdout: "33 111\r\n", stderr: "" });
    const shell = kubectl.start([...exec, "sh"], typing);
    await shell.shows(/^# $/u);
    shell.press("tty; stty size\r");
    await shell.shows(/^# tty; stty size\r\n\/dev\/pts\/0\r\n33 111\r\n# $/u);
    // Said by who is to be interrupted: a shell that is about to start a program may lose a Ctrl-C.
    shell.press("sh -c 'echo begun; exec sleep 3600'\r");
    await shell.shows(/\nbegun\r\n/u);
    shell.press("\u0003");
    await shell.shows(/\^C\s*# $/u);
    shell.press("seq 1 200000 | tail -n 100000; echo err >&2\r");
    await shell.shows(/\n100001\r\n[^]*\n200000\r\nerr\r\n# $/u);
    shell.press("exit 7\r");
    expect(await shell.endedSoon()).toMatchObject({ exitCode: 7, stderr: "" });
    expect(shell.stdout).toContain("command terminated with exit code 7");
  });

  it.each(ways)("runs a shell on a terminal for kubectl run -it, by %s", async (way) => {
    const kubectl = await TypedKubectl.for(cluster.kubeconfigPath);
    const run = [
      "run",
      "shell",
      "--rm",
      "--stdin",
      "--tty",
      "--restart=Never",
      "--image=shell",
      "--command",
      "--",
      "sh",
    ];
    const shell = kubectl.start(run, { way, prefix: onScreen(33, 111), isTyped: true });
    await shell.shows(/command prompt/u);
    shell.press("\r");
    await shell.shows(/# $/u);
    shell.press("tty; stty size\r");
    await shell.shows(/\n\/dev\/console\r\n33 111\r\n# $/u);
    expect((await kubectl.run(["logs", "shell"], { way })).stdout).toContain("/dev/console\r\n33 111\r\n# ");
    const attached = kubectl.start(["attach", "--stdin", "--tty", "shell"], {
      way,
      prefix: onScreen(20, 100),
      isTyped: true,
    });
    await attached.shows(/command prompt/u);
    attached.press("echo both $((6 * 7))\r");
    await Promise.all([shell, attached].map((each) => each.shows(/\nboth 42\r\n/u)));
    attached.kill("SIGKILL");
    await attached.endedSoon();
    shell.press("sh -c 'echo begun; exec sleep 3600'\r");
    await shell.shows(/begun\r\n/u);
    shell.press("\u0003");
    await shell.shows(/\^C\s*# $/u);
    shell.press("exit 7\r");
    expect((await shell.endedSoon()).exitCode).toBe(7);
    expect(shell.stdout).toContain('pod "shell" deleted');
    expect((await kubectl.run(["get", "pod", "shell"], { way })).stderr).toContain("NotFound");
  });

  it.each(ways)("ends a command with the kubectl that asked for it, by %s", async (way) => {
    const kubectl = await TypedKubectl.for(cluster.kubeconfigPath);
    const running = kubectl.start(["exec", "writer", "--", "sh", "-c", "echo $$; exec sleep 3600"], { way });
    await running.said("\n");
    const isThere = async () => {
      const script = `test -d /proc/${running.stdout.trim()}`;
      return (await kubectl.run(["exec", "writer", "--", "sh", "-c", script])).exitCode === 0;
    };
    expect(await isThere()).toBe(true);
    running.kill("SIGKILL");
    await running.ended();
    await expect.poll(isThere).toBe(false);
  });

  it.each(ways)("shows kubectl what Pods say, and takes and gives files, by %s", async (way) => {
    const kubectl = await TypedKubectl.for(cluster.kubeconfigPath);
    const attached = kubectl.start(["attach", "writer"], { way });
    await attached.said("\n");
    expect(attached.stdout).toMatch(/\d\d:\d\d:\d\d/u);
    attached.kill("SIGINT");
    await attached.ended();
    const files = mkdtempSync(join(tmpdir(), "up-"));
    const [taken, given] = [join(files, "taken"), join(files, "given")];
    writeFileSync(given, "given\n");
    expect((await kubectl.run(["cp", "writer:/data/log", taken], { way })).exitCode).toBe(0);
    expect(readFileSync(taken, "utf8").split("\n")[0]).toBe(firstLine);
    expect((await kubectl.run(["cp", given, "writer:/data/given"], { way })).exitCode).toBe(0);
    const read = await kubectl.run(["exec", "writer", "--", "sh", "-c", "cat /data/given && rm /data/given"], { way });
    expect(read).toMatchObject({ exitCode: 0, stdout: "given\n" });
    rmSync(files, { recursive: true });
  });

  it.each(ways)("forwards ports of Pods for kubectl, by %s", async (way) => {
    const kubectl = await TypedKubectl.for(cluster.kubeconfigPath);
    const server = kubectl.start(["exec", "writer", "--", "node", "-e", echoServer], { way });
    await server.said("\n");
    const forwarding = kubectl.start(["port-forward", "pod/writer", `:${server.stdout.trim()}`], { way });
    await forwarding.said("Forwarding from 127.0.0.1:");
    const [, port] = /127\.0\.0\.1:(\d+)/u.exec(forwarding.stdout) ?? [];
    const body = "0123456789abcdef".repeat(64 * 1024);
    const ask = async () => await (await fetch(`http://127.0.0.1:${port}`, { method: "POST", body })).text();
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    expect(answers.every((answer) => answer === body)).toBe(true);
    for (const each of [forwarding, server]) {
      each.kill("SIGINT");
      await each.ended();
    }
  });

  it.each(ways)("tells kubectl of a port where nobody listens, by %s", async (way) => {
    const kubectl = await TypedKubectl.for(cluster.kubeconfigPath);
    const forwarding = kubectl.start(["port-forward", "pod/writer", ":1"], { way });
    await forwarding.said("Forwarding from 127.0.0.1:");
    const [, port] = /127\.0\.0\.1:(\d+)/u.exec(forwarding.stdout) ?? [];
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow("fetch failed");
    const { exitCode, stderr } = await forwarding.ended();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/error forwarding port 1 to pod writer, uid \S+: connect ECONNREFUSED 127\.0\.0\.1:1"\n/u);
    expect(stderr).toMatch(/error: lost connection to pod\n$/u);
  });

  it("is well in the eyes of status and explain", async () => {
    await expect.poll(async () => (await cluster.ask("status")).exitCode).toBe(0);
    const explained = await cluster.ask("explain", "pvc", "data", "--namespace", "demo");
    expect(explained).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Nothing is wrong") });
  });

  it("takes a snapshot of the demonstration, and restores it", async () => {
    await cluster.asking(async (client) => {
      const isReady = ({ status }: VolumeSnapshot) => status?.readyToUse === true;
      const { metadata } = await client.create(volumeSnapshots, snapshotOfDemo);
      const place = { namespace: "demo", name: metadata.name ?? "" };
      await expect.poll(async () => isReady(await client.get(volumeSnapshots, place))).toBe(true);
      await client.create(persistentVolumeClaims, restoringClaim);
      await client.create(pods, restoringPod);
      await expect.poll(async () => (await cluster.readPod("reader")).status?.phase).toBe("Running");
      expect(cluster.written(await cluster.readPod("reader"))[0]).toBe(firstLine);
      await client.delete(pods, { namespace: "demo", name: "reader" });
      await client.delete(persistentVolumeClaims, { namespace: "demo", name: "restored" });
      await client.delete(volumeSnapshots, place);
      await expect.poll(async () => (await client.list(volumeSnapshotContents)).items).toEqual([]);
      await expect.poll(async () => (await client.list(pods, { namespace: "demo" })).items).toHaveLength(1);
      await expect
        .poll(async () => (await client.list(persistentVolumeClaims, { namespace: "demo" })).items)
        .toHaveLength(1);
    });
  });

  it("is one at a time, and stays on its control plane", async () => {
    const second = await cluster.up().ended();
    expect(second).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`(process ${up.pid})`) });
    const [other = "embedded"] = controlPlanes.filter((each) => each !== controlPlane);
    up.kill("SIGINT");
    expect((await up.ended()).exitCode).toBe(0);
    expect(leftOf(cluster.stateDir)).toEqual([]);
    const { exitCode, stderr } = await cluster.up("--control-plane", other).ended();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`is ${controlPlane}, and cannot be ${other}`);
    expect(leftOf(cluster.stateDir)).toEqual([]);
  });

  it("goes on where it was after Ctrl-C", async () => {
    up = cluster.up();
    await up.said(ready);
    expect((await readClaim()).spec?.volumeName).toBe(volumeName);
    expect(cluster.written(await cluster.readPod("writer"))[0]).toBe(firstLine);
  });

  it("finds everything again when it was killed, and lets it run", async () => {
    const before = await cluster.readPod("writer");
    up.kill("SIGKILL");
    await up.ended();
    up = cluster.up();
    await up.said(ready);
    const after = await cluster.readPod("writer");
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(startOf(after)).toBe(startOf(before));
    await expect.poll(() => cluster.asking(isAtRest)).toBe(true);
    essentials.set(controlPlane, await cluster.asking(clusterEssentials));
  });

  it("ends by stowage down, and is gone after stowage reset", async () => {
    expect((await cluster.end("down")).exitCode).toBe(0);
    expect((await up.ended()).exitCode).toBe(0);
    expect(leftOf(cluster.stateDir)).toEqual([]);
    expect(existsSync(cluster.kubeconfigPath)).toBe(true);
    expect((await cluster.end("reset")).exitCode).toBe(0);
    expect(existsSync(cluster.stateDir)).toBe(false);
  });
});

describe("stowage up --control-plane kubernetes of a bundle alone", () => {
  const place = mkdtempSync(join(tmpdir(), "up-"));
  afterAll(() => rmSync(place, { recursive: true }));

  it("says that it takes a checkout, and leaves the choice open", async () => {
    await new RunningCommand(["version"]).ended(); // There is a bundle then.
    const { key } = JSON.parse(readFileSync(currentFile, "utf8")) as { key: string };
    cpSync(join(bundleFolder, key), join(place, "program"), { recursive: true });
    const stateDir = join(place, "state");
    const program = [join(place, "program", "main.cjs"), "up", "--control-plane", "kubernetes"];
    const { status, stderr } = spawnSync(process.execPath, [...program, "--state-dir", stateDir], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("was not started from a checkout");
    expect(stderr).toContain("npm start -- --control-plane kubernetes");
    expect(leftOf(stateDir)).toEqual([]);
    expect(existsSync(join(stateDir, "cluster", "kubernetes"))).toBe(false);
  });
});

describe("two clusters on a machine", () => {
  const clusters = [new PlayedCluster("embedded"), new PlayedCluster("embedded")];
  afterAll(() => Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]())));

  it("come up beside each other", async () => {
    const ups = clusters.map((cluster) => cluster.up());
    await Promise.all(ups.map((up) => up.said(ready)));
    await Promise.all(clusters.map((cluster) => cluster.end("down")));
    const ended = await Promise.all(ups.map((up) => up.ended()));
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(clusters.flatMap(({ stateDir }) => leftOf(stateDir))).toEqual([]);
  });
});

describe("the two control planes", () => {
  it("come up by the same steps", () => {
    expect(steps.get("embedded")?.length).toBeGreaterThan(0);
    expect(steps.get("kubernetes")).toEqual(steps.get("embedded"));
  });

  it("end with the same objects and conditions", () => {
    expect(essentials.get("embedded")?.length).toBeGreaterThan(0);
    expect(essentials.get("kubernetes")).toEqual(essentials.get("embedded"));
  });
});

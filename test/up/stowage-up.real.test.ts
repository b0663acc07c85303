import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { type Pod, persistentVolumeClaims, pods } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leftOf, listeningAddresses, mountsBelow, processesOf } from "./stowage-up/machine-state.ts";
import { onTerminal } from "./stowage-up/pseudo-terminal.ts";
import { command, RunningCommand } from "./stowage-up/running-up.ts";
import { asNobody, mayNobodyRead, NOBODY } from "./stowage-up/somebody-else.ts";

// The whole of it as a user types it, from nothing to a Pod that has written to its volume, and to nothing again.

const place = realpathSync(mkdtempSync(join(tmpdir(), "up-")));
const stateDir = join(place, "state");
const kubeconfigPath = join(stateDir, "cluster", "apiserver", "kubeconfig");
const demoPod = { namespace: "demo", name: "writer" };
let up: RunningCommand;

const stowage = (...words: string[]) => new RunningCommand([...words, "--state-dir", stateDir]);
const ready = "Storage works.";

async function asking<T>(ask: (client: KubeClient) => Promise<T>): Promise<T> {
  const config = await loadKubeconfig({ path: kubeconfigPath, env: {}, homeDir: "/" });
  const transport = createTransport(config);
  try {
    return await ask(createClient({ transport }));
  } finally {
    transport.close();
  }
}

const readPod = (): Promise<Pod> => asking((client) => client.get(pods, demoPod));
const startOf = ({ status }: Pod) => status?.containerStatuses?.[0]?.state?.running?.startedAt;

/** What the Pod has written, read on the machine where its volume is mounted. */
function written(): string[] {
  const mount = mountsBelow(stateDir).find(({ target }) => target.includes("kubernetes.io~csi"));
  return readFileSync(join(mount?.target ?? "/nonexistent", "log"), "utf8")
    .trim()
    .split("\n");
}

beforeAll(async () => {
  up = stowage("up");
  await up.said(ready);
});

afterAll(async () => {
  await stowage("reset").ended();
  rmSync(place, { recursive: true });
});

describe("stowage up", () => {
  let volumeName: string | undefined;
  let firstLine: string | undefined;

  it("tells each step with its time, and what to type next", () => {
    const times = [...up.stderr.matchAll(/^ {2}✓ .+?(?<seconds>\d+\.\d) s$/gmu)].map((match) =>
      Number(match.groups?.["seconds"]),
    );
    expect(times).toHaveLength(9);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(up.stdout).toContain(`export KUBECONFIG=${kubeconfigPath}`);
    expect(up.stderr).not.toContain("\u001B");
  });

  it("has a Pod that has written to its volume, which is ext4 on a loop device", async () => {
    const ours = mountsBelow(stateDir).filter(({ target }) => target.includes("kubernetes.io~csi"));
    expect(ours).toEqual([expect.objectContaining({ fstype: "ext4", source: expect.stringMatching(/^\/dev\/loop/u) })]);
    [firstLine] = written();
    expect(firstLine).toMatch(/\d\d:\d\d:\d\d/u);
    const claim = await asking((client) => client.get(persistentVolumeClaims, { namespace: "demo", name: "data" }));
    volumeName = claim.spec?.volumeName;
    expect(claim.status?.phase).toBe("Bound");
  });

  it("listens on the loopback alone, and its kubeconfig is its owner's", () => {
    const addresses = listeningAddresses(processesOf(stateDir));
    // The API server, two operators, the driver, its sidecars, and the proxies before their metrics.
    expect(addresses.length).toBeGreaterThan(5);
    expect(addresses.filter((address) => !address.startsWith("127."))).toEqual([]);
    expect(statSync(kubeconfigPath).mode & 0o777).toBe(0o600);
  });

  it("is told who has the cluster already", async () => {
    const { exitCode, stderr } = await stowage("up").ended();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`(process ${up.pid}) runs the cluster in ${stateDir}`);
    expect(stderr).toContain("stowage down");
  });

  it("stops everything at Ctrl-C, and leaves the data", async () => {
    up.kill("SIGINT");
    expect((await up.ended()).exitCode).toBe(0);
    expect(leftOf(stateDir)).toEqual([]);
    expect(existsSync(kubeconfigPath)).toBe(true);
  });

  it("goes on where it was, and says so as JSON", async () => {
    up = stowage("up", "--output", "json");
    await up.said('"ready":true');
    const lines = up.stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      ...Array.from({ length: 9 }, () => ({ step: expect.any(String), seconds: expect.any(Number) })),
      expect.objectContaining({ ready: true, kubeconfig: kubeconfigPath }),
    ]);
    const claim = await asking((client) => client.get(persistentVolumeClaims, { namespace: "demo", name: "data" }));
    expect(claim.spec?.volumeName).toBe(volumeName);
    expect(written()[0]).toBe(firstLine);
  });

  it("finds everything again when it was killed, and lets it run", async () => {
    const before = await readPod();
    up.kill("SIGKILL");
    await up.ended();
    up = stowage("up");
    await up.said(ready);
    const after = await readPod();
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(startOf(after)).toBe(startOf(before));
    expect(written()[0]).toBe(firstLine);
  });

  it("ends by stowage down, and says when its port is somebody else's", async () => {
    expect((await stowage("down").ended()).exitCode).toBe(0);
    expect((await up.ended()).exitCode).toBe(0);
    expect(leftOf(stateDir)).toEqual([]);
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { exitCode, stderr } = await stowage("up", "--port", String(port)).ended();
    other.close();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`port ${port} of 127.0.0.1`);
    expect(leftOf(stateDir)).toEqual([]);
  });

  it("stops in order when nobody reads what it says any more", async () => {
    up = stowage("up");
    up.close("stdout");
    await up.ended();
    expect(up.stderr).toContain("what is kept stays in");
    expect(leftOf(stateDir)).toEqual([]);
  });

  it("stops in order at Ctrl-C when nobody hears that it does", async () => {
    up = stowage("up");
    await up.said(ready);
    up.close("stdout", "stderr");
    up.kill("SIGINT");
    expect((await up.ended()).exitCode).toBe(0);
    expect(leftOf(stateDir)).toEqual([]);
  });

  it("is live on a terminal, and leaves no file, mount, loop device or process when it is reset there", async () => {
    up = new RunningCommand(["up", "--demo=false", "--state-dir", stateDir], onTerminal(80));
    await up.said(ready);
    expect(up.stdout).toContain("\u001B[32m✓");
    const lines = stripVTControlCharacters(up.stdout).split(/[\r\n]+/u);
    const steps = lines.filter((line) => /^ {2}[…✓] /u.test(line));
    expect(steps.length).toBeGreaterThan(7);
    expect(steps.filter((line) => line.length > 80)).toEqual([]);
    expect((await stowage("reset").ended()).exitCode).toBe(0);
    expect((await up.ended()).exitCode).toBe(0);
    expect(leftOf(stateDir)).toEqual([]);
    expect(existsSync(stateDir)).toBe(false);
  });
});

describe.skipIf(!mayNobodyRead(command))("stowage up without root", () => {
  const ownPlace = join(place, "nobody");
  const ownState = join(ownPlace, "state");
  const nobodys = (...words: string[]) => new RunningCommand([...words, "--state-dir", ownState], asNobody);

  beforeAll(() => {
    chmodSync(place, 0o755);
    mkdirSync(ownPlace);
    chownSync(ownPlace, NOBODY, NOBODY);
  });
  afterAll(() => nobodys("reset").ended());

  it("has a Pod that has written to its volume, and leaves nothing", async () => {
    const running = nobodys("up");
    await running.said(ready);
    const volumes = join(ownState, "cluster", "nodes", "node-1", "disk", "local", "contents");
    const files = readdirSync(volumes, { recursive: true, withFileTypes: true }).filter(({ name }) => name === "log");
    expect(files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size > 0)).toEqual([true]);
    running.kill("SIGINT");
    expect((await running.ended()).exitCode).toBe(0);
    expect(leftOf(ownState)).toEqual([]);
    expect((await nobodys("reset").ended()).exitCode).toBe(0);
    expect(readdirSync(ownPlace)).toEqual([]);
  });
});

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../lab/src/main.ts", import.meta.url));
const kubectlPath = fileURLToPath(new URL("../../.lab/bin/kubectl", import.meta.url));
const run = promisify(execFile);

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The lab as a user types it, without npm in front. */
async function lab(...words: string[]): Promise<Answer> {
  try {
    return { code: 0, ...(await run(process.execPath, [program, ...words])) };
  } catch (error) {
    const { code, stdout, stderr } = error as Answer;
    return { code, stdout, stderr };
  }
}

function freshFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "lab-test-")));
}

async function status(
  dir: string,
): Promise<{ code: number; states: Record<string, string>; pids: Record<string, number> }> {
  const { code, stdout } = await lab("status", "--dir", dir, "--output", "json");
  const { components } = JSON.parse(stdout) as { components: { name: string; state: string; pid: number }[] };
  return {
    code,
    states: Object.fromEntries(components.map(({ name, state }) => [name, state])),
    pids: Object.fromEntries(components.map(({ name, pid }) => [name, pid])),
  };
}

/** As a crash: without a warning, and without the lab knowing. */
async function crash(dir: string, component: string): Promise<void> {
  const pid = (await status(dir)).pids[component];
  if (pid === undefined) throw new Error(`${component} does not run`);
  process.kill(pid, "SIGKILL");
}

/** What mentions the text in its arguments, apart from this test's own commands, which have ended. */
function processesWith(text: string): string[] {
  const commandLine = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(text));
}

describe("a lab at the control level", () => {
  const dir = freshFolder();
  afterAll(async () => {
    await lab("down", "--wipe", "--dir", dir);
    rmSync(dir, { recursive: true, force: true });
  });
  const kubectl = (...words: string[]) => run(kubectlPath, ["--kubeconfig", join(dir, "kubeconfig"), ...words]);

  it("comes up and says where its kubeconfig is, which only its owner may read", async () => {
    const { code, stdout } = await lab("up", "--dir", dir);
    expect(code).toBe(0);
    expect(stdout).toBe(`${dir}/kubeconfig\nexport KUBECONFIG=${dir}/kubeconfig\n`);
    expect(statSync(`${dir}/kubeconfig`).mode & 0o777).toBe(0o600);
    await kubectl("create", "configmap", "kept", "--from-literal=a=b");
  });

  it("starts only what is missing after the API server was killed", async () => {
    const before = await status(dir);
    expect(before).toMatchObject({ code: 0, states: { etcd: "up", "kube-apiserver": "up" } });
    await crash(dir, "kube-apiserver");
    // Each look is a process of its own, which takes a second on a busy machine.
    const look = expect.poll(() => status(dir), { timeout: 20_000 });
    await look.toMatchObject({ code: 1, states: { "kube-apiserver": "down", etcd: "up" } });
    expect(await lab("up", "--dir", dir)).toMatchObject({ code: 0 });
    const after = await status(dir);
    expect(after.code).toBe(0);
    expect({ ...after.pids, "kube-apiserver": 0 }).toEqual({ ...before.pids, "kube-apiserver": 0 });
  });

  it("says that it is up when it is started again", async () => {
    expect((await lab("up", "--dir", dir)).stderr).toContain("was up already");
  });

  it("refuses another level while it runs", async () => {
    const { code, stderr } = await lab("up", "--dir", dir, "--level", "node");
    expect(code).toBe(1);
    expect(stderr).toMatch(/is up at the level control, not node|needs root/);
  });

  it("keeps its state while it is down", async () => {
    expect(await lab("down", "--dir", dir)).toMatchObject({ code: 0 });
    expect(processesWith(dir)).toEqual([]);
    await lab("up", "--dir", dir);
    expect((await kubectl("get", "configmap", "kept", "--output", "jsonpath={.data.a}")).stdout).toBe("b");
  });

  it("leaves nothing when it is wiped", async () => {
    expect(await lab("down", "--wipe", "--dir", dir)).toMatchObject({ code: 0 });
    expect(processesWith(dir)).toEqual([]);
    expect(existsSync(dir)).toBe(false);
  });

  it("shows the end of a component's log when that does not come up", async () => {
    const { code, stderr } = await lab("up", "--dir", dir, "--extra-flag", "kube-apiserver=--no-such-flag");
    expect(code).toBe(1);
    expect(stderr).toContain(`${dir}/log/kube-apiserver.log`);
    expect(stderr).toContain("unknown flag: --no-such-flag");
    expect(processesWith(dir)).toEqual([]);
  });
});

const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "hello" },
  spec: {
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: "hello",
        image: "local/busybox:1",
        command: ["sh", "-c", "echo hello from a Pod; sleep 1000"],
        volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
      },
    ],
    volumes: [{ name: "scratch", emptyDir: { medium: "Memory" } }],
  },
};

/** What a node leaves its traces in; the rest of the machine is other people's. */
function machine() {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const sysctls = ["net/ipv4/ip_forward", "vm/overcommit_memory", "kernel/panic"];
  return {
    mounts: mounts.map((line) => line.split(" ")[4] ?? "").filter((point) => /lab-|kubelet|netns/.test(point)),
    addresses: addresses.map(({ address }) => address).filter((address) => /^10\.7[78]\./.test(address)),
    links: readdirSync("/sys/class/net").filter((name) => /^(lab-|veth)/.test(name)),
    sysctls: sysctls.map((name) => readFileSync(`/proc/sys/${name}`, "utf8")),
    runFolders: readdirSync("/run").filter((name) => name.startsWith("stowage-lab-")),
  };
}

async function packetFilter(): Promise<string[]> {
  const { stdout } = await run("iptables-save", []);
  return stdout.split("\n").filter((line) => /KUBE-|CNI-/.test(line));
}

// A node mounts and changes the network: that needs root.
describe.skipIf(process.getuid?.() !== 0)("a lab at the node level", () => {
  const dir = freshFolder();
  const kubectl = (...words: string[]) => run(kubectlPath, ["--kubeconfig", join(dir, "kubeconfig"), ...words]);
  let before: ReturnType<typeof machine>;
  beforeAll(() => {
    before = machine();
  });
  afterAll(async () => {
    await lab("down", "--wipe", "--dir", dir);
    rmSync(dir, { recursive: true, force: true });
  });

  it("runs a Pod whose logs can be read", async () => {
    expect(await lab("up", "--level", "node", "--dir", dir)).toMatchObject({ code: 0 });
    const applying = run(kubectlPath, ["--kubeconfig", join(dir, "kubeconfig"), "apply", "--filename", "-"]);
    applying.child.stdin?.end(JSON.stringify(POD));
    await applying;
    await kubectl("wait", "--for=condition=Ready", "pod/hello", "--timeout=60s");
    await expect.poll(async () => (await kubectl("logs", "hello")).stdout).toBe("hello from a Pod\n");
    expect((await kubectl("exec", "hello", "--", "mount")).stdout).toContain(" on /scratch type tmpfs ");
    expect(machine().mounts.filter((point) => point.startsWith(dir))).not.toEqual([]);
  });

  it("goes on with the Pod after containerd was killed", async () => {
    await crash(dir, "containerd");
    expect(await lab("up", "--dir", dir)).toMatchObject({ code: 0 });
    await expect
      .poll(async () => (await kubectl("exec", "hello", "--", "echo", "again")).stdout, { timeout: 30_000 })
      .toBe("again\n");
  });

  it("leaves the machine as it was, even when components were killed", async () => {
    await crash(dir, "kubelet");
    expect(await lab("down", "--wipe", "--dir", dir)).toMatchObject({ code: 0 });
    expect(processesWith(dir)).toEqual([]);
    expect(machine()).toEqual(before);
    expect(await packetFilter()).toEqual([]);
    expect(existsSync(dir)).toBe(false);
  });
});

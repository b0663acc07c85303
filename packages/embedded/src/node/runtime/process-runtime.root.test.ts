import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Container } from "./container.ts";
import type { ContainerMount, ContainerSpec } from "./container-spec.ts";
import { plainSpec } from "./fixtures/plain-spec.ts";
import type { LogWish } from "./log-reader.ts";
import { ProcessRuntime } from "./process-runtime.ts";

/** For what would hang, on however busy a machine. */
const patienceMs = 60_000;

let folder: string;
let runtime: ProcessRuntime;
let starts = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "runtime-"));
  runtime = await ProcessRuntime.open({ folder: join(folder, "containers"), clock: systemClock });
});

afterEach(async () => {
  for (const container of runtime.list()) {
    container.signal("SIGKILL");
    await container.exited;
    await container.remove();
  }
  runtime[Symbol.dispose]();
  execFileSync("umount", [join(folder, "containers")]);
  expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(folder);
  rmSync(folder, { recursive: true });
});

function spec(script: string, more: Partial<ContainerSpec> = {}): ContainerSpec {
  return plainSpec({ id: `c${++starts}`, command: ["sh", "-c", script], ...more });
}

/** What it says until it ends, and how it ends. */
async function ran(script: string, more: Partial<ContainerSpec> = {}) {
  const container = await runtime.start(spec(script, more));
  const { exitCode, startError } = await container.exited;
  return { exitCode, startError, said: (await logOf(container)).trim() };
}

/** The listener is waited for before more is read. */
async function logOf(
  container: Container,
  wish: Partial<LogWish> = {},
  listener: () => Promise<void> = async () => {},
): Promise<string> {
  const all = { follow: false, timestamps: false, sinceMs: undefined, tailLines: undefined, limitBytes: undefined };
  const chunks: Uint8Array[] = [];
  for await (const bytes of container.log({ ...all, ...wish }, AbortSignal.timeout(patienceMs))) {
    chunks.push(bytes);
    await listener();
  }
  return Buffer.concat(chunks).toString();
}

function hostFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

const mounted = (hostPath: string, containerPath: string, more: Partial<ContainerMount> = {}): ContainerMount => ({
  hostPath,
  containerPath,
  isReadOnly: false,
  propagation: "None",
  ...more,
});

async function said(container: Container, ...command: string[]): Promise<string> {
  const chunks: Uint8Array[] = [];
  const write = async (bytes: Uint8Array) => void chunks.push(bytes);
  await container.run(command, { writeStdout: write, writeStderr: write }, AbortSignal.timeout(patienceMs));
  return Buffer.concat(chunks).toString().trim();
}

describe("a container as a process", () => {
  it("runs its program with its arguments, environment and folder, and ends with its code", async () => {
    const more = { env: { GREETING: 'it\'s "here"' }, workingDir: "/made/for/it" };
    expect(await ran('echo "$GREETING"; pwd; exit 3', more)).toEqual({
      exitCode: 3,
      startError: undefined,
      said: 'it\'s "here"\n/made/for/it',
    });
  });

  it("sees the machine's files, and what it writes is its own and gone with it", async () => {
    expect(await ran("echo x > /etc/only-here; cat /etc/only-here; test -f /etc/passwd && echo yes")).toMatchObject({
      said: "x\nyes",
    });
    expect(() => statSync("/etc/only-here")).toThrow("ENOENT");
  });

  it("has a name and processes of its own", async () => {
    expect(await ran("hostname; echo $$", { hostname: "web-0" })).toMatchObject({ said: "web-0\n1" });
    expect((await ran("hostname; echo $$", { seesHostProcesses: true })).said).toMatch(
      new RegExp(`^${hostname()}\n\\d\\d+`),
    );
  });

  it("has its volumes, also where a link leads and where nothing is", async () => {
    const volume = hostFolder("volume");
    const mounts = [mounted(volume, "/var/run/data"), mounted(volume, "/no/such/place", { isReadOnly: true })];
    expect(await ran("echo kept > /var/run/data/a; cat /run/data/a; echo no > /no/such/place/b", { mounts })).toEqual({
      exitCode: 2,
      startError: undefined,
      said: expect.stringContaining("kept\nsh: 1: cannot create /no/such/place/b: Read-only file system"),
    });
    expect(readFileSync(join(volume, "a"), "utf8")).toBe("kept\n");
  });

  it("has single files too", async () => {
    const file = join(folder, "hosts");
    writeFileSync(file, "127.0.0.1 here\n");
    expect(await ran("cat /etc/hosts", { mounts: [mounted(file, "/etc/hosts", { isReadOnly: true })] })).toMatchObject({
      said: "127.0.0.1 here",
    });
  });

  it("is who it is to be, with no more rights than that", async () => {
    const user = { uid: 1234, gid: 2345, supplementalGroups: [3456] };
    const { said: text } = await ran(
      "id -u; id -g; id -G; grep NoNewPrivs /proc/self/status; grep CapBnd /proc/self/status",
      {
        user,
        mayGainPrivileges: false,
        droppedCapabilities: ["ALL"],
        addedCapabilities: ["CAP_CHOWN"],
      },
    );
    expect(text.split("\n")).toEqual(["1234", "2345", "2345 3456", "NoNewPrivs:\t1", "CapBnd:\t0000000000000001"]);
  });

  it("cannot write where its root may only be read", async () => {
    const { exitCode, said: text } = await ran("echo x > /etc/x", { hasReadOnlyRoot: true });
    expect([exitCode, text]).toEqual([2, expect.stringContaining("Read-only file system")]);
  });

  it("says why a program could not be run", async () => {
    expect(await ran("", { command: ["no-such-program"] })).toMatchObject({
      exitCode: 128,
      startError: 'exec: "no-such-program": executable file not found in $PATH',
    });
    expect(await ran("", { command: ["/no/such"] })).toMatchObject({
      startError: 'exec: "/no/such": stat /no/such: no such file or directory',
    });
  });

  it("ends by a signal that it listens to, and by SIGKILL in any case", async () => {
    const listening = async (script: string) => {
      const container = await runtime.start(spec(`${script}; echo listening; while :; do sleep 0.05; done`));
      await expect.poll(() => logOf(container)).toBe("listening\n");
      return container;
    };
    const polite = await listening("trap 'exit 7' TERM");
    polite.signal("SIGTERM");
    expect(await polite.exited).toMatchObject({ exitCode: 7 });
    const deaf = await listening("trap '' TERM");
    deaf.signal("SIGTERM");
    deaf.signal("SIGKILL");
    expect(await deaf.exited).toMatchObject({ exitCode: 137 });
  });

  it("runs other commands beside its program, in the same place and with the same environment", async () => {
    const container = await runtime.start(spec("echo here > /tmp/mine; echo written; sleep 1000", { env: { A: "b" } }));
    await expect.poll(() => logOf(container)).toBe("written\n");
    expect(await said(container, "sh", "-c", "cat /tmp/mine; echo $A")).toBe("here\nb");
  });
});

describe("what a container says", () => {
  it("is followed until it ends, with the times", async () => {
    const signs = hostFolder("signs");
    const script = "echo one; until [ -e /signs/heard ]; do sleep 0.05; done; echo two >&2; exit 4";
    const container = await runtime.start(spec(script, { mounts: [mounted(signs, "/signs")] }));
    // The second word comes a while after the first was seen, however late that is.
    const text = await logOf(container, { follow: true, timestamps: true }, async () => {
      await systemClock.sleep(300);
      writeFileSync(join(signs, "heard"), "");
    });
    const lines = text
      .trim()
      .split("\n")
      .map((line) => line.split(" "));
    expect(lines.map(([, word]) => word)).toEqual(["one", "two"]);
    const [first = 0, second = 0] = lines.map(([time = ""]) => Date.parse(time));
    expect(second - first).toBeGreaterThan(200);
    expect(container.exit?.exitCode).toBe(4);
  });
});

describe("mounts made later", () => {
  const tmpfs = "mkdir -p /shared/inner && mount -t tmpfs inner /shared/inner && echo deep > /shared/inner/file";
  const shared = () => {
    const path = hostFolder("shared");
    execFileSync("mount", ["--bind", path, path]);
    execFileSync("mount", ["--make-rshared", path]);
    return path;
  };

  it("reach the machine where that is asked for", async () => {
    const path = shared();
    const mounts = [mounted(path, "/shared", { propagation: "Bidirectional" })];
    expect(await ran(tmpfs, { mounts, isPrivileged: true })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(path, "inner/file"), "utf8")).toBe("deep\n");
    execFileSync("umount", ["-R", path]);
  });

  it("stay in the container otherwise", async () => {
    const path = shared();
    const mounts = [mounted(path, "/shared", { propagation: "HostToContainer" })];
    expect(await ran(tmpfs, { mounts, isPrivileged: true })).toMatchObject({ exitCode: 0 });
    expect(() => statSync(join(path, "inner/file"))).toThrow("ENOENT");
    execFileSync("umount", ["-R", path]);
  });
});

describe("an agent that comes back", () => {
  it("finds what still runs and how the rest ended", async () => {
    const lasting = await runtime.start(spec("echo before; sleep 1000"));
    const ending = await runtime.start(spec("sleep 0.2; exit 5"));
    runtime[Symbol.dispose]();
    await expect.poll(() => readFileSync(join(folder, "containers", ending.id, "exit"), "utf8")).toBe("5\n");
    runtime = await ProcessRuntime.open({ folder: join(folder, "containers"), clock: systemClock });
    const found = new Map(runtime.list().map((container) => [container.id, container]));
    expect(found.get(ending.id)?.exit).toMatchObject({ exitCode: 5 });
    expect(found.get(lasting.id)?.exit).toBeUndefined();
    expect(found.get(lasting.id)?.startedMs).toBe(lasting.startedMs);
    expect(await said(found.get(lasting.id) as Container, "echo", "still here")).toBe("still here");
  });
});

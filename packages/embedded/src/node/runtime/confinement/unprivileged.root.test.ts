import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ContainerMount, ContainerSpec } from "../container-spec.ts";
import { plainSpec } from "../fixtures/plain-spec.ts";
import { nobody, spawnAsNobody } from "../fixtures/unprivileged-process.ts";
import type { Step, StepResult } from "../fixtures/unprivileged-runtime.ts";
import type { Abilities } from "./abilities.ts";
import { endUserNamespace } from "./user-namespace.ts";

const program = new URL("../fixtures/unprivileged-runtime.ts", import.meta.url).pathname;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "unprivileged-"));
  chownSync(folder, nobody, nobody);
  ownFolder("tmp");
});

afterEach(async () => {
  await endUserNamespace(folder);
  expect(readdirSync(join(folder, "containers"))).toEqual([]);
  expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  rmSync(folder, { recursive: true });
});

let starts = 0;
function spec(script: string, more: Partial<ContainerSpec> = {}): ContainerSpec {
  return plainSpec({ id: `c${++starts}`, command: ["sh", "-c", script], hostname: "web-0", ...more });
}

function ownFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  chownSync(path, nobody, nobody);
  return path;
}

const mounted = (hostPath: string, containerPath: string, more: Partial<ContainerMount> = {}): ContainerMount => ({
  hostPath,
  containerPath,
  isReadOnly: false,
  propagation: "None",
  ...more,
});

async function ran(hasNamespaces: boolean, ...steps: Step[]): Promise<{ abilities: Abilities; results: StepResult[] }> {
  const child = await spawnAsNobody(program, [folder, JSON.stringify(steps)], {
    hasNamespaces,
    env: { TMPDIR: join(folder, "tmp") },
  });
  return JSON.parse(await text(child.stdout));
}

describe("containers of a user with namespaces", () => {
  const run = async (...steps: Step[]) => (await ran(true, ...steps)).results;

  it("have a root, a name, processes and files of their own, and nothing of it is on the machine", async () => {
    const script =
      "hostname; echo $$; id -u; pwd; echo x > /etc/only-here && cat /etc/only-here; test -f /etc/passwd && echo yes";
    const [first] = await run({ spec: spec(script, { workingDir: "/made/for/it" }) });
    expect(first).toMatchObject({ exitCode: 0, said: "web-0\n1\n0\n/made/for/it\nx\nyes" });
    expect(() => statSync("/etc/only-here")).toThrow("ENOENT");
  });

  it("have their volumes, also where only root could make a folder, and those that may only be read", async () => {
    const [volume, other] = [ownFolder("volume"), ownFolder("other")];
    const mounts = [
      mounted(volume, "/var/run/secrets/deep"),
      mounted(volume, "/var/lib/kubelet/pods"),
      mounted(other, "/no/such/place", { isReadOnly: true }),
    ];
    const script = "echo kept > /run/secrets/deep/a; cat /var/lib/kubelet/pods/a; echo no > /no/such/place/b";
    const [first] = await run({ spec: spec(script, { mounts }) });
    expect(first?.said).toMatch(/^kept\n.*Read-only file system$/);
    expect(readFileSync(join(volume, "a"), "utf8")).toBe("kept\n");
    expect(statSync(join(volume, "a")).uid).toBe(nobody);
  });

  it("are whom they want to be, by number", async () => {
    const user = { uid: 1234, gid: 2345, supplementalGroups: [] };
    const mounts = [mounted(ownFolder("volume"), "/data")];
    const script = "id -u; id -g; touch /data/a; stat -c %u:%g /data/a; grep -E 'CapEff|NoNewPrivs' /proc/self/status";
    const [first, entered] = await run(
      { spec: spec(script, { user, mounts, mayGainPrivileges: false }) },
      { spec: spec("echo here; sleep 1000", { user }), commands: [["id", "-u"], ["hostname"], ["no-such"]] },
    );
    expect(first?.said?.split("\n")).toEqual([
      "1234",
      "2345",
      "1234:2345",
      "CapEff:\t0000000000000000",
      "NoNewPrivs:\t1",
    ]);
    expect(entered?.answers).toEqual(["1234 0", "web-0 0", expect.stringMatching(/no-such.* 127$/)]);
  });

  it("cannot write where their root may only be read, but to their volumes", async () => {
    const mounts = [mounted(ownFolder("volume"), "/tmp")];
    const script = "touch /x; touch /etc/x; touch /var/lib/x; touch /tmp/x && echo written";
    const [first] = await run({ spec: spec(script, { mounts, hasReadOnlyRoot: true }) });
    const lines = first?.said?.split("\n") ?? [];
    expect(lines.filter((line) => line.endsWith("Read-only file system"))).toHaveLength(3);
    expect(lines.at(-1)).toBe("written");
  });

  it("have terminals of their own, whoever they are", async () => {
    const other = { uid: 1234, gid: 2345, supplementalGroups: [] };
    const steps = [{}, { user: other }].map((more) => ({
      spec: spec("echo here; sleep 1000", { env: { PS1: "> " }, ...more }),
      typed: 'stty size; tty; echo x > "$(tty)"; id -u; exit 4\r',
    }));
    const [first, second] = await run(...steps);
    expect(first?.shown).toMatch(/30 90\r\n\/dev\/pts\/0\r\nx\r\n0\r\n4$/u);
    expect(second?.shown).toMatch(/30 90\r\n\/dev\/pts\/0\r\nx\r\n1234\r\n4$/u);
  });

  it("are on terminals of their own, whoever they are", async () => {
    const other = { uid: 1234, gid: 2345, supplementalGroups: [] };
    const steps = [{}, { user: other }].map((more) => ({
      spec: spec("", { command: ["sh"], env: { PS1: "> " }, terminal: { takesInput: true }, ...more }),
      typed: "echo $$; stty size; tty; echo x > /dev/console; id -u; exit 4\r",
    }));
    const [first, second] = await run(...steps);
    expect(first?.exitCode).toBe(4);
    expect(first?.shown).toMatch(/1\r\n30 90\r\n\/dev\/console\r\nx\r\n0\r\n$/u);
    expect(second?.shown).toMatch(/1\r\n30 90\r\n\/dev\/console\r\nx\r\n1234\r\n$/u);
  });

  it("are refused devices that the user may not open", async () => {
    const devices = [{ hostPath: "/dev/loop-control", containerPath: "/dev/xvda" }];
    const [first] = await run({ spec: spec("true", { devices }) });
    expect(first?.refusal).toBe("block device /dev/xvda needs root: /dev/loop-control may not be opened by this user");
  });

  it("do without a file in the machine's /dev that only root could make", async () => {
    const file = join(ownFolder("pod"), "last-words");
    writeFileSync(file, "");
    const mounts = [mounted("/dev", "/dev"), mounted(file, "/dev/no-such-log")];
    expect(await run({ spec: spec("test -e /dev/null && test ! -e /dev/no-such-log", { mounts }) })).toMatchObject([
      { exitCode: 0 },
    ]);
  });
});

describe("containers of a user without namespaces", () => {
  const run = async (...steps: Step[]) => (await ran(false, ...steps)).results;

  it("are processes, and it is known why", async () => {
    const { abilities, results } = await ran(false, { spec: spec("echo $HOSTNAME; exit 3") });
    expect(abilities).toEqual({
      kind: "plain",
      canEnterNamespace: false,
      reasons: ["this process is not root", expect.stringContaining("unshare")],
    });
    expect(results).toMatchObject([{ exitCode: 3, said: "web-0" }]);
  });

  it("find their volumes by the paths that they were given, also in later commands and where paths are long", async () => {
    const far = ownFolder(`volumes/${"long".repeat(20)}`);
    const mounts = [mounted(ownFolder("volume"), "/data"), mounted(far, "/far", { isReadOnly: true })];
    const env = { WHERE: "/far/b" };
    const script = 'echo a > /data/a; echo b > "$WHERE"; cat /data/a /far/b; pwd; sleep 1000';
    const commands = [["cat", "/far/b"], ["sh", "-c", "ls /data"], ["no-such"]];
    const [first] = await run({ spec: spec(script, { mounts, env, workingDir: "/data" }), commands });
    expect(first).toMatchObject({
      exitCode: 137,
      said: `a\nb\n${join(folder, "volume")}`,
      answers: ["b 0", "a 0", expect.stringMatching(/no-such.* 127$/)],
    });
    expect(readFileSync(join(far, "b"), "utf8")).toBe("b\n");
  });

  it("have terminals, on which paths are those that they were given", async () => {
    const mounts = [mounted(ownFolder("volume"), "/data")];
    writeFileSync(join(folder, "volume/a"), "of the volume\n");
    const [first] = await run({
      spec: spec("echo here; sleep 1000", { env: { PS1: "> " }, mounts, workingDir: "/data" }),
      typed: 'stty size; cat a; echo x > "$(tty)"; exit 4\r',
    });
    expect(first?.shown).toMatch(/30 90\r\nof the volume\r\nx\r\n4$/u);
  });

  it("are on terminals of their own", async () => {
    const [first] = await run({
      spec: spec("", { command: ["sh"], env: { PS1: "> " }, terminal: { takesInput: true } }),
      typed: 'stty size; echo x > "$(tty)"; sleep 100000 & exit 4\r',
    });
    expect(first?.exitCode).toBe(4);
    expect(first?.shown).toMatch(/30 90\r\nx\r\n$/u);
  });

  it("are told where their service account and their temporary files are", async () => {
    const account = "/var/run/secrets/kubernetes.io/serviceaccount";
    const mounts = [mounted(ownFolder("account"), account), mounted(ownFolder("temporary"), "/tmp")];
    const [first] = await run({ spec: spec("echo $STOWAGE_SERVICE_ACCOUNT_DIR $TMPDIR", { mounts }) });
    expect(first?.said).toBe(`${join(folder, "account")} ${join(folder, "temporary")}`);
  });

  it("end with all that they have started", async () => {
    const mark = `3${String(process.pid).padStart(8, "0")}`;
    const [first] = await run({ spec: spec(`sleep ${mark} & sleep ${mark} & echo started; exit 0`) });
    expect(first).toMatchObject({ exitCode: 0, said: "started" });
    await expect.poll(() => commandLines().filter((line) => line.includes(mark))).toEqual([]);
  });

  it("say why a program could not be run, or its folder not entered", async () => {
    const [program, place, device] = await run(
      { spec: spec("", { command: ["no-such-program"] }) },
      { spec: spec("", { workingDir: "/no/such" }) },
      { spec: spec("", { devices: [{ hostPath: "/dev/null", containerPath: "/dev/xvda" }] }) },
    );
    expect(program?.startError).toBe('exec: "no-such-program": executable file not found in $PATH');
    expect(place?.startError).toBe("the working directory /no/such cannot be entered");
    expect(device?.refusal).toMatch(/^block device \/dev\/xvda needs .*, and containers are plain processes here$/);
  });
});

function commandLines(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")] : [];
    } catch {
      return []; // It has just ended.
    }
  });
}

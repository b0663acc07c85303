import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Container } from "../container.ts";
import type { ContainerSpec } from "../container-spec.ts";
import { plainSpec } from "../fixtures/plain-spec.ts";
import { TerminalSeat } from "../fixtures/terminal-seat.ts";
import { ProcessRuntime } from "../process-runtime.ts";

const folder = mkdtempSync(join(tmpdir(), "terminal-"));
let runtime: ProcessRuntime;
let container: Container;
let starts = 0;

async function started(more: Partial<ContainerSpec> = {}): Promise<Container> {
  return runtime.start(
    plainSpec({ id: `t${++starts}`, command: ["sleep", "100000"], env: { PS1: "ready> ", A: "b" }, ...more }),
  );
}

beforeAll(async () => {
  runtime = await ProcessRuntime.open({ folder: join(folder, "containers"), clock: systemClock });
  container = await started();
});

afterAll(async () => {
  for (const each of runtime.list()) {
    each.signal("SIGKILL");
    await each.exited;
    await each.remove();
  }
  runtime[Symbol.dispose]();
  execFileSync("umount", [join(folder, "containers")]);
  rmSync(folder, { recursive: true });
});

/** What a command shows that nobody types anything to, and how it ends. */
async function shown(command: readonly string[], where = container) {
  const seat = new TerminalSeat();
  seat.resize(24, 80);
  const exitCode = await seat.run(where, command);
  expect(seat.seenElsewhere).toBe("");
  return { exitCode, seen: seat.seen };
}

function isRunning(...words: readonly string[]): boolean {
  const line = `${words.join("\0")}\0`;
  return readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/u.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8") === line;
    } catch {
      return false; // It has just ended.
    }
  });
}

/** A number that is in no other command line of this machine. */
let marks = 0;
const mark = () => `9${process.pid}${String(++marks).padStart(2, "0")}`;

describe("a shell on a terminal", () => {
  it("shows a prompt, echoes once what is typed, takes Enter for the end of a line, and ends with its code", async () => {
    const seat = new TerminalSeat();
    seat.resize(24, 80);
    const ended = seat.run(container, ["sh"]);
    await seat.shows(/^ready> $/u);
    seat.type("echo it is $A; exit 7\r");
    expect(await ended).toBe(7);
    expect(seat.seen).toBe("ready> echo it is $A; exit 7\r\nit is b\r\n");
    expect(seat.seenElsewhere).toBe("");
  });

  it("ends by Ctrl-D, and by the end of what is typed", async () => {
    const seat = new TerminalSeat();
    const ended = seat.run(container, ["sh"]);
    await seat.shows(/ready> $/u);
    seat.type("\u0004");
    expect(await ended).toBe(0);
    for (const typed of ["abc", "ab\r"]) {
      const other = new TerminalSeat();
      other.type(typed);
      other.endTyping();
      expect(await other.run(container, ["sh", "-c", "wc -c; exit 5"])).toBe(5);
      expect(other.seen).toMatch(/3\r\n$/u);
    }
  });

  it("goes on when Ctrl-C has ended what is in front", async () => {
    const seat = new TerminalSeat();
    const ended = seat.run(container, ["sh"]);
    await seat.shows(/ready> $/u);
    const seconds = mark();
    seat.type(`sleep ${seconds}\r`);
    await expect.poll(() => isRunning("sleep", seconds)).toBe(true);
    seat.type("\u0003");
    await seat.shows(/\^C\s+ready> $/u);
    expect(isRunning("sleep", seconds)).toBe(false);
    seat.type("echo code $?; exit\r");
    expect(await ended).toBe(0);
    expect(seat.seen).toContain("code 130\r\n");
  });
});

describe("a terminal", () => {
  it("is one of the container, with its name, and belongs to whoever runs there", async () => {
    const script = 'tty; stat -c %u "$(tty)"; test -t 0 && test -t 1 && test -t 2 && echo all; echo x > /dev/tty';
    const alone = await started();
    expect(await shown(["sh", "-c", script], alone)).toEqual({
      exitCode: 0,
      seen: "/dev/pts/0\r\n0\r\nall\r\nx\r\n",
    });
    const user = { uid: 1234, gid: 2345, supplementalGroups: [] };
    const other = await started({ user, mayGainPrivileges: false, hasReadOnlyRoot: true });
    expect(await shown(["sh", "-c", script], other)).toMatchObject({ seen: "/dev/pts/0\r\n1234\r\nall\r\nx\r\n" });
  });

  it("leaves the environment as it is otherwise, and says what kind it is", async () => {
    const { seen } = await shown(["env"]);
    const expected = ["A=b", "PS1=ready> ", "TERM=xterm"];
    expect(seen.trim().split("\r\n")).toEqual(expect.arrayContaining(expected));
    expect(seen).not.toMatch(/^(?:SHELL|OLDPWD|rows|columns)=/mu);
    const own = await started({ env: { TERM: "vt220", SHELL: "/bin/it's" } });
    expect((await shown(["env"], own)).seen).toMatch(
      /TERM=vt220\r\n[^]*SHELL=\/bin\/it's\r\n|SHELL=\/bin\/it's\r\n[^]*TERM=vt220\r\n/u,
    );
  });

  it("has the size that was told before it was there, whatever is typed first", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const seat = new TerminalSeat();
      seat.type("typed early\r");
      seat.resize(33, 111);
      expect(await seat.run(container, ["sh", "-c", "stty size; read -r line; echo got $line"])).toBe(0);
      expect(seat.seen).toContain("33 111\r\n");
      expect(seat.seen).toContain("got typed early\r\n");
    }
  });

  it("has the last of several sizes that were told before anything was typed", async () => {
    const seat = new TerminalSeat();
    for (const columns of [80, 81, 82]) seat.resize(24, columns);
    seat.type("\r");
    expect(await seat.run(container, ["sh", "-c", "read -r line; stty size"])).toBe(0);
    expect(seat.seen).toContain("24 82\r\n");
  });

  it("begins without a size when nobody tells one, and passes over what is none", async () => {
    const seat = new TerminalSeat();
    seat.resize(0, 0);
    for (const rows of [-1, 1.5, 65_536, Number.NaN]) seat.resize(rows, 80);
    expect(await seat.run(container, ["stty", "size"])).toBe(0);
    expect(seat.seen).toBe("0 0\r\n");
  });

  it("is resized later, of which the program is told", async () => {
    const seat = new TerminalSeat();
    seat.resize(24, 80);
    const script = "trap 'stty size' WINCH; stty size; while :; do read -r line && exit 3; done";
    const ended = seat.run(container, ["sh", "-c", script]);
    await seat.shows(/24 80\r\n/u);
    seat.resize(40, 132);
    await seat.shows(/40 132\r\n/u);
    seat.resize(10, 20);
    await seat.shows(/10 20\r\n/u);
    seat.type("\r");
    expect(await ended).toBe(3);
  });

  it("passes on how a command ended, also by a signal and where there is none", async () => {
    expect((await shown(["sh", "-c", "exit 42"])).exitCode).toBe(42);
    expect((await shown(["sh", "-c", "kill -s KILL $$"])).exitCode).toBe(137);
    const none = await shown(["no-such-program"]);
    expect(none).toMatchObject({ exitCode: 127, seen: expect.stringContaining("no-such-program") });
  });

  it("shows much, whole and in order, and what goes to standard error too", async () => {
    const { seen, exitCode } = await shown(["sh", "-c", "seq 1 600000; echo last >&2"]);
    expect(exitCode).toBe(0);
    const numbers = Array.from({ length: 600_000 }, (_, index) => `${index + 1}\r\n`).join("");
    expect(seen === `${numbers}last\r\n`).toBe(true);
  });

  it("takes any bytes, and many of them", async () => {
    const bytes = Buffer.from(Array.from({ length: 1024 * 1024 }, (_, index) => (index * 7 + (index >> 8)) % 256));
    const seat = new TerminalSeat();
    const script = `stty raw -echo; echo raw; head -c ${bytes.length} | sha256sum`;
    const ended = seat.run(container, ["sh", "-c", script]);
    await seat.shows(/raw/u);
    for (let at = 0; at < bytes.length; at += 5_000) seat.type(bytes.subarray(at, at + 5_000));
    expect(await ended).toBe(0);
    expect(seat.seen).toContain(createHash("sha256").update(bytes).digest("hex"));
  });
});

describe("a terminal that is hung up", () => {
  const users = [0, 12_001].map((uid) => ({ uid, gid: uid, supplementalGroups: [] }));

  it.each(users)("ends the shell and what is in front, as user $uid too", async (user) => {
    const where = await started({ user });
    const seat = new TerminalSeat();
    const seconds = mark();
    const ended = seat.run(where, ["sh"]).catch(() => "hung up");
    await seat.shows(/ready> $/u);
    seat.type(`sleep ${seconds}\r`);
    await expect.poll(() => isRunning("sleep", seconds)).toBe(true);
    seat.hangUp();
    expect(await ended).toBe("hung up");
    await expect.poll(() => isRunning("sleep", seconds)).toBe(false);
    await expect.poll(async () => (await shown(["sh", "-c", "ls /dev/pts"], where)).seen).toBe("0  ptmx\r\n");
    expect(where.exit).toBeUndefined();
  });

  it("tells them, so that they can put things in order", async () => {
    const seat = new TerminalSeat();
    const script = "trap 'echo told > /tmp/told; exit' HUP; echo here; while :; do sleep 0.05; done";
    const ended = seat.run(container, ["sh", "-c", script]).catch(() => "hung up");
    await seat.shows(/here/u);
    seat.hangUp();
    expect(await ended).toBe("hung up");
    await expect.poll(async () => (await shown(["cat", "/tmp/told"])).seen).toBe("told\r\n");
  });

  it("ends those, too, that do not want to hear of it", async () => {
    const seat = new TerminalSeat();
    const seconds = mark();
    const ended = seat
      .run(container, ["sh", "-c", `trap '' HUP; echo here; exec sleep ${seconds}`])
      .catch(() => "hung up");
    await seat.shows(/here/u);
    await expect.poll(() => isRunning("sleep", seconds)).toBe(true);
    seat.hangUp();
    expect(await ended).toBe("hung up");
    await expect.poll(() => isRunning("sleep", seconds)).toBe(false);
  });

  it("is hung up when the agent is killed, and the container runs on", async () => {
    const seconds = mark();
    const program = new URL("../fixtures/terminal-agent.ts", import.meta.url).pathname;
    const own = join(folder, "of-another");
    const agent = spawn(process.execPath, [program, own, `sleep ${seconds}`], { stdio: "inherit" });
    await expect.poll(() => isRunning("sleep", seconds)).toBe(true);
    agent.kill("SIGKILL");
    await expect.poll(() => isRunning("sleep", seconds)).toBe(false);
    using next = await ProcessRuntime.open({ folder: own, clock: systemClock });
    const [left] = next.list() as [Container];
    expect(left.exit).toBeUndefined();
    left.signal("SIGKILL");
    await left.exited;
    await left.remove();
    execFileSync("umount", [own]);
  });

  it("is hung up when the container ends", async () => {
    const where = await started();
    const seat = new TerminalSeat();
    const ended = seat.run(where, ["sh"]);
    await seat.shows(/ready> $/u);
    where.signal("SIGKILL");
    expect(await ended).not.toBe(0);
  });
});

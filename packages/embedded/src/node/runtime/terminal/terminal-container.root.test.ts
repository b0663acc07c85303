import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Container } from "../container.ts";
import type { ContainerSpec } from "../container-spec.ts";
import { plainSpec } from "../fixtures/plain-spec.ts";
import { TerminalSeat } from "../fixtures/terminal-seat.ts";
import { ProcessRuntime } from "../process-runtime.ts";

let folder: string;
let runtime: ProcessRuntime;
let starts = 0;
const place = () => join(folder, "containers");

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "terminal-"));
  runtime = await ProcessRuntime.open({ folder: place(), clock: systemClock });
});

afterEach(async () => {
  for (const each of runtime.list()) {
    each.signal("SIGKILL");
    await each.exited;
    await each.remove();
  }
  // Whoever stands beside a container names its folder.
  await expect.poll(() => processesWith(folder)).toEqual([]);
  runtime[Symbol.dispose]();
  execFileSync("umount", [place()]);
  rmSync(folder, { recursive: true });
});

const terminal = { takesInput: true };
const env = { PS1: "ready> " };

function started(command: readonly string[], more: Partial<ContainerSpec> = {}): Promise<Container> {
  return runtime.start(plainSpec({ id: `c${++starts}`, command, env, terminal, ...more }));
}

const inShell = (script: string, more?: Partial<ContainerSpec>) => started(["sh", "-c", script], more);

function logOf(container: Container): Promise<string> {
  const wish = { follow: false, timestamps: false, sinceMs: undefined, tailLines: undefined, limitBytes: undefined };
  return text(container.log(wish, AbortSignal.timeout(60_000)));
}

async function ended(container: Container) {
  const { exitCode, startError } = await container.exited;
  return { exitCode, startError, said: await logOf(container) };
}

function processesWith(words: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const line = /^\d+$/u.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") : "";
      return line.includes(words) ? [line] : [];
    } catch {
      return []; // It has just ended.
    }
  });
}

describe("a container with a terminal", () => {
  it("has it everywhere, is the first of its processes, and what it says is in the log as a terminal shows it", async () => {
    const script = "echo $$ $TERM; test -t 0 && test -t 1 && test -t 2 && tty; echo x > /dev/tty; exit 3";
    expect(await ended(await inShell(script))).toEqual({
      exitCode: 3,
      startError: undefined,
      said: "1 xterm\r\n/dev/console\r\nx\r\n",
    });
  });

  it("may be another user, whose terminal it is then", async () => {
    const user = { uid: 1234, gid: 2345, supplementalGroups: [] };
    const container = await inShell("id -u; echo x > /dev/console", { user, mayGainPrivileges: false });
    expect(await ended(container)).toMatchObject({ exitCode: 0, said: "1234\r\nx\r\n" });
  });

  it("says why a program could not be run", async () => {
    expect(await ended(await started(["no-such-program"]))).toMatchObject({
      exitCode: 128,
      startError: 'exec: "no-such-program": executable file not found in $PATH',
    });
  });

  it("says much, whole and in order", async () => {
    const { said } = await ended(await started(["seq", "1", "300000"]));
    const numbers = Array.from({ length: 300_000 }, (_, index) => `${index + 1}\r\n`).join("");
    expect(said === numbers).toBe(true);
  });

  it("ends by a signal that it listens to, with its own code, and by SIGKILL in any case", async () => {
    const polite = await inShell("trap 'exit 7' TERM; echo here; while :; do sleep 0.05; done");
    await expect.poll(() => logOf(polite)).toBe("here\r\n");
    polite.signal("SIGTERM");
    expect(await polite.exited).toMatchObject({ exitCode: 7 });
    const deaf = await inShell("trap '' TERM HUP; echo here; while :; do sleep 0.05; done");
    await expect.poll(() => logOf(deaf)).toBe("here\r\n");
    deaf.signal("SIGKILL");
    expect(await deaf.exited).toMatchObject({ exitCode: 137 });
  });

  it.each([{ seesHostProcesses: true }, { processSpace: "shared" }])(
    "ends with all that it has started where others see it: %j",
    async (more) => {
      const seconds = `8${process.pid}${++starts}`;
      const container = await inShell(`sleep ${seconds} & echo $PPID; exit 4`, more);
      expect(await container.exited).toMatchObject({ exitCode: 4 });
      await expect.poll(() => processesWith(`sleep ${seconds}`)).toEqual([]);
    },
  );
});

describe("whoever attaches to a container", () => {
  it("is in front of its terminal, until it ends", async () => {
    const container = await started(["sh"]);
    await expect.poll(() => logOf(container)).toBe("ready> ");
    const seat = new TerminalSeat();
    // As kubectl tells it, so that programs draw their screen anew.
    seat.resize(33, 112);
    seat.resize(33, 111);
    seat.type("stty size; tty\r");
    const attached = seat.attach(container);
    await seat.shows(/33 111\r\n\/dev\/console\r\nready> $/u);
    seat.resize(10, 20);
    await expect
      .poll(async () => {
        seat.type("stty size\r");
        return (await seat.shows(/10 20|33 111\r\n(?:ready> )$/u))[0];
      })
      .toBe("10 20");
    // Said by who is to be interrupted: a shell that is about to start a program may lose a Ctrl-C.
    seat.type("sh -c 'echo begun; exec sleep 1000'\r");
    await seat.shows(/begun\r\n/u);
    seat.type("\u0003");
    await seat.shows(/\^C\s*ready> $/u);
    seat.type("exit 9\r");
    await attached;
    expect(container.exit).toMatchObject({ exitCode: 9 });
    expect(seat.seen).toContain("exit 9\r\n");
    expect(await logOf(container)).toBe(`ready> ${seat.seen}`);
  });

  it("leaves it as it is when he goes, and may come again, also to the next agent", async () => {
    const container = await started(["sh"]);
    const first = new TerminalSeat();
    const attached = first.attach(container);
    first.type("A=kept\r");
    await first.shows(/A=kept\r\nready> $/u);
    first.endTyping();
    first.hangUp();
    await attached;
    runtime[Symbol.dispose]();
    runtime = await ProcessRuntime.open({ folder: place(), clock: systemClock });
    const [found] = runtime.list() as [Container];
    expect(found.exit).toBeUndefined();
    const second = new TerminalSeat();
    const again = second.attach(found);
    second.resize(7, 77);
    second.type("echo $A; stty size\r");
    await second.shows(/kept\r\n7 77\r\n/u);
    second.type("\u0004");
    await again;
    expect(found.exit).toMatchObject({ exitCode: 0 });
  });

  it("is shown what it says, and types nothing, where it takes no input", async () => {
    const script = "trap 'stty size' WINCH; echo here; while :; do sleep 0.05; done";
    const container = await inShell(script, { terminal: { takesInput: false } });
    await expect.poll(() => logOf(container)).toBe("here\r\n");
    const seat = new TerminalSeat();
    seat.resize(24, 80);
    seat.type("typed\r");
    const attached = seat.attach(container);
    // What is typed would be shown between the two.
    await seat.shows(/24 80\r\n/u);
    seat.resize(25, 81);
    await seat.shows(/25 81\r\n/u);
    container.signal("SIGKILL");
    await attached;
    expect(seat.seen).toBe("24 80\r\n25 81\r\n");
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { identifyProcess, isAlive, parseStat } from "./identity.ts";

function identified(pid: number) {
  const identity = identifyProcess(pid);
  if (identity === undefined) throw new Error(`process ${pid} is not there`);
  return identity;
}

describe("a process's identity", () => {
  it("finds the process as long as it runs", async () => {
    const child = spawn("sleep", ["60"]);
    const identity = identified(child.pid ?? 0);
    expect(isAlive(identity)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive(identity)).toBe(false);
  });

  it("is not that of a later process with the same id", () => {
    const own = identified(process.pid);
    expect(isAlive(own)).toBe(true);
    expect(isAlive({ ...own, startTicks: "1" })).toBe(false);
    expect(isAlive({ ...own, bootId: "an earlier start of the machine" })).toBe(false);
  });

  it("is none for a zombie", async () => {
    // The shell's child ends at once, and the shell, become sleep, never waits for it.
    const shell = spawn("sh", ["-c", "true & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"] });
    const [output] = (await once(shell.stdout, "data")) as [Buffer];
    await expect.poll(() => identifyProcess(Number(output.toString()))).toBeUndefined();
    shell.kill("SIGKILL");
  });
});

it("the stat of a process is read past a name with spaces and parentheses", () => {
  const numbers = Array.from({ length: 18 }, (_, index) => index);
  const stat = parseStat(`42 (a) b (c) S 7 ${numbers.join(" ")} 5`);
  expect(stat).toMatchObject({ state: "S", parentPid: 7, startTicks: "17" });
});

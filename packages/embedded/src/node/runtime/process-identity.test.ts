import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { environmentOf } from "./process-identity.ts";

interface Addresses {
  readonly codeStart: number;
  readonly environment: readonly [start: number, end: number];
}

/** As `/proc/PID/stat` has it, with what matters here in the fields 26, 50 and 51. */
function statOf({ codeStart, environment }: Addresses): string {
  const more = Array.from({ length: 49 }, () => 1);
  more[23] = codeStart;
  more.splice(47, 2, ...environment);
  return `7 (sh) R ${more.slice(1).join(" ")} 0\n`;
}

describe("the environment of a process", () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill("SIGKILL"));

  it("is told also while the process becomes another program", async () => {
    const script = 'exec sh -c "$1" again "$1"';
    child = spawn("sh", ["-c", script, "first", script], { env: { PATH: process.env.PATH, A: "b" } });
    for (let n = 0; n < 1000; n++) expect(await environmentOf(child.pid ?? 0)).toMatchObject({ A: "b" });
  });

  it("is waited for however long the kernel takes to give it to the new program", async () => {
    // One that has its arguments, and of whose environment only the beginning is known; then one of which nothing is; then the whole.
    const seen = [
      { environ: "", stat: statOf({ codeStart: 0, environment: [700, 700] }) },
      { environ: "", stat: statOf({ codeStart: 0, environment: [0, 0] }) },
      { environ: "", stat: statOf({ codeStart: 100, environment: [700, 704] }) },
      { environ: "A=b\0", stat: "" },
    ];
    const read = (path: string) => {
      if (path === "/proc/7/environ") return seen[0]?.environ;
      return path === "/proc/7/stat" ? seen.shift()?.stat : "sh\0";
    };
    expect(await environmentOf(7, read)).toEqual({ A: "b" });
  });

  it("may be empty", async () => {
    child = spawn("/bin/sleep", ["1000"], { env: {} });
    expect(await environmentOf(child.pid ?? 0)).toEqual({});
  });

  it("is empty when it may not be read, and its addresses are hidden", async () => {
    const stat = statOf({ codeStart: 0, environment: [0, 0] });
    expect(await environmentOf(7, (path) => (path === "/proc/7/stat" ? stat : undefined))).toEqual({});
  });

  it("is empty when the process has ended", async () => {
    child = spawn("true");
    await once(child, "exit");
    expect(await environmentOf(child.pid ?? 0)).toEqual({});
  });
});

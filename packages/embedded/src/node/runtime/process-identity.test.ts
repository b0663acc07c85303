import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { environmentOf } from "./process-identity.ts";

describe("the environment of a process", () => {
  let child: ChildProcess;
  afterEach(() => child.kill("SIGKILL"));

  it("is told also while the process becomes another program", async () => {
    const script = 'exec sh -c "$1" again "$1"';
    child = spawn("sh", ["-c", script, "first", script], { env: { PATH: process.env.PATH, A: "b" } });
    for (let n = 0; n < 1000; n++) expect(await environmentOf(child.pid ?? 0)).toMatchObject({ A: "b" });
  });

  it("may be empty", async () => {
    child = spawn("/bin/sleep", ["1000"], { env: {} });
    expect(await environmentOf(child.pid ?? 0)).toEqual({});
  });

  it("is empty when the process has ended", async () => {
    child = spawn("true");
    await once(child, "exit");
    expect(await environmentOf(child.pid ?? 0)).toEqual({});
  });
});

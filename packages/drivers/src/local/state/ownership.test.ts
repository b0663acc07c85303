import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeOwnership } from "./ownership.ts";

let folder: string;
let path: string;
let other: ChildProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stowage-owner-"));
  path = join(folder, "owner");
  const program = `(await import(${JSON.stringify(new URL("./ownership.ts", import.meta.url).href)})).takeOwnership(process.argv[1]).then(() => { console.log("taken"); setInterval(() => {}, 1000); })`;
  other = spawn(process.execPath, ["--input-type=module", "-e", program, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(other.stdout as NodeJS.ReadableStream, "data");
});

afterEach(() => {
  other.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

describe("a state directory", () => {
  it("is not shared with a process that runs", async () => {
    await expect(takeOwnership(path)).rejects.toMatchObject({ code: "LOCAL_STATE_IN_USE" });
  });

  it("is taken over from one that was killed, and may be opened again by its owner", async () => {
    other.kill("SIGKILL");
    await once(other, "exit");
    await takeOwnership(path);
    await takeOwnership(path);
    expect(readFileSync(path, "utf8")).toMatch(new RegExp(`^${process.pid} `));
  });

  it("is taken over when another program has the number of a dead owner", async () => {
    writeFileSync(path, readFileSync(path, "utf8").replace(/^(\d+) \d+/, "$1 1"));
    await takeOwnership(path);
    expect(readFileSync(path, "utf8")).toMatch(new RegExp(`^${process.pid} `));
  });
});

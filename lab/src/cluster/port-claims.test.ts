import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identifyProcess } from "../process/identity.ts";
import { claimPorts } from "./port-claims.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "port-claims-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The first that nobody has taken: without claims everybody would choose the same. */
const firstFree = async (taken: ReadonlySet<number>) => {
  for (let port = 1; ; port += 1) if (!taken.has(port)) return [port];
};

describe("ports that a process has chosen", () => {
  it("are not given to anybody else who chooses at the same time", async () => {
    const chosen = await Promise.all(Array.from({ length: 5 }, () => claimPorts(folder, firstFree)));
    expect(chosen.flat().toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
  });

  it("are anybody's when the process has ended", async () => {
    const owner = { ...identifyProcess(process.pid), startTicks: "1" };
    writeFileSync(join(folder, "claims.json"), JSON.stringify([{ owner, ports: [1] }]));
    expect(await claimPorts(folder, firstFree)).toEqual([1]);
  });

  it("are not kept when choosing fails", async () => {
    const failing = async () => Promise.reject(new Error("none is free"));
    await expect(claimPorts(folder, failing)).rejects.toThrow("none is free");
    expect(await claimPorts(folder, firstFree)).toEqual([1]);
  });
});

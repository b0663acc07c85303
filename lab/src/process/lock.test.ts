import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identifyProcess } from "./identity.ts";
import { withLock } from "./lock.ts";

let path = "";
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "lock-")), "lock");
});
afterEach(() => rmSync(join(path, ".."), { recursive: true }));

describe("a lock", () => {
  it("lets one work at a time and is gone in the end", async () => {
    const order: string[] = [];
    const waited = Promise.withResolvers<unknown>();
    const work = (name: string) =>
      withLock(path, { waitMs: 25_000, onWait: waited.resolve }, async () => {
        order.push(`${name} begins`);
        await waited.promise;
        order.push(`${name} ends`);
      });
    await Promise.all([work("a"), work("b")]);
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(existsSync(path)).toBe(false);
  });

  it("is taken over from a process that has died", async () => {
    writeFileSync(path, JSON.stringify({ ...identifyProcess(process.pid), startTicks: "1" }));
    expect(await withLock(path, { waitMs: 0 }, async () => "mine")).toBe("mine");
  });

  it("names its owner when it is held for too long", async () => {
    writeFileSync(path, JSON.stringify(identifyProcess(process.pid)));
    await expect(withLock(path, { waitMs: 0 }, async () => "mine")).rejects.toThrow(`process ${process.pid} has held`);
  });
});

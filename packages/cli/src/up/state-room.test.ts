import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@stowage/machinery/testing";
import { expect, it, onTestFinished } from "vitest";
import { watchRoom } from "./state-room.ts";

const MEBIBYTE = 1024n * 1024n;

it("a disk that becomes full is told of once, and so is room that there is again", async () => {
  const clock = new ManualClock();
  const warnings: string[] = [];
  const stop = new AbortController();
  let mebibytes = 100n;
  const freeBytes = () => mebibytes * MEBIBYTE;
  const warned = (text: string) => void warnings.push(text);
  const watching = watchRoom({ stateDir: "/state", clock, warned, freeBytes }, stop.signal);
  for (mebibytes of [100n, 20n, 5n, 0n, 9n, 40n]) await clock.advance(5_000);
  expect(warnings).toEqual(["nothing new can be kept until somebody makes room: 5 MiB are free on the disk of /state"]);
  for (mebibytes of [70n, 9n]) await clock.advance(5_000);
  expect(warnings.slice(1)).toEqual(["there is room again on the disk of /state"]);
  mebibytes = 7n;
  await clock.advance(5_000);
  expect(warnings).toHaveLength(3);
  stop.abort();
  await watching;
});

it("a disk with room is looked at and not told of", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "up-room-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true }));
  const clock = new ManualClock();
  const warnings: string[] = [];
  const stop = new AbortController();
  const watching = watchRoom({ stateDir, clock, warned: (text) => void warnings.push(text) }, stop.signal);
  await clock.advance(20_000);
  stop.abort();
  await watching;
  expect(warnings).toEqual([]);
});

import { ManualClock, settled } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import type { TerminalSize } from "../container.ts";
import { TerminalSizes } from "./terminal-sizes.ts";

const size = (rows: number, columns: number): TerminalSize => ({ rows, columns });

async function* told(...sizes: readonly TerminalSize[]): AsyncGenerator<TerminalSize> {
  yield* sizes;
}

async function all(sizes: AsyncIterable<TerminalSize>): Promise<TerminalSize[]> {
  const list: TerminalSize[] = [];
  for await (const each of sizes) list.push(each);
  return list;
}

describe("the sizes of a terminal", () => {
  it("are kept until somebody asks, the first and those after it", async () => {
    const sizes = new TerminalSizes(told(size(24, 80), size(25, 81), size(26, 82)));
    await settled();
    expect(await sizes.first()).toEqual(size(24, 80));
    expect(await all(sizes.later())).toEqual([size(25, 81), size(26, 82)]);
  });

  it("are passed over where they are none", async () => {
    const sizes = new TerminalSizes(
      told(size(0, 0), size(-1, 80), size(24, 65_536), size(1.5, 80), size(0, 80), size(Number.NaN, 80)),
    );
    expect(await sizes.first()).toEqual(size(0, 80));
    expect(await all(sizes.later())).toEqual([]);
  });

  it("may not be told at all, and one that comes too late to be the first is the next", async () => {
    expect(await new TerminalSizes(told()).first()).toBeUndefined();
    const clock = new ManualClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    const sizes = new TerminalSizes(
      (async function* () {
        await promise;
        yield size(24, 80);
      })(),
      clock,
    );
    const first = sizes.first();
    await clock.advance(3_000);
    expect(await first).toBeUndefined();
    resolve();
    expect(await all(sizes.later())).toEqual([size(24, 80)]);
  });
});

import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { TerminalResizing } from "./terminal-resizing.ts";

describe("what is typed on a terminal", () => {
  it("comes after all sizes that were told before it, however long it takes to set them", async () => {
    const clock = new ManualClock();
    const order: string[] = [];
    const resizing = new TerminalResizing();
    const sizes = (async function* () {
      yield { rows: 24, columns: 81 };
      yield { rows: 24, columns: 80 };
    })();
    const following = resizing.follow(sizes, async ({ columns }) => {
      await clock.sleep(60_000);
      order.push(String(columns));
    });
    const typed = (async function* () {
      yield Buffer.from("a");
      yield Buffer.from("b");
    })();
    const typing = (async () => {
      for await (const bytes of resizing.afterSizes(typed)) order.push(bytes.toString());
    })();
    await clock.advance(120_000);
    await following;
    await typing;
    expect(order).toEqual(["81", "80", "a", "b"]);
  });
});

import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { writeRoom } from "./write-room.ts";

const listeners = (to: PassThrough) => ["drain", "close", "error"].map((event) => to.listenerCount(event));

describe("room to write", () => {
  it("is there when what was written is taken, and nobody listens any more then", async () => {
    const to = new PassThrough({ highWaterMark: 1 });
    const before = listeners(to);
    for (let round = 0; round < 20; round++) {
      expect(to.write("more than it takes")).toBe(false);
      const room = writeRoom(to);
      to.resume();
      await room;
      to.pause();
    }
    expect(listeners(to)).toEqual(before);
  });

  it("is not waited for when nobody will take anything any more", async () => {
    const to = new PassThrough({ highWaterMark: 1 });
    to.write("more than it takes");
    const room = writeRoom(to);
    to.destroy();
    await room;
    await writeRoom(to);
  });
});

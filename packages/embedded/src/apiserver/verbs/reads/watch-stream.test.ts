import { describe, expect, it } from "vitest";
import { SharedBacklog } from "./shared-backlog.ts";
import { WatchStream } from "./watch-stream.ts";

function pushed(stream: WatchStream, lines: number): void {
  for (let n = 0; n < lines; n++) stream.push(`${n}\n`);
}

describe("a watch stream", () => {
  it("counts what waits together with the others, and gives back what is read or dropped", async () => {
    const shared = new SharedBacklog();
    const [read, dropped] = [new WatchStream([], { shared }), new WatchStream([], { shared })];
    pushed(read, 3000);
    pushed(dropped, 10);
    expect(shared.lines).toBe(3010);
    dropped.drop();
    expect(shared.lines).toBe(3000);
    let taken = 0;
    for await (const line of read) {
      expect(line).toBe(`${taken}\n`);
      if (++taken === 2500) break;
    }
    expect([taken, shared.lines]).toEqual([2500, 0]);
  });

  it("is dropped for what waits for all only when it is behind itself", () => {
    const shared = new SharedBacklog(500);
    const [behind, quick] = [new WatchStream([], { shared }), new WatchStream([], { shared })];
    pushed(behind, 450);
    pushed(quick, 60);
    expect([behind.ended.aborted, quick.ended.aborted]).toEqual([false, false]);
    pushed(behind, 1);
    expect([behind.ended.aborted, quick.ended.aborted, shared.lines]).toEqual([true, false, 60]);
  });
});

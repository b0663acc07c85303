import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ManualClock, settled } from "../testing/index.ts";
import { createWorkQueue, type WorkQueue } from "./work-queue.ts";

interface Step {
  readonly kind: "add" | "background" | "after" | "take" | "done" | "advance";
  readonly key: string;
  readonly delayMs: number;
}

const key = fc.constantFrom("a", "b", "c", "d", "e", "f");
const step: fc.Arbitrary<Step> = fc.record({
  // Twice, so that keys do not only pile up.
  kind: fc.constantFrom("add", "background", "after", "take", "take", "done", "advance"),
  key,
  delayMs: fc.integer({ min: 0, max: 20 }),
});

/** Takes the steps, and checks after each what must always be true. */
class Walk {
  readonly clock = new ManualClock();
  readonly queue = createWorkQueue({ clock: this.clock });
  readonly running = new Set<string>();
  /** Asked for and not begun since. */
  readonly owed = new Set<string>();

  async take(steps: readonly Step[]): Promise<void> {
    for (const each of steps) await this.#take(each);
  }

  async #take(each: Step): Promise<void> {
    if (each.kind === "take") return this.begin();
    if (each.kind === "advance") return this.clock.advance(5);
    if (each.kind === "done") return this.finish(each.key);
    this.owed.add(each.key);
    if (each.kind === "add") this.queue.add(each.key);
    else if (each.kind === "background") this.queue.addInBackground(each.key);
    else this.queue.addAfter(each.key, each.delayMs);
  }

  async begin(): Promise<void> {
    if (this.queue.size === 0) return;
    const taken = (await this.queue.take()) ?? "";
    expect(this.running, "two workers at one key").not.toContain(taken);
    this.running.add(taken);
    this.owed.delete(taken);
  }

  finish(done: string): void {
    if (!this.running.delete(done)) return;
    this.queue.done(done);
  }

  /** Works off everything. */
  async drain(): Promise<void> {
    await this.clock.advance(100);
    await settled();
    this.running.forEach((each) => this.finish(each));
    while (this.queue.size > 0) {
      await this.begin();
      this.running.forEach((each) => this.finish(each));
    }
  }
}

describe("a work queue", () => {
  it("never has two workers at one key, and never loses one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const walk = new Walk();
        await walk.take(steps);
        await walk.drain();
        expect([...walk.owed], "lost").toEqual([]);
        expect(walk.queue.size + walk.queue.delayed + walk.queue.runningMs().length).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it("hands keys out in the order in which they came, each once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(key), async (keys) => {
        const queue = createWorkQueue({ clock: new ManualClock() });
        for (const each of keys) queue.add(each);
        expect(await takeAll(queue)).toEqual([...new Set(keys)]);
      }),
    );
  });

  it("puts what changed before what is only looked at again, but every fifth turn is the latter's", async () => {
    const sizes = fc.record({ changed: fc.integer({ min: 5, max: 40 }), background: fc.integer({ min: 2, max: 10 }) });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ changed, background }) => {
        const queue = createWorkQueue({ clock: new ManualClock() });
        for (let n = 0; n < background; n++) queue.addInBackground(`old-${n}`);
        for (let n = 0; n < changed; n++) queue.add(`new-${n}`);
        const order = await takeAll(queue);
        const bothWait = order.slice(0, Math.min(changed, 4 * background));
        for (let start = 0; start + 5 <= bothWait.length; start++) {
          const turns = bothWait.slice(start, start + 5).filter((each) => each.startsWith("old"));
          expect(turns).toHaveLength(1);
        }
        expect(order.filter((each) => each.startsWith("new"))).toEqual(numbered("new", changed));
        expect(order.filter((each) => each.startsWith("old"))).toEqual(numbered("old", background));
      }),
    );
  });

  it("moves a key up when it changes while it waits in the background", async () => {
    const queue = createWorkQueue({ clock: new ManualClock() });
    queue.addInBackground("a");
    queue.addInBackground("b");
    queue.add("b");
    expect(queue.size).toBe(2);
    expect(await takeAll(queue)).toEqual(["b", "a"]);
  });

  it("hands a key out again that was added while it was worked on, but only after that", async () => {
    const queue = createWorkQueue({ clock: new ManualClock() });
    queue.add("a");
    expect(await queue.take()).toBe("a");
    queue.addInBackground("a");
    queue.add("a");
    expect(queue.size).toBe(0);
    const next = queue.take();
    queue.done("a");
    expect(await next).toBe("a");
  });

  it("keeps a worker waiting until there is a key, and serves workers in their order", async () => {
    const queue = createWorkQueue({ clock: new ManualClock() });
    const [first, second] = [queue.take(), queue.take()];
    queue.add("a");
    queue.add("b");
    expect([await first, await second]).toEqual(["a", "b"]);
  });

  it("hands out a delayed key when it is due, and at once without a delay", async () => {
    const clock = new ManualClock();
    const queue = createWorkQueue({ clock });
    queue.addAfter("now", 0);
    queue.addAfter("later", 100);
    expect([queue.size, queue.delayed]).toEqual([1, 1]);
    await clock.advance(99);
    expect(queue.size).toBe(1);
    await clock.advance(1);
    await settled();
    expect([queue.size, queue.delayed]).toEqual([2, 0]);
  });

  it("lets go of its workers when it is closed, and takes nothing in any more", async () => {
    const clock = new ManualClock();
    const queue = createWorkQueue({ clock });
    queue.add("under way");
    await queue.take();
    queue.addAfter("later", 10);
    const waiting = queue.take();
    queue.add("under way");
    queue.close();
    expect(await waiting).toBeUndefined();
    queue.done("under way");
    queue.add("a");
    queue.addInBackground("b");
    queue.addAfter("c", 5);
    queue.retryAfter("d", 5);
    await clock.advance(100);
    expect([queue.size, queue.delayed, queue.runningMs()]).toEqual([0, 0, []]);
    expect(await queue.take()).toBeUndefined();
    expect(clock.sleeping).toBe(0);
  });
});

describe("what a queue tells about itself", () => {
  it("is the age of the key that has waited longest, also when it has moved up past others", async () => {
    const clock = new ManualClock();
    const queue = createWorkQueue({ clock });
    expect(queue.oldestAgeMs()).toBe(0);
    queue.addInBackground("old");
    await clock.advance(50);
    queue.add("new");
    queue.add("old");
    await clock.advance(10);
    expect(queue.oldestAgeMs()).toBe(60);
    await takeAll(queue);
    expect(queue.oldestAgeMs()).toBe(0);
  });

  it("is how long keys waited and were worked on, and what came how", async () => {
    const clock = new ManualClock();
    const observer = { added: vi.fn(), started: vi.fn(), finished: vi.fn(), retried: vi.fn() };
    const queue = createWorkQueue({ clock, observer });
    queue.add("a");
    queue.add("a");
    await clock.advance(30);
    await queue.take();
    await clock.advance(20);
    expect(queue.runningMs()).toEqual([20]);
    queue.retryAfter("a", 10);
    queue.done("a");
    queue.done("a");
    await clock.advance(10);
    await settled();
    expect(observer.started.mock.calls).toEqual([[30]]);
    expect(observer.finished.mock.calls).toEqual([[20]]);
    expect(observer.added).toHaveBeenCalledTimes(2);
    expect(observer.retried).toHaveBeenCalledTimes(1);
  });
});

async function takeAll(queue: WorkQueue): Promise<string[]> {
  const taken: string[] = [];
  while (queue.size > 0) {
    const each = (await queue.take()) ?? "";
    taken.push(each);
    queue.done(each);
  }
  return taken;
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
}

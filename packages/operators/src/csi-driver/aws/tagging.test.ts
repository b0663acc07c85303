import { ApiStatusError, type KubeClient } from "@stowage/kube";
import { type Logger, StowageError } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import type { TaggingOutcome } from "../../aws/index.ts";
import { TagRetries } from "./tag-retries.ts";
import { tagBatches } from "./tagging.ts";

const { signal } = new AbortController();
const volume = (name: string) => ({ name, id: `vol-${name}` });
const plan = (...batches: string[][]) => ({
  batches: batches.map((names) => names.map(volume)),
  tags: [{ key: "a", value: "1" }],
  hash: "new",
});

interface World {
  /** By the first of a batch. */
  readonly answers?: Readonly<Record<string, StowageError>>;
  /** Not in AWS, or what AWS says of it instead. */
  readonly gone?: string;
  readonly instead?: TaggingOutcome;
  readonly opening?: StowageError;
  readonly patchFailure?: Error;
}

async function tag(
  batches: string[][],
  { answers = {}, gone, instead = "missing", opening, patchFailure }: World = {},
) {
  const [asked, marked, events]: [string[], string[], string[]] = [[], [], []];
  const retries = new TagRetries(new ManualClock(), 3_600_000);
  let sleptMs = 0;
  const clock = {
    nowMs: () => sleptMs,
    monotonicMs: () => sleptMs,
    sleep: async (durationMs: number) => void (sleptMs += durationMs),
  };
  const quiet = () => {};
  const deps = {
    client: {
      patch: async (_type: unknown, { name }: { name: string }, { patch }: { patch: unknown }) => {
        if (patchFailure !== undefined) throw patchFailure;
        marked.push(`${name} ${JSON.stringify(patch)}`);
      },
    } as unknown as Pick<KubeClient, "patch">,
    events: { warning: (reason: string, message: string) => void events.push(`${reason}: ${message}`) },
    logger: { info: quiet, warn: quiet, error: quiet } as unknown as Logger,
    clock,
    retries,
    failureReason: "Failed",
    annotation: "hash",
    missingForMs: 1_800_000,
  };
  const open = async () => {
    if (opening !== undefined) throw opening;
    return async (ids: readonly string[]): Promise<TaggingOutcome> => {
      asked.push(ids.join(" "));
      const refusal = answers[ids[0]?.slice(4) ?? ""];
      if (refusal !== undefined) throw refusal;
      return ids.includes(`vol-${gone}`) ? instead : "tagged";
    };
  };
  await tagBatches(deps, plan(...batches), { open, signal });
  return { asked, marked, events, retries };
}

describe("batches of volumes", () => {
  it("are tagged, and then marked one by one", async () => {
    const { asked, marked, events, retries } = await tag([["a", "b"], ["c"]]);
    expect(asked).toEqual(["vol-a vol-b", "vol-c"]);
    expect(marked).toEqual(["a", "b", "c"].map((name) => `${name} {"metadata":{"annotations":{"hash":"new"}}}`));
    expect([events, retries.nextInMs()]).toEqual([[], undefined]);
  });

  it("are halved until it shows which of them is not there, and that one is looked for no more for a while", async () => {
    const { asked, marked, events, retries } = await tag([["a", "b", "c", "d", "e"]], { gone: "d" });
    expect(asked).toEqual(["vol-a vol-b vol-c vol-d vol-e", "vol-a vol-b vol-c", "vol-d vol-e", "vol-d", "vol-e"]);
    expect(marked.map((text) => text[0])).toEqual(["a", "b", "c", "e"]);
    expect([retries.nextInMs(), retries.isDue("d"), events]).toEqual([1_800_000, false, []]);
  });

  it("are halved likewise when one of them is refused, which is tried alone from then on, and told", async () => {
    const refused = new StowageError("CLOUD_REFUSED", "AWS answered with TagLimitExceeded");
    const { asked, marked, events, retries } = await tag([["a", "b", "c"], ["d"]], { gone: "b", instead: refused });
    expect(asked).toEqual(["vol-a vol-b vol-c", "vol-a vol-b", "vol-a", "vol-b", "vol-c", "vol-d"]);
    expect(marked.map((text) => text[0])).toEqual(["a", "c", "d"]);
    expect(events).toEqual(["Failed: failed to update tags for volume b: AWS answered with TagLimitExceeded"]);
    expect([retries.isAlone("b"), retries.isDue("b"), retries.isDue("a")]).toEqual([true, false, true]);
  });

  it("wait together when whoever asks may not, with the first of their names in an event", async () => {
    const denied = new StowageError("CLOUD_REFUSED", "AWS answered with UnauthorizedOperation");
    const names = ["a", "b", "c", "d", "e", "f"];
    const { asked, events, retries } = await tag([names, ["g"]], { answers: { a: denied } });
    expect(asked.length).toBe(1);
    expect(events).toEqual([
      "Failed: failed to update tags for batch [a b c d e …] of 6 volumes: AWS answered with UnauthorizedOperation",
      "Failed: failed to update tags for volume g: AWS answered with UnauthorizedOperation",
    ]);
    expect(names.some((name) => retries.isAlone(name) || retries.isDue(name))).toBe(false);
  });

  it("wait together when the cloud asks for less, and so do those that have not had their turn", async () => {
    const throttled = new StowageError("CLOUD_THROTTLED", "AWS answered with RequestLimitExceeded");
    const { asked, marked, events, retries } = await tag([["a"], ["b", "c"], ["d"]], { answers: { b: throttled } });
    expect(new Set(asked)).toEqual(new Set(["vol-a", "vol-b vol-c"]));
    expect(asked.length).toBeGreaterThan(3);
    expect(marked.length).toBe(1);
    expect(events.length).toBe(2);
    expect(["b", "c", "d"].map((name) => [retries.isDue(name), retries.isAlone(name)])).toEqual(
      Array.from({ length: 3 }, () => [false, false]),
    );
  });

  it("wait together without credentials", async () => {
    const opening = new StowageError("CLOUD_CONFIG_INVALID", "there is no Secret");
    const { asked, events, retries } = await tag([["a"]], { opening });
    expect([asked, events]).toEqual([[], ["Failed: failed to update tags for volume a: there is no Secret"]]);
    expect(retries.isDue("a")).toBe(false);
  });

  it("are marked later when that fails, unless the volume has gone", async () => {
    const failed = await tag([["a"]], { patchFailure: new StowageError("CLOUD_UNREACHABLE", "no") });
    expect(failed.retries.isDue("a")).toBe(false);
    const gone = await tag([["a"]], {
      patchFailure: new ApiStatusError(
        { kind: "Status", apiVersion: "v1", code: 404, reason: "NotFound" },
        { method: "PATCH", url: "/x" },
      ),
    });
    expect(gone.retries.nextInMs()).toBeUndefined();
  });
});

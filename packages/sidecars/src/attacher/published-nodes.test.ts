import type { CsiClient } from "@stowage/csi";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { publishedNodes } from "./published-nodes.ts";

type Page = { entries: unknown[]; nextToken: string };

function listing(pageOf: (token: string) => Page, options = { timeoutMs: 100, maxEntries: 2 }) {
  const clock = new ManualClock();
  const requests: unknown[] = [];
  const listVolumes = async (request: { startingToken: string }, { timeoutMs }: { timeoutMs: number }) => {
    requests.push({ ...request, timeoutMs });
    await clock.advance(40);
    return pageOf(request.startingToken);
  };
  const csi = { controller: { listVolumes } } as unknown as Pick<CsiClient, "controller">;
  return { requests, nodes: publishedNodes({ csi, clock, options }, new AbortController().signal) };
}

const entry = (volumeId: string, ...publishedNodeIds: string[]) => ({
  volume: { volumeId },
  status: { publishedNodeIds },
});

describe("the nodes that a driver says volumes are published to", () => {
  it("are read page by page, in the time of one call", async () => {
    const { nodes, requests } = listing((token) =>
      token === ""
        ? { entries: [entry("a", "n-1", "n-2"), { volume: { volumeId: "no status" } }], nextToken: "2" }
        : { entries: [entry("b")], nextToken: "" },
    );
    expect([...(await nodes)]).toEqual([
      ["a", ["n-1", "n-2"]],
      ["b", []],
    ]);
    expect(requests).toEqual([
      { startingToken: "", maxEntries: 2, timeoutMs: 100 },
      { startingToken: "2", maxEntries: 2, timeoutMs: 60 },
    ]);
  });

  it("are given up when a driver never comes to an end", async () => {
    const { nodes } = listing(() => ({ entries: [], nextToken: "again" }));
    await expect(nodes).rejects.toMatchObject({ grpcCode: "DEADLINE_EXCEEDED" });
  });
});

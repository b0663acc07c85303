import { describe, expect, it } from "vitest";
import { ConnectScene } from "./connect/connect-scene.ts";
import type { NodeAgents } from "./node-agents.ts";
import { subresourceVerb } from "./subresource-verb.ts";

async function answer(path: string, page?: NodeAgents["page"]) {
  await using scene = await ConnectScene.started(page === undefined ? {} : { page });
  const request = scene.request(`GET /api/v1/nodes/${path}`);
  return await subresourceVerb(request.info)?.(scene.deps, request);
}

describe("what a node says itself", () => {
  const page: NodeAgents["page"] = async (node, path) =>
    path === "stats/summary" ? { contentType: "application/json", body: `of ${node}` } : undefined;

  it("is passed on as it is", async () => {
    const said = { code: 200, contentType: "application/json", body: "of n" };
    expect(await answer("n/proxy/stats/summary", page)).toEqual(said);
    expect(await answer("n/proxy/other", page)).toMatchObject({ code: 404, body: "404 page not found\n" });
  });

  it("is not there without the node, or without anybody who answers for it", async () => {
    await expect(answer("none/proxy/stats/summary", page)).rejects.toMatchObject({
      status: { code: 404, message: 'nodes "none" not found' },
    });
    await expect(answer("n/proxy/stats/summary")).rejects.toMatchObject({
      status: { code: 500, message: expect.stringContaining('no agent answers on node "n"') },
    });
  });
});

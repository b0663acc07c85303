import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { fetchOpenApi } from "../../scripts/generate/fetch-openapi.ts";
import { realApi } from "./real-api.ts";

const committed = new URL("../../packages/machinery/openapi/", import.meta.url);

describe("the API types", () => {
  it("are generated from what the real API server serves", async () => {
    const api = realApi();
    const served = await fetchOpenApi(async (path) => (await api.request("GET", path)).json);
    const files = (await readdir(committed, { recursive: true })).filter((name) => name.endsWith(".json"));
    expect(files.toSorted()).toEqual([...served.keys()].toSorted());
    for (const [name, content] of served) {
      expect(await readFile(new URL(name, committed), "utf8")).toBe(content);
    }
  });
});

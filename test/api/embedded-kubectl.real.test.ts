import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareScene, describeDifference, isSame } from "./embedded-kubectl/comparison.ts";
import { startServers } from "./embedded-kubectl/servers.ts";
import { session } from "./embedded-kubectl/session.ts";

const SCENE_MS = 300_000;

describe("kubectl says the same with the embedded API server as with a real one", () => {
  let servers: Awaited<ReturnType<typeof startServers>>;

  beforeAll(async () => {
    servers = await startServers();
  });

  afterAll(() => servers[Symbol.asyncDispose]());

  it("in a session that is long enough to mean something", () => {
    expect(session.flatMap(({ commands }) => commands).length).toBeGreaterThan(400);
  });

  for (const scene of session) {
    it(
      `about ${scene.name.replaceAll("-", " ")}`,
      async () => {
        const compared = await compareScene(servers, scene);
        expect(compared.filter((each) => !isSame(each)).map(describeDifference)).toEqual([]);
      },
      SCENE_MS,
    );
  }
});

import { describe, expect, it } from "vitest";
import { ApiError } from "../../answers/index.ts";
import { ConnectScene } from "../connect/connect-scene.ts";
import type { LogOptions } from "../node-agents.ts";
import { subresourceVerb } from "../subresource-verb.ts";

const pods = "GET /api/v1/namespaces/default/pods";

async function read(scene: ConnectScene, line: string) {
  const request = scene.request(line);
  const answer = await subresourceVerb(request.info)?.(scene.deps, request);
  if (answer === undefined) throw new TypeError("nothing answers");
  const parts: string[] = [];
  for await (const part of answer.body as AsyncIterable<Uint8Array>) parts.push(Buffer.from(part).toString("utf8"));
  return { ...answer, body: parts };
}

describe("a log", () => {
  it("is what the agent sends, as it comes", async () => {
    let asked: LogOptions | undefined;
    await using scene = await ConnectScene.started({
      async *log(_container, options) {
        asked = options;
        yield Buffer.from("one\n");
        yield Buffer.from("two\n");
      },
    });
    const answer = await read(scene, `${pods}/a/log?follow=1&tailLines=2&sinceSeconds=60&timestamps=false`);
    expect(answer).toEqual({ code: 200, contentType: "text/plain", body: ["one\n", "two\n"] });
    expect(asked).toEqual({
      follow: true,
      previous: false,
      timestamps: false,
      sinceSeconds: 60,
      sinceTime: undefined,
      tailLines: 2,
      limitBytes: undefined,
    });
  });

  it("is empty of a Pod that is on no node", async () => {
    await using scene = await ConnectScene.started();
    expect(await read(scene, `${pods}/waiting/log`)).toEqual({ code: 204, body: [] });
  });

  it("is refused in the agent's words", async () => {
    await using scene = await ConnectScene.started({
      // oxlint-disable-next-line require-yield -- it cannot
      async *log() {
        throw new Error('container "main" in pod "a" is waiting to start: ContainerCreating');
      },
    });
    const refused = await read(scene, `${pods}/a/log`).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect((refused as ApiError).message).toMatch(/is waiting to start/u);
  });
});

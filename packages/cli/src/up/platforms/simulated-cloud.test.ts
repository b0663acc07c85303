import { expect, it } from "vitest";
import { startSimulatedCloud } from "./simulated-cloud.ts";

it("lets everybody in, and has nothing", async () => {
  await using cloud = await startSimulatedCloud(undefined);
  const token = await fetch(`${cloud.url}/v3/auth/tokens`, { method: "POST", body: "{}" });
  expect([token.status, token.headers.get("x-subject-token")]).toEqual([201, "simulated"]);
  expect(await token.json()).toMatchObject({ token: { catalog: [] } });
  expect((await fetch(`${cloud.url}/volumes`)).status).toBe(404);
});

it("is where it was, or elsewhere when that is somebody else's by now", async () => {
  await using first = await startSimulatedCloud(undefined);
  await using second = await startSimulatedCloud(first.port);
  expect(second.port).not.toBe(first.port);
  const { port } = first;
  await first[Symbol.asyncDispose]();
  await using third = await startSimulatedCloud(port);
  expect(third.port).toBe(port);
});

import { expect, it } from "vitest";
import { upPlatforms } from "./platform-table.ts";
import { startSimulatedCloud } from "./simulated-cloud.ts";

interface Endpoint {
  readonly url: string;
}

it("lets everybody in, and has nothing but share types", async () => {
  await using cloud = await startSimulatedCloud(undefined);
  const token = await fetch(`${cloud.url}/v3/auth/tokens`, { method: "POST", body: "{}" });
  expect([token.status, token.headers.get("x-subject-token")]).toEqual([201, "simulated"]);
  const { token: given } = (await token.json()) as { token: { catalog: readonly { type: string }[] } };
  expect(given.catalog.map(({ type }) => type)).toEqual(["sharev2"]);
  expect((await fetch(`${cloud.url}/volumes`)).status).toBe(404);
});

it("has a share type where its catalogue says that Manila is, in the region of the credentials", async () => {
  await using cloud = await startSimulatedCloud(undefined);
  const { clouds } = JSON.parse(upPlatforms.openstack.simulation?.credentials(cloud.url)["clouds.yaml"] ?? "{}");
  const answer = await fetch(`${clouds.openstack.auth.auth_url}/v3/auth/tokens`, { method: "POST", body: "{}" });
  const { token } = (await answer.json()) as { token: { catalog: readonly { endpoints: readonly Endpoint[] }[] } };
  const [endpoint] = token.catalog.flatMap(({ endpoints }) => endpoints);
  expect(endpoint).toMatchObject({ interface: "public", region: clouds.openstack.region_name });
  const types = await fetch(`${endpoint?.url}/types`);
  expect(await types.json()).toMatchObject({ share_types: [{ name: "default" }] });
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

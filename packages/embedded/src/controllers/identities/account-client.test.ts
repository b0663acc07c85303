import { isForbidden } from "@stowage/kube";
import { pods, replicaSets, secrets, serviceAccounts } from "@stowage/machinery";
import { expect, it } from "vitest";
import { startApiServer } from "../../apiserver/index.ts";
import { actingControllers } from "../../fixtures/acting-controllers.ts";

it("a controller has the rights of its own account, which is made when it is first needed, and again when it is gone", async () => {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startApiServer());
  const { client: manager, clientOf } = actingControllers(server, stack);
  const account = { namespace: "kube-system", name: "deployment-controller" };
  const controller = clientOf?.(account.name) ?? manager;
  expect(await manager.find(serviceAccounts, account)).toBeUndefined();
  expect((await controller.list(replicaSets)).items).toEqual([]);
  await expect(controller.list(secrets)).rejects.toSatisfy(isForbidden);
  const collector = clientOf?.("generic-garbage-collector") ?? manager;
  await collector.delete(serviceAccounts, account);
  expect((await controller.list(pods)).items).toEqual([]);
  expect(await manager.find(serviceAccounts, account)).toBeDefined();
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, isBadRequest, loadKubeconfig } from "@stowage/kube";
import { configMaps, namespaces } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startStrictFront } from "../platforms/platforms/strict-front.ts";
import { createAccount } from "./driver-operator/operator-account.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "strict-front-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the way that the operators take to the API server", () => {
  const name = "strict-front";
  const connect = async (path: string) => createTransport(await loadKubeconfig({ path, env: {}, homeDir: "/" }));

  it("refuses a field that the server does not know", async () => {
    const kubeconfigPath = inject("kubeconfig");
    await using front = await startStrictFront({ kubeconfigPath, folder: folder });
    const asAdministrator = await connect(kubeconfigPath);
    const client = createClient({ transport: asAdministrator });
    const rule = { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] };
    const place = { client, kubeconfigPath: front.kubeconfigPath, folder: folder };
    const account = { operatorName: name, namespace: name };
    const transport = await connect(
      await createAccount(place, account, { cluster: [], namespaced: { [name]: [rule] } }),
    );
    const create = (content: object) => {
      const object = { metadata: { name, namespace: name }, ...content };
      return createClient({ transport }).create(configMaps, object, { dryRun: true });
    };
    await expect(create({ data: {} })).resolves.toBeDefined();
    await expect(create({ dota: {} })).rejects.toSatisfy(isBadRequest);
    await client.delete(namespaces, { name });
    for (const each of [transport, asAdministrator]) each.close();
  });
});

import { type CredentialsRequest, credentialsRequests } from "@stowage/machinery";
import { credentialsRequestController, stsHook } from "@stowage/operator";
import { afterEach, beforeEach, expect, it } from "vitest";
import { installPlatformCrds, type OperatorBench, startOperatorBench } from "./operator-bench.ts";

let bench: OperatorBench;

beforeEach(async () => {
  bench = await startOperatorBench();
  await installPlatformCrds(bench.kit);
  bench.kit.requests.length = 0;
});

afterEach(() => bench?.[Symbol.asyncDispose]());

it("credentials are asked for once, told of when they come, and asked for again when somebody changes the request", async () => {
  const { client, namespace } = bench.kit;
  const ref = { namespace, name: "efs" };
  const request: CredentialsRequest = {
    apiVersion: "cloudcredential.openshift.io/v1",
    kind: "CredentialsRequest",
    metadata: { ...ref },
    spec: {
      secretRef: { name: "cloud-credentials", namespace: "nowhere" },
      providerSpec: { apiVersion: "cloudcredential.openshift.io/v1", kind: "AWSProviderSpec" },
    },
  };
  const env = { ROLEARN: "arn:aws:iam::1:role/efs" };
  const controller = credentialsRequestController(
    { ...bench.deps, env },
    { name: "Credentials", request, secretNamespace: namespace, hooks: [stsHook(env)] },
  );
  bench.start(controller);
  await expect.poll(bench.conditions).toContain("CredentialsAvailable=False/CredentialsNotProvisionedYet");
  const made = await client.get(credentialsRequests, ref);
  expect(made.spec.secretRef.namespace).toBe(namespace);
  expect(made.spec.providerSpec).toMatchObject({ stsIAMRoleARN: env.ROLEARN });

  const patch = { status: { provisioned: true, lastSyncGeneration: 1 } };
  await client.patch(credentialsRequests, ref, { type: "merge", patch }, { subresource: "status" });
  await expect.poll(bench.conditions).toContain("CredentialsAvailable=True/");
  const writes = () => bench.kit.requests.filter((each) => each.endsWith(" credentialsrequests"));
  expect(writes()).toEqual(["create credentialsrequests"]);

  const spoil = { spec: { secretRef: { name: "elsewhere" } } };
  await client.patch(credentialsRequests, ref, { type: "merge", patch: spoil });
  await expect
    .poll(async () => (await client.get(credentialsRequests, ref)).spec.secretRef.name)
    .toBe("cloud-credentials");
});

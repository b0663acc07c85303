import {
  type CloudCredential,
  type CloudCredentialsMode,
  type CredentialsRequest,
  cloudCredentials,
  credentialsRequests,
} from "@stowage/machinery";
import { beforeEach, describe, expect, it, test } from "vitest";
import { MirroredClient } from "../fixtures/mirrored-client.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { stsHook, wifHook } from "./credentials-hooks.ts";
import { type Environment, shouldRequest } from "./credentials-plan.ts";
import { credentialsRequestController } from "./credentials-request-controller.ts";

const request = (variables?: string): CredentialsRequest => ({
  apiVersion: "cloudcredential.openshift.io/v1",
  kind: "CredentialsRequest",
  metadata: {
    name: "efs",
    namespace: "openshift-cloud-credential-operator",
    annotations: variables === undefined ? {} : { "credentials.openshift.io/role-arns-vars": variables },
  },
  spec: { secretRef: { name: "cloud-credentials", namespace: "${NODE_NAMESPACE}" }, providerSpec: { kind: "P" } },
});

const mode = (credentialsMode: CloudCredentialsMode): CloudCredential => ({
  apiVersion: "operator.openshift.io/v1",
  kind: "CloudCredential",
  metadata: { name: "cluster" },
  spec: { credentialsMode },
});

const wif = { POOL_ID: "pool", PROJECT_NUMBER: "12", PROVIDER_ID: "idp", SERVICE_ACCOUNT_EMAIL: "a@b" };

describe("credentials are requested", () => {
  test.each<[string, CloudCredential | undefined, string | undefined, Environment, boolean]>([
    ["where nobody has chosen a mode", mode(""), undefined, {}, true],
    ["where there is no CloudCredential", undefined, undefined, {}, true],
    ["in mint mode", mode("Mint"), undefined, {}, true],
    ["in passthrough mode", mode("Passthrough"), undefined, {}, true],
    ["in manual mode", mode("Manual"), undefined, {}, false],
    ["in manual mode with a role", mode("Manual"), undefined, { ROLEARN: "arn" }, true],
    ["in manual mode with an empty role", mode("Manual"), undefined, { ROLEARN: "" }, false],
    ["in manual mode with a pool of identities", mode("Manual"), undefined, wif, true],
    ["in manual mode with half of one", mode("Manual"), undefined, { POOL_ID: "pool" }, false],
    ["in manual mode with the roles it names", mode("Manual"), "A,B", { A: "1", B: "2" }, true],
    ["in manual mode with some of the roles it names", mode("Manual"), "A,B", { A: "1", ROLEARN: "arn" }, false],
  ])("%s", (...[, cloudCredential, variables, env, expected]) => {
    expect(shouldRequest(cloudCredential, request(variables), env)).toBe(expected);
  });
});

describe("hooks", () => {
  const operator = { apiVersion: "", kind: "", metadata: {} };

  test.each<[string, string | undefined, Environment, string | undefined]>([
    ["without a role", undefined, {}, undefined],
    ["with a role", undefined, { ROLEARN: "arn" }, "arn"],
    ["with the role that the request names", "NODE_ROLEARN", { ROLEARN: "arn", NODE_ROLEARN: "node" }, "node"],
  ])("of AWS %s", (_case, variables, env, stsIAMRoleARN) => {
    const { spec } = stsHook(env)(request(variables), operator);
    const tokenPath = "/var/run/secrets/openshift/serviceaccount/token";
    expect(spec.cloudTokenPath).toBe(stsIAMRoleARN === undefined ? undefined : tokenPath);
    expect(spec.providerSpec).toEqual({ kind: "P", ...(stsIAMRoleARN !== undefined && { stsIAMRoleARN }) });
  });

  it("of Google put in the pool, and nothing where there is none", () => {
    expect(wifHook({})(request(), operator)).toEqual(request());
    expect(wifHook(wif)(request(), operator).spec.providerSpec).toEqual({
      kind: "P",
      poolID: "pool",
      providerID: "idp",
      serviceAccountEmail: "a@b",
      audience: "//iam.googleapis.com/projects/12/locations/global/workloadIdentityPools/pool/providers/idp",
    });
  });

  it("of Google refuse half of a pool, and say what is missing", () => {
    expect(() => wifHook({ POOL_ID: "pool", PROVIDER_ID: "" })(request(), operator)).toThrow(
      /are missing: PROJECT_NUMBER, PROVIDER_ID, SERVICE_ACCOUNT_EMAIL$/,
    );
  });
});

describe("the controller", () => {
  let world: OperatorWorld;
  let client: MirroredClient;

  beforeEach(() => {
    world = new OperatorWorld();
    client = new MirroredClient(credentialsRequests, cloudCredentials);
  });

  function controller(env: Environment = {}) {
    const { informers } = client;
    const mapper = { ...client.mapper, ...informers.mapper };
    const hooks = [stsHook(env), wifHook(env)];
    return credentialsRequestController(
      { ...world.deps, client, mapper, informers, env },
      { name: "Credentials", request: request(), secretNamespace: "drivers", hooks },
    );
  }

  const key = "credentialsrequests/openshift-cloud-credential-operator/efs";
  const made = () => client.objects.get(key) as CredentialsRequest | undefined;
  const provisioned = (isProvisioned: boolean) =>
    client.set("credentialsrequests", {
      ...(made() as CredentialsRequest),
      status: { provisioned: isProvisioned, lastSyncGeneration: 1 },
    } as CredentialsRequest);

  it("asks once, and says what has come of it", async () => {
    await world.runFor(controller(), async () => {
      expect(made()?.spec.secretRef).toEqual({ name: "cloud-credentials", namespace: "drivers" });
      expect(world.conditions).toContain(
        "CredentialsAvailable=False/CredentialsNotProvisionedYet: Credentials not yet provisioned by cloud-credential-operator",
      );
      expect(world.conditions).toContain(
        "CredentialsProgressing=True/CredentialsNotProvisionedYet: Waiting for cloud-credential-operator to provision the credentials",
      );
      provisioned(true);
      await world.settle();
      expect(world.conditions).toContain("CredentialsAvailable=True/: ");
      expect(world.conditions).toContain("CredentialsProgressing=False/: ");
    });
  });

  it("undoes what somebody changes in the request", async () => {
    await world.runFor(controller(), async () => {
      client.set("credentialsrequests", {
        ...(made() as CredentialsRequest),
        spec: { secretRef: { name: "elsewhere" } },
      } as CredentialsRequest);
      await world.settle();
      expect(made()?.spec.secretRef.name).toBe("cloud-credentials");
    });
  });

  it("asks for nothing in manual mode, and is available all the same; with a role it asks", async () => {
    client.set("cloudcredentials", mode("Manual"));
    await world.runFor(controller(), async () => {});
    expect(client.requests).toEqual([]);
    expect(world.conditions).toContain(
      "CredentialsAvailable=True/CredentialsDisabled: No role for short time token provided",
    );
    expect(world.conditions).toContain("CredentialsProgressing=False/AsExpected: ");
    await world.runFor(controller({ ROLEARN: "arn" }), async () => {});
    expect(made()?.spec.providerSpec).toMatchObject({ stsIAMRoleARN: "arn" });
  });

  it("says nothing where nobody hears such requests, and asks when somebody does", async () => {
    client.informers.missing.add("credentialsrequests").add("cloudcredentials");
    await world.runFor(controller(), async () => {
      expect(client.requests).toEqual([]);
      expect(world.conditions).toEqual(["CredentialsDegraded=False/AsExpected: "]);
      client.informers.missing.clear();
      await world.clock.advance(60_000);
      await world.settle();
      expect(made()).toBeDefined();
    });
  });

  it("sends nothing when a hook fails, and is degraded", async () => {
    await world.runFor(controller({ POOL_ID: "pool" }), async () => {});
    expect(client.requests).toEqual([]);
    expect(world.conditions[0]).toMatch(/^CredentialsDegraded=True\/SyncError: cluster Workload Identity Federation/);
  });
});

// needs: cli driver-operator
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTemporaryAws, stderrProgress, type TemporaryAws } from "@stowage/lab";
import { events, infrastructures, namespaces, persistentVolumes, secrets } from "@stowage/machinery";
import { hostedControlPlanes } from "@stowage/operator";
import {
  guestOperatorRules,
  hostedOperatorRules,
  loadDriverProfile,
  readDriverAssets,
} from "@stowage/operators/csi-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { StowageProcess } from "../node/kubelet/stowage-process.ts";
import { createAccount } from "../operators/driver-operator/operator-account.ts";
import {
  allDefinitions,
  type OperatorCluster,
  startOperatorCluster,
} from "../operators/driver-operator/operator-cluster.ts";
import { createDriver, namespace } from "../operators/driver-operator/platform.ts";
import { images, RunningOperator, requestText } from "../operators/driver-operator/running-operator.ts";
import { hostedDefinition } from "../operators/hosted/hosted-definition.ts";
import { type Efs, efsAt, makeVolume, type Tags, volumeTags } from "./aws-tags/tagged-cloud.ts";
import { type Ec2Call, ec2At, makeMany } from "./destroy/ec2-calls.ts";
import { startThrottlingProxy, type ThrottlingProxy } from "./destroy/throttling-proxy.ts";

// The operators of EBS and of EFS on a hosted cluster whose tags change, before a real API server and moto's AWS: EBS as a role that a
// token is good for, EFS by keys. Management cluster and guest are one API server here, told apart by namespace and account.

const VOLUMES = 70;
const controlPlane = "clusters-guest";
const driverImages = { ...images, TOOLS_IMAGE: "registry.test/tools:1" };
const gone = "vol-0123456789abcdef0";
const hashes = { ebs: "ebs.openshift.io/volume-tags-hash", efs: "efs.openshift.io/access-point-tags-hash" };

let cluster: OperatorCluster;
let aws: TemporaryAws;
let proxy: ThrottlingProxy;
let ec2: Ec2Call;
let efs: Efs;
let ebsIds: string[];
let accessPoints: string[];
const ebs = new StowageProcess();
let efsOperator: RunningOperator;

beforeAll(async () => {
  [cluster, aws] = await Promise.all([startOperatorCluster(), startTemporaryAws(stderrProgress)]);
  proxy = await startThrottlingProxy(aws.url, (request) => request % 7 === 0);
  ec2 = ec2At(aws.url);
  efs = await efsAt(aws.url);
  await cluster.install(...allDefinitions, hostedDefinition);
  ebsIds = await makeMany(VOLUMES, () => makeVolume(ec2));
  accessPoints = [await efs.makeAccessPoint(), await efs.makeAccessPoint()];
  await becomeHosted();
  for (const [index, id] of [...ebsIds, gone].entries()) await createVolume(`ebs-${index}`, "ebs.csi.aws.com", id);
  await createVolume("other", "other.test", ebsIds[0] ?? "");
  for (const id of accessPoints) await createVolume(id, "efs.csi.aws.com", `fs-1::${id}`);
  await createVolume("whole", "efs.csi.aws.com", "fs-1");
  await startEbs();
  efsOperator = new RunningOperator(cluster, await loadDriverProfile("aws-efs"));
  await efsOperator.start({ ...driverImages, AWS_ENDPOINT_URL: aws.url });
}, 300_000);
afterAll(async () => {
  await Promise.all([ebs.stop(), efsOperator?.stop()]);
  await proxy?.[Symbol.asyncDispose]();
  await Promise.all([aws?.stop(), cluster?.[Symbol.asyncDispose]()]);
});

/** As HyperShift leaves it, with the credentials of both drivers. */
async function becomeHosted(): Promise<void> {
  const { client } = cluster;
  const labels = { "hypershift.openshift.io/managed": "true" };
  await client.create(infrastructures, {
    metadata: { name: "cluster", labels },
    spec: { platformSpec: { type: "AWS" } },
  });
  await setTags({});
  for (const name of ["ebs.csi.aws.com", "efs.csi.aws.com"]) await createDriver(cluster, name);
  await client.create(namespaces, { metadata: { name: namespace } });
  const tokenFile = join(cluster.folder, "token");
  writeFileSync(tokenFile, "header.claims.signature");
  const role = `[default]\nrole_arn = arn:aws:iam::123456789012:role/ebs\nweb_identity_token_file = ${tokenFile}\n`;
  const keys = { aws_access_key_id: "test", aws_secret_access_key: "test-secret" };
  await client.create(secrets, {
    metadata: { name: "ebs-cloud-credentials", namespace },
    stringData: { credentials: role },
  });
  await client.create(secrets, { metadata: { name: "aws-efs-cloud-credentials", namespace }, stringData: keys });
}

async function setTags(tags: Tags): Promise<void> {
  const resourceTags = Object.entries(tags).map(([key, value]) => ({ key, value }));
  const status = {
    infrastructureName: "guest-x7",
    controlPlaneTopology: "External",
    infrastructureTopology: "HighlyAvailable",
    platformStatus: { type: "AWS", aws: { region: "us-east-1", resourceTags } },
  };
  const patch = { type: "merge", patch: { status } } as const;
  await cluster.client.patch(infrastructures, { name: "cluster" }, patch, { subresource: "status" });
}

async function createVolume(name: string, driver: string, volumeHandle: string): Promise<void> {
  await cluster.client.create(persistentVolumes, {
    metadata: { name },
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], csi: { driver, volumeHandle } },
  });
}

const ebsAccounts = {
  management: { operatorName: "aws-ebs-csi-driver-operator", namespace: controlPlane },
  guest: { operatorName: "hosted-guest", namespace },
};

async function startEbs(): Promise<void> {
  const profile = await loadDriverProfile("aws-ebs");
  const assets = readDriverAssets(profile);
  const own = await createAccount(cluster, ebsAccounts.management, hostedOperatorRules(profile, assets, controlPlane));
  const guest = await createAccount(cluster, ebsAccounts.guest, guestOperatorRules(profile, assets));
  await cluster.client.create(hostedControlPlanes, { metadata: { name: "guest", namespace: controlPlane } });
  const flags = ["--kubeconfig", own, "--guest-kubeconfig", guest, "--namespace", controlPlane];
  ebs.start(["driver-operator", "aws-ebs", ...flags], {
    ...driverImages,
    AWS_ENDPOINT_URL: aws.url,
    AWS_ENDPOINT_URL_EC2: proxy.url,
  });
}

const hashOf = async (name: string, annotation: string) =>
  (await cluster.client.get(persistentVolumes, { name })).metadata.annotations?.[annotation];
const tagsOfOurs = async () => {
  const found = await volumeTags(ec2);
  return ebsIds.map((id) => found.get(id) ?? {});
};
const calls = (action: string) => proxy.passed.filter((request) => request.action === action);
const all = (tags: Tags) => Array.from({ length: VOLUMES }, () => tags);

describe("tags that a hosted cluster on AWS gets later", () => {
  it("are those of its volumes of EBS too, in batches, with what is gone told apart", async () => {
    await setTags({ team: "shop", cost: "7" });
    await eventually(async () =>
      expect(await tagsOfOurs(), ebs.log.slice(-2_000)).toEqual(all({ team: "shop", cost: "7" })),
    );
    // `printf 'cost=7;team=shop;' | sha256sum`
    const hash = "3a9d0c693f8cca1495dc1d8e7862117d9160193e8f85c44f8a841ea8f88a7858";
    await eventually(async () => {
      const found = await Promise.all(ebsIds.map((_, index) => hashOf(`ebs-${index}`, hashes.ebs)));
      expect(new Set(found)).toEqual(new Set([hash]));
    });
    const sizes = calls("CreateTags").map(
      ({ fields }) => [...fields.keys()].filter((key) => key.startsWith("Resource")).length,
    );
    expect(Math.max(...sizes)).toBe(50);
    expect(await hashOf(`ebs-${VOLUMES}`, hashes.ebs)).toBeUndefined();
    expect(await hashOf("other", hashes.ebs)).toBeUndefined();
  });

  it("are those of its access points of EFS", async () => {
    for (const id of accessPoints) {
      await eventually(async () =>
        expect(await efs.tagsOf(id), efsOperator.log.slice(-2_000)).toEqual({ team: "shop", cost: "7" }),
      );
      await eventually(async () => expect(await hashOf(id, hashes.efs)).toHaveLength(64));
    }
    expect(await hashOf("whole", hashes.efs)).toBeUndefined();
  });

  it("may change once more, and those that are gone stay where they are", async () => {
    await setTags({ team: "kitchen" });
    const [id = ""] = accessPoints;
    await eventually(async () => expect(await tagsOfOurs()).toEqual(all({ team: "kitchen", cost: "7" })));
    await eventually(async () => expect(await efs.tagsOf(id)).toEqual({ team: "kitchen", cost: "7" }));
  });

  it("are not asked for again by volumes that have them", async () => {
    await eventually(async () => expect(await hashOf("ebs-0", hashes.ebs)).toMatch(/^[0-9a-f]{64}$/u));
    const before = calls("CreateTags").length;
    const id = await makeVolume(ec2);
    await ec2("CreateTags", { "ResourceId.1": id, "Tag.1.Key": "team", "Tag.1.Value": "hall" });
    await createVolume("tagged", "ebs.csi.aws.com", id);
    await setTags({ team: "hall" });
    await eventually(async () => expect(await hashOf("tagged", hashes.ebs)).toMatch(/^[0-9a-f]{64}$/u));
    const asked = calls("CreateTags")
      .slice(before)
      .flatMap(({ fields }) => [...fields.values()]);
    expect(asked).toContain(ebsIds[0]);
    expect(asked).not.toContain(id);
  });

  it("are told by an event when AWS refuses them for one, and the others get them all the same", async () => {
    const reasons = async () => (await cluster.client.list(events, {})).items.map(({ reason }) => reason);
    const [full = "", ...others] = ebsIds;
    // As many as AWS allows.
    for (let index = 0; index < 50; index++) {
      await ec2("CreateTags", { "ResourceId.1": full, "Tag.1.Key": `own-${index}`, "Tag.1.Value": "x" }).catch(
        () => {},
      );
    }
    await setTags({ floor: "attic" });
    await eventually(async () => expect(await reasons(), ebs.log.slice(-2_000)).toContain("EBSVolumeTagsUpdateFailed"));
    await eventually(async () => {
      const found = await volumeTags(ec2);
      expect(new Set(others.map((id) => found.get(id)?.["floor"]))).toEqual(new Set(["attic"]));
      expect(found.get(full)?.["floor"]).toBeUndefined();
    });
    expect(proxy.throttled).toBeGreaterThan(0);
    expect(`${ebs.log}${efsOperator.log}`).not.toMatch(/test-secret|header\.claims/u);
  });

  it("are set with exactly the rights that the operators are deployed with", () => {
    const accounts = Object.values(ebsAccounts).map((each) => `${each.namespace}:${each.operatorName}`);
    const users = accounts.map((account) => `system:serviceaccount:${account}`);
    const asked = [...cluster.audit.requests(({ user }) => users.includes(user)), ...efsOperator.requests()];
    expect(asked.filter(({ isAllowed }) => !isAllowed).map(requestText)).toEqual([]);
    expect(asked.map(requestText)).toContain("patch persistentvolumes ebs-0");
  });
});

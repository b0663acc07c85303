import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { namespaces, persistentVolumeClaims, pods } from "@stowage/machinery";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allDefinitions, type OperatorCluster, startOperatorCluster } from "./driver-operator/operator-cluster.ts";
import { namespace } from "./driver-operator/platform.ts";
import { type FrontServer, startFrontServer } from "./must-gather/front-server.ts";
import { type Gathering, leaksIn, runGathering } from "./must-gather/gathering.ts";
import { createSecretFixtures, logOfDriver, secretValues } from "./must-gather/secret-fixtures.ts";

const PODS = 2_000;
const users = "of-users";

let cluster: OperatorCluster;
let front: FrontServer;
/** With a server that does what it should. */
let whole: Gathering;

beforeAll(async () => {
  cluster = await startOperatorCluster();
  await cluster.install(...allDefinitions);
  for (const name of [namespace, users]) await cluster.client.create(namespaces, { metadata: { name } });
  await createSecretFixtures(cluster);
  await createPods(cluster);
  front = await startFrontServer(cluster.kubeconfigPath, logsOfKubelet);
  whole = await gathered("whole");
});
afterAll(async () => {
  await front?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  front.fateOf = () => "pass";
});

function gathered(name: string, ...words: string[]): Promise<Gathering> {
  return runGathering({ folder: cluster.folder, name, server: front.url }, ...words);
}

/** As kubelet would answer; the container before was too long ago. */
function logsOfKubelet({ searchParams }: URL): string | undefined {
  if (searchParams.has("previous")) return undefined;
  return searchParams.has("sinceSeconds") ? "ended\n" : logOfDriver;
}

async function createPods({ client }: OperatorCluster): Promise<void> {
  const names = Array.from({ length: PODS }, (_, index) => `pod-${index}`).values();
  const work = async () => {
    for (const name of names) {
      await client.create(pods, {
        metadata: { name, namespace: users },
        spec: {
          containers: [{ name: "c", image: "registry.test/c:1", env: [{ name: "FILLING", value: "x".repeat(4_000) }] }],
          volumes: [{ name: "v", persistentVolumeClaim: { claimName: "shared" } }],
        },
      });
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  await client.create(persistentVolumeClaims, {
    metadata: { name: "shared", namespace: users },
    spec: { accessModes: ["ReadWriteMany"], resources: { requests: { storage: "1Gi" } } },
  });
}

describe("must-gather on a cluster with 2,000 Pods", () => {
  it("is complete, says so, and needs little memory and time", () => {
    expect([whole.summary.missing, whole.exitCode, whole.err]).toEqual([[], 0, ""]);
    expect(whole.out).toMatch(/^Complete\./u);
    console.info(`${whole.files.length} files in ${Math.round(whole.tookMs)} ms, ${front.count()} requests`);
    expect(whole.files.filter((file) => file.startsWith(`namespaces/${users}/pods/`))).toHaveLength(PODS);
  });

  it.each([
    "cluster-scoped-resources/operator.openshift.io/clustercsidrivers/local.csi.stowage.dev.yaml",
    "cluster-scoped-resources/config.openshift.io/proxies/cluster.yaml",
    "cluster-scoped-resources/storage.k8s.io/storageclasses/odd.yaml",
    "cluster-scoped-resources/core/persistentvolumes/odd.yaml",
    "cluster-scoped-resources/apiextensions.k8s.io/customresourcedefinitions/storages.operator.openshift.io.yaml",
    "cluster-scoped-resources/rbac.authorization.k8s.io/clusterroles/system:node.yaml",
    `namespaces/${namespace}/${namespace}.yaml`,
    `namespaces/${namespace}/apps/deployments/operator.yaml`,
    `namespaces/${namespace}/core/configmaps/copied.yaml`,
    `namespaces/${namespace}/core/secrets/credentials.yaml`,
    `namespaces/${namespace}/pods/driver/driver.yaml`,
    `namespaces/${namespace}/pods/driver/csi-driver/csi-driver/logs/current.log`,
    `namespaces/${users}/core/persistentvolumeclaims/shared.yaml`,
    "namespaces/default/pods/of-a-user/of-a-user.yaml",
  ])("has %s", (path) => {
    expect(whole.files).toContain(path);
  });

  it("has no value of a secret in any file", () => {
    expect(leaksIn(whole, secretValues)).toEqual([]);
  });

  it("keeps what is not secret, so that the rest can be read", () => {
    const map = whole.read(`namespaces/${namespace}/core/configmaps/copied.yaml`);
    for (const kept of ["[Global]", "region = here", "last: kept", "somebody wrote redacted here"]) {
      expect(map).toContain(kept);
    }
    const pod = whole.read(`namespaces/${namespace}/pods/driver/driver.yaml`);
    expect(pod).toContain("value: here");
    expect(pod).toContain("--v=2");
    expect(pod).not.toContain("managedFields");
    const secret = whole.read(`namespaces/${namespace}/core/secrets/credentials.yaml`);
    expect(secret).toContain("password: redacted");
    expect(secret).toContain("empty: ''");
    const log = whole.read(`namespaces/${namespace}/pods/driver/csi-driver/csi-driver/logs/current.log`);
    expect(log).toBe("started\nlogged in with redacted\nended\n");
    const storageClass = whole.read("cluster-scoped-resources/storage.k8s.io/storageclasses/odd.yaml");
    expect(storageClass).toContain("provisioner-secret-name: credentials");
  });

  it("takes further namespaces, and only what is recent", async () => {
    const more = await gathered("more", "--namespace", users, "--since", "1h");
    expect(more.exitCode).toBe(0);
    expect(more.files).toContain(`namespaces/${users}/core/configmaps/kube-root-ca.crt.yaml`);
    const log = more.read(`namespaces/${namespace}/pods/driver/csi-driver/csi-driver/logs/current.log`);
    expect(log).toBe("ended\n");
    expect(leaksIn(more, secretValues)).toEqual([]);
  });

  it("does not write into a folder that has something in it", async () => {
    await expect(gathered("whole")).resolves.toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("is not empty"),
    });
  });
});

describe("must-gather with an API server that fails", () => {
  it("every third request is complete all the same, and has no value of a secret", async () => {
    // Each second time in the middle of the answer.
    front.fateOf = (count) => (count % 3 !== 0 ? "pass" : count % 2 === 0 ? "drop" : "cut");
    const dropped = await gathered("dropped");
    console.info(`with every third request dropped: ${Math.round(dropped.tookMs)} ms`);
    expect([dropped.summary.missing, dropped.exitCode]).toEqual([[], 0]);
    expect(withoutPassing(dropped)).toEqual(withoutPassing(whole));
    expect(leaksIn(dropped, secretValues)).toEqual([]);
  });

  it("for half of its APIs says what is missing and why, has the rest, and no value of a secret", async () => {
    const failing =
      /^\/apis\/(?:apps|storage\.k8s\.io|operator\.openshift\.io)\/|\/persistentvolumes\?|\/secrets\?|\/log\?/u;
    front.fateOf = (_, path) => (failing.test(path) ? 503 : "pass");
    const half = await gathered("half");
    expect(half.exitCode).toBe(3);
    expect(half.out).toMatch(/^INCOMPLETE: /u);
    const missing = half.summary.missing.map(({ what }) => what);
    expect(missing).toEqual(
      expect.arrayContaining([
        "clustercsidrivers.operator.openshift.io",
        "persistentvolumes",
        "storageclasses.storage.k8s.io",
        `deployments.apps in ${namespace}`,
        `secrets in ${namespace}`,
        `log of ${namespace}/driver csi-driver`,
      ]),
    );
    for (const { why } of half.summary.missing) expect(why).toContain("503");
    // Whatever is not there is of something that is told.
    const lost = withoutPassing(whole).filter((file) => !half.files.includes(file));
    expect(lost.filter((file) => !isTold(file, missing))).toEqual([]);
    expect(half.files).toContain(`namespaces/${users}/core/persistentvolumeclaims/shared.yaml`);
    // Nobody knows which values to look for.
    expect(half.summary.isStrict).toBe(true);
    expect(leaksIn(half, secretValues)).toEqual([]);
  });

  it("to say what it has asks for the usual, and tells so", async () => {
    front.fateOf = (_, path) => (path === "/apis" ? 500 : "pass");
    const guessed = await gathered("guessed");
    expect(guessed.exitCode).toBe(3);
    expect(guessed.summary.missing.map(({ what }) => what)).toEqual(["the list of APIs; the usual ones are asked for"]);
    expect(guessed.files).toContain(`namespaces/${namespace}/apps/deployments/operator.yaml`);
    expect(leaksIn(guessed, secretValues)).toEqual([]);
  });

  it("altogether ends with a summary that says so", async () => {
    front.fateOf = () => "drop";
    const nothing = await gathered("nothing");
    expect(nothing.exitCode).toBe(3);
    expect(nothing.summary.missing.length).toBeGreaterThan(20);
    expect(nothing.files).toEqual([]);
  });
});

describe("must-gather that does not come to its end", () => {
  /** After so many requests: there are files by then, and more to come. */
  const MIDDLE = 40;
  const signalled = (name: string, signal: NodeJS.Signals) => {
    const server = front.url;
    return runGathering({
      folder: cluster.folder,
      name,
      server,
      onStart(child) {
        const from = front.count();
        front.fateOf = (count) => {
          if (count - from === MIDDLE) child.kill(signal);
          return "pass";
        };
      },
    });
  };
  const missingOf = ({ summary }: Gathering) => summary.missing.map(({ what }) => what);

  it("says so when it is stopped, and has what there was by then", async () => {
    const stopped = await signalled("stopped", "SIGINT");
    expect(stopped.exitCode).toBe(130);
    expect(missingOf(stopped)).toContain("everything that was not gathered before it was stopped");
    expect(stopped.out).toMatch(/^INCOMPLETE: /u);
    expect(stopped.files.length).toBeGreaterThan(0);
    expect(leaksIn(stopped, secretValues)).toEqual([]);
  });

  it("has said so beforehand when it is killed", async () => {
    const killed = await signalled("killed", "SIGKILL");
    expect(killed.exitCode).toBeNull();
    expect(killed.summary.isComplete).toBe(false);
    expect(missingOf(killed)).toEqual(["everything that is not in this folder"]);
    expect(killed.read("summary.txt")).toMatch(/^INCOMPLETE: 1 missing\./u);
  });

  it("says so when the disk is full", async () => {
    const disk = join(cluster.folder, "disk");
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", disk]);
    try {
      const full = await runGathering({ folder: disk, name: "full", server: front.url });
      expect(full.exitCode).toBe(1);
      expect(full.err).toContain("cannot be written to (ENOSPC)");
      expect(full.out).toMatch(/^INCOMPLETE: /u);
      expect(full.out).toContain("everything that was not gathered before it failed");
      // There may be no room for the one that says more.
      expect(full.summary.isComplete).toBe(false);
      expect(full.files.length).toBeGreaterThan(0);
    } finally {
      execFileSync("umount", ["-l", disk]);
    }
  });
});

/** What comes and goes while one looks. */
function withoutPassing({ files }: Gathering): string[] {
  return files.filter((file) => !/\/(?:events\.yaml|leases\/)/u.test(file));
}

/** `namespaces/n/apps/deployments/x.yaml` is told by `deployments.apps in n`. */
function isTold(file: string, missing: readonly string[]): boolean {
  const parts = file.split("/");
  const [scope, first = "", second = "", third = ""] = parts;
  const nameOf = (group: string, plural: string) => (group === "core" ? plural : `${plural}.${group}`);
  if (scope === "cluster-scoped-resources") return missing.includes(nameOf(first, second));
  if (second === "pods") return file.endsWith(".log") && missing.some((what) => what.startsWith("log of "));
  const name = nameOf(second, third);
  return missing.includes(`${name} in ${first}`) || missing.includes(name);
}

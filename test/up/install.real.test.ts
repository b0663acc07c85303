// needs: cli
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createRestMapper } from "@stowage/kube";
import { importImage, runInImage, tagImage } from "@stowage/lab";
import {
  clusterOperators,
  clusterRoles,
  clusterVersions,
  deployments,
  namespaces,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, type LabCluster, startCluster } from "../node/kubelet/cluster.ts";
import { mounted, pod } from "../node/kubelet/pods.ts";
import { listEverything, nameOf, type ServerObject } from "../platforms/platforms/server-objects.ts";
import { chart, type Installer, installer, kustomizeFolder } from "./install/installer.ts";
import { shareMounts } from "./install/machine-mounts.ts";
import { type OwnImages, place, tag, version, writeOwnImages } from "./install/own-images.ts";

// Stowage as an administrator brings it to a cluster: our own images in a real containerd, put there by a real Helm and a real kustomize, and
// all the way to a Pod that writes to a volume.

const run = promisify(execFile);
const stowageSources = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
const PATIENCE_MS = 600_000;
const namespace = "stowage";
const name = "stowage-version-operator";
const ofKubernetes = new Set(["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet"]);
/** For a chart that is rendered without a cluster: a Helm that was built without its Makefile takes it for 1.20. */
const kubernetes = ["--kube-version", "1.36.0"];
const own = (image: string, at = tag) => `${place}/${image}:${at}`;

// A kubelet mounts and changes the network: that needs root.
describe.skipIf(process.getuid?.() !== 0)("Stowage on a plain cluster (needs root)", () => {
  const cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "install-"));
  let cluster: LabCluster;
  let images: OwnImages;
  let typed: Installer;
  let before: ReadonlySet<string>;

  beforeAll(async () => {
    cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
    images = cleanUp.use(await writeOwnImages());
    cleanUp.use(shareMounts());
    cluster = cleanUp.use(await startCluster({ kubeletFolder: "/var/lib/kubelet" }));
    typed = await installer(cluster.kubeconfigPath, folder);
    await importImage(cluster.lab.dir, images.archive);
    before = new Set(await objectNames());
  }, PATIENCE_MS);
  afterAll(() => cleanUp.disposeAsync(), PATIENCE_MS);

  const values = (...more: string[]) =>
    [`image.place=${place}`, "image.pullPolicy=Never", "platform=local", ...more].flatMap((value) => ["--set", value]);

  const kubectl = async (...words: string[]) => {
    const given = ["--kubeconfig", cluster.kubeconfigPath, ...words];
    return (await run(cluster.kubectlPath, given, { maxBuffer: 1 << 26 })).stdout;
  };

  /** Every object, field by field, by the server itself; nothing is kept. */
  const strictly = async (text: string) => {
    const file = join(folder, "strict.yaml");
    writeFileSync(file, text);
    return kubectl("apply", "--dry-run=server", "--validate=strict", "--filename", file);
  };

  async function awaitAvailable(): Promise<void> {
    await eventually(async () => {
      const { status } = await cluster.client.get(clusterVersions, { name: "version" });
      expect(status?.history?.[0]).toMatchObject({ state: "Completed", version });
      const { status: operator } = await cluster.client.get(clusterOperators, { name: "storage" });
      expect(operator?.conditions).toContainEqual(expect.objectContaining({ type: "Available", status: "True" }));
      expect(operator?.conditions).toContainEqual(expect.objectContaining({ type: "Progressing", status: "False" }));
    }, PATIENCE_MS);
  }

  const stowage = async (...words: string[]) => {
    const given = [stowageSources, ...words, "--kubeconfig", cluster.kubeconfigPath];
    return (await run(process.execPath, given)).stdout;
  };

  /** Written by somebody else than Kubernetes itself, whose programs may make theirs at any time; and no events. */
  const objectNames = async () => {
    const all = await listEverything({ client: cluster.client, mapper: createRestMapper({ client: cluster.client }) });
    const isOfOthers = ({ object: { metadata } }: ServerObject) =>
      metadata.managedFields?.some(({ manager = "" }) => !ofKubernetes.has(manager)) ?? true;
    return all.filter((each) => each.type.plural !== "events" && isOfOthers(each)).map(nameOf);
  };

  const storageOperatorImages = async () => {
    const place = { namespace: "openshift-cluster-storage-operator", name: "cluster-storage-operator" };
    const { spec } = await cluster.client.get(deployments, place);
    return spec?.template.spec?.containers.map(({ image }) => image);
  };

  it("its images run in containerd, as somebody who is not root", async () => {
    const answer = await runInImage(cluster.lab.dir, own("stowage"), ["stowage", "--version"]);
    expect(answer.trim()).toBe(version);
    const user = await runInImage(cluster.lab.dir, own("stowage"), ["node", "-p", "process.getuid()"]);
    expect(user.trim()).toBe("65532");
  });

  it("the chart and the base are what a server takes, field by field", async () => {
    await cluster.client.create(namespaces, { metadata: { name: namespace } });
    const rendered = await typed.helm(
      "template",
      "stowage",
      chart,
      "--namespace",
      namespace,
      ...kubernetes,
      ...values(),
    );
    expect(await strictly(rendered)).toContain(`deployment.apps/${name} created`);
    await kubectl("create", "namespace", "openshift-cluster-version");
    for (const base of ["base", "local"]) {
      const built = await typed.kustomize("build", join(kustomizeFolder, base));
      expect(await strictly(built)).toContain(`deployment.apps/${name} created`);
    }
  });

  it("the chart refuses to guess where the images are, and values that it does not know", async () => {
    const template = (...more: string[]) => typed.helm("template", "stowage", chart, ...kubernetes, ...more);
    await expect(template()).rejects.toThrow("image.place must say where the images of Stowage are");
    await expect(template(...values(), "--set", "paltform=local")).rejects.toThrow("paltform");
  });

  it(
    "Helm brings it, and a Pod writes to a volume",
    async () => {
      await typed.helm("install", "stowage", chart, "--namespace", namespace, ...values(`image.tag=${tag}`));
      await awaitAvailable();
      expect(await storageOperatorImages()).toEqual([own("stowage"), own("kube-rbac-proxy")]);
      await cluster.client.create(persistentVolumeClaims, {
        metadata: { namespace: cluster.namespace, name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "64Mi" } } },
      });
      await cluster.create(pod("writer", [mounted("data")]));
      await eventually(async () => {
        const { status } = await cluster.client.get(pods, { namespace: cluster.namespace, name: "writer" });
        expect(status?.phase, JSON.stringify(status?.conditions)).toBe("Running");
      }, PATIENCE_MS);
      expect(await cluster.shell("writer", "date > /data/written && cat /data/written")).not.toBe("");
    },
    PATIENCE_MS,
  );

  it(
    "an upgrade brings every part to the other image",
    async () => {
      for (const reference of Object.keys(images.digests)) {
        await tagImage(cluster.lab.dir, reference, reference.replace(`:${tag}`, ":next"));
      }
      await typed.helm("upgrade", "stowage", chart, "--namespace", namespace, ...values("image.tag=next"));
      await eventually(async () => {
        expect(await storageOperatorImages()).toEqual([own("stowage", "next"), own("kube-rbac-proxy", "next")]);
        const node = { namespace: "openshift-cluster-csi-drivers", name: "stowage-local-csi-driver-operator" };
        const { spec, status, metadata } = await cluster.client.get(deployments, node);
        expect(spec?.template.spec?.containers[0]?.image).toBe(own("stowage", "next"));
        expect(status).toMatchObject({ observedGeneration: metadata.generation, updatedReplicas: 1, readyReplicas: 1 });
      }, PATIENCE_MS);
      // What was written is still there.
      expect(await cluster.shell("writer", "cat /data/written")).not.toBe("");
    },
    PATIENCE_MS,
  );

  it(
    "an end leaves nothing that Helm made, and volumes work on without it",
    async () => {
      await typed.helm("uninstall", "stowage", "--namespace", namespace, "--wait");
      expect(await cluster.client.find(clusterRoles, { name })).toBeUndefined();
      const kinds = "all,serviceaccounts,roles,rolebindings,secrets";
      await eventually(async () => {
        expect(await kubectl("get", kinds, "--namespace", namespace, "--output", "name")).not.toContain("stowage");
      }, PATIENCE_MS);
      expect(await cluster.shell("writer", "date > /data/written && cat /data/written")).not.toBe("");
    },
    PATIENCE_MS,
  );

  it(
    "kustomize takes it over, and goes again",
    async () => {
      const overlay = join(folder, "overlay");
      writeOverlay(overlay);
      const file = join(folder, "built.yaml");
      writeFileSync(file, await typed.kustomize("build", overlay));
      await kubectl("apply", "--filename", file);
      await eventually(async () => {
        const { status } = await cluster.client.get(deployments, { namespace: "openshift-cluster-version", name });
        expect(status).toMatchObject({ readyReplicas: 1 });
      }, PATIENCE_MS);
      await awaitAvailable();
      expect(await storageOperatorImages()).toEqual([own("stowage", "next"), own("kube-rbac-proxy", "next")]);
      await kubectl("delete", "--filename", file, "--wait");
      expect(await cluster.client.find(namespaces, { name: "openshift-cluster-version" })).toBeUndefined();
      expect(await cluster.client.find(clusterRoles, { name })).toBeUndefined();
    },
    PATIENCE_MS,
  );

  it(
    "nothing is removed while a volume is left",
    async () => {
      await expect(stowage("uninstall", "--yes")).rejects.toThrow("1 PersistentVolumes are left");
      await cluster.remove("writer");
      await cluster.client.delete(persistentVolumeClaims, { namespace: cluster.namespace, name: "data" });
      await eventually(
        async () => expect((await cluster.client.list(persistentVolumes)).items).toEqual([]),
        PATIENCE_MS,
      );
    },
    PATIENCE_MS,
  );

  it(
    "what it would remove is told first, and in the end nothing is left that was not there before",
    async () => {
      await expect(stowage("uninstall")).rejects.toMatchObject({
        code: 3,
        stdout: expect.stringContaining("Namespace openshift-cluster-csi-drivers"),
      });
      expect(await stowage("uninstall", "--yes")).toContain(
        "removed CustomResourceDefinition clusterversions.config.openshift.io",
      );
      await cluster.client.delete(namespaces, { name: namespace });
      await eventually(
        async () => expect((await objectNames()).filter((found) => !before.has(found))).toEqual([]),
        PATIENCE_MS,
      );
    },
    PATIENCE_MS,
  );

  it(
    "`stowage up` brings it from nothing to a Pod that has written, and it goes again",
    async () => {
      await stowage("up", "--image", own("stowage"), "--platform", "local", "--yes", "--timeout", "9m");
      expect(await kubectl("logs", "--namespace", "demo", "writer")).toMatch(/^\d{4}-\d\d-\d\dT/u);
      await cluster.client.delete(namespaces, { name: "demo" });
      await eventually(
        async () => expect((await cluster.client.list(persistentVolumes)).items).toEqual([]),
        PATIENCE_MS,
      );
      await stowage("uninstall", "--yes");
      await eventually(
        async () => expect((await objectNames()).filter((found) => !before.has(found))).toEqual([]),
        PATIENCE_MS,
      );
    },
    PATIENCE_MS,
  );
});

/** The image is set in one place. */
function writeOverlay(overlay: string): void {
  mkdirSync(overlay);
  const resource = relative(realpathSync(overlay), join(kustomizeFolder, "local"));
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: [resource],
    images: [{ name: "stowage", newName: `${place}/stowage`, newTag: "next" }],
  };
  writeFileSync(join(overlay, "kustomization.yaml"), JSON.stringify(kustomization));
}

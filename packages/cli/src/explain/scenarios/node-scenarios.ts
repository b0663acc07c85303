import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Container, csiNodes, deployments, type Pod, persistentVolumeClaims, pods } from "@stowage/machinery";
import type { Scenario } from "../fixtures/scenario.ts";
import type { Scene } from "../fixtures/scene.ts";
import type { TestDriver } from "../fixtures/test-driver.ts";

const main = fileURLToPath(new URL("../../main.ts", import.meta.url));

const sidecars = ["provisioner", "attacher"] as const;

/** What goes wrong on a node that runs Pods. */
export const nodeScenarios: readonly Scenario[] = [
  {
    cause: "SIDECAR_IMAGE_UNAVAILABLE",
    when: "nobody has the image of the driver's controller",
    make: (scene) => deployed(scene, { image: "example.org/nobody-has-it:1" }),
    evidence: /Pod shop-\d+\/controller-\S+ status\.containerStatuses\[csi-provisioner\] \w*(?:Image|Pull)\w*/u,
    mend: /kubectl describe pod controller-/u,
  },
  {
    cause: "SIDECAR_CRASHES",
    when: "the driver's controller ends again and again",
    make: (scene) => deployed(scene, { command: ["sh", "-c", "exit 3"] }),
    evidence: /CrashLoopBackOff|Error/u,
    mend: /kubectl logs controller-\S+ -n shop-\d+ -c csi-provisioner --previous/u,
  },
  {
    cause: "CREATE_VOLUME_REFUSED",
    when: "the provisioner is in a Pod, whose log says it too",
    async make(scene) {
      const fault = { method: "CreateVolume", kind: "fail", code: "INTERNAL", message: "disk 7 is broken" } as const;
      const driver = await scene.driver({ sidecars: [], faults: [fault] });
      const kubeconfig = scene.cluster.kubeconfigPath;
      const args = [
        "--csi-address",
        driver.endpoint,
        "--kubeconfig",
        kubeconfig,
        "--retry-interval-start=100ms",
        "--v=5",
      ];
      const command = [process.execPath, main, "sidecar", "provisioner", ...args];
      return deployed(
        scene,
        { command: [...command, "--leader-election", "--leader-election-namespace=default"] },
        driver,
      );
    },
    evidence: /Pod shop-\d+\/controller-\S+ log of csi-provisioner .*disk 7 is broken/u,
    mend: /kubectl describe persistentvolumeclaim data -n shop-\d+/u,
  },
  {
    cause: "POD_IMAGE_UNAVAILABLE",
    when: "nobody has the image of the Pod that is asked about",
    make: (scene) => alone(scene, { image: "example.org/nobody-has-it:1" }),
    evidence: /Pod shop-\d+\/web status\.containerStatuses\[main\] \w*(?:Image|Pull)\w*/u,
    mend: /kubectl describe pod web -n shop-\d+/u,
  },
  {
    cause: "POD_CRASHES",
    when: "the Pod that is asked about ends again and again",
    make: (scene) => alone(scene, { command: ["sh", "-c", "exit 3"] }),
    evidence: /CrashLoopBackOff|Error/u,
    mend: /kubectl logs web -n shop-\d+ -c main --previous/u,
  },
  {
    cause: "STAGE_REFUSED",
    when: "the driver cannot make the volume ready on the node",
    async make(scene) {
      const fault = { method: "NodeStageVolume", kind: "fail", code: "INTERNAL", message: "bad superblock" } as const;
      await used(scene, await scene.driver({ faults: [fault], sidecars }));
      return ["pod", "web"];
    },
    evidence: /Pod shop-\d+\/web FailedMount MountVolume\.MountDevice failed .*bad superblock/u,
    mend: /kubectl describe pod web -n shop-\d+/u,
  },
  {
    cause: "MOUNT_REFUSED",
    when: "the driver cannot mount the volume for the Pod",
    async make(scene) {
      const fault = { method: "NodePublishVolume", kind: "fail", code: "INTERNAL", message: "target is busy" } as const;
      await used(scene, await scene.driver({ faults: [fault], sidecars }));
      return ["pod", "web"];
    },
    evidence: /Pod shop-\d+\/web FailedMount MountVolume\.SetUp failed .*target is busy/u,
    mend: /kubectl describe pod web -n shop-\d+/u,
  },
  {
    cause: "NODE_SECRET_MISSING",
    when: "the volume names a Secret for the node that nobody made",
    async make(scene) {
      const parameters = {
        "csi.storage.k8s.io/node-stage-secret-name": "luks",
        "csi.storage.k8s.io/node-stage-secret-namespace": scene.namespace,
      };
      await used(scene, await scene.driver({ sidecars }), parameters);
      return ["pod", "web"];
    },
    evidence:
      /PersistentVolume pvc-\S+ spec\.csi\.nodeStageSecretRef shop-\d+\/luks\nSecret shop-\d+\/luks does not exist/u,
    mend: /kubectl create secret generic luks -n shop-\d+/u,
  },
  {
    cause: "NODE_WITHOUT_DRIVER",
    when: "the driver's Pod is not on the node of the Pod that needs it",
    async make(scene) {
      await used(scene, await scene.driver({ isRegistered: false, sidecars }));
      return ["pod", "web"];
    },
    evidence: /CSINode node-1 spec\.drivers/u,
    mend: /kubectl describe csinode node-1/u,
  },
];

/** A claim `data` of the driver and a Pod `web` that the scheduler puts on the node. */
async function used(scene: Scene, driver: TestDriver, parameters: Record<string, string> = {}): Promise<Pod> {
  const isKnown = ({ spec }: { spec: { drivers?: { name: string }[] } }) =>
    (spec.drivers ?? []).some(({ name }) => name === driver.name);
  if (driver.isRegistered) await scene.until(csiNodes, "node-1", isKnown);
  await scene.boundClaim("data", await scene.storageClass(driver, { parameters }));
  return await scene.client.create(pods, {
    metadata: { namespace: scene.namespace, name: "web" },
    spec: {
      containers: [
        {
          name: "main",
          image: "any",
          command: ["sh", "-c", "sleep 60"],
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        },
      ],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
      terminationGracePeriodSeconds: 0,
    },
  });
}

/** A Pod `web` without volumes. */
async function alone({ client, namespace }: Scene, own: Partial<Container>): Promise<readonly ["pod", string]> {
  const containers = [{ name: "main", image: "any", ...own }];
  const spec = { containers, terminationGracePeriodSeconds: 0 };
  await client.create(pods, { metadata: { namespace, name: "web" }, spec });
  return ["pod", "web"];
}

/** A driver whose provisioner is to run in a Deployment. */
async function deployed(scene: Scene, own: Partial<Container>, given?: TestDriver): Promise<readonly ["pvc", string]> {
  const driver = given ?? (await scene.driver({ sidecars: [] }));
  const labels = { app: "controller" };
  // The driver's socket and the kubeconfig are there.
  const path = dirname(driver.endpoint.slice("unix://".length));
  const volumes = [{ name: "driver", hostPath: { path } }];
  const volumeMounts = [{ name: "driver", mountPath: path }];
  const env = [{ name: "DRIVER", value: driver.name }];
  const container = { name: "csi-provisioner", image: "any", env, volumeMounts, ...own };
  await scene.client.create(deployments, {
    metadata: { namespace: scene.namespace, name: "controller" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container], volumes, terminationGracePeriodSeconds: 0 } },
    },
  });
  await scene.claim("data", { storageClassName: await scene.storageClass(driver) });
  await scene.until(persistentVolumeClaims, "data", () => true);
  return ["pvc", "data"];
}

import { type Container, configMaps, type PodSpec, pods, type Volume, type VolumeMount } from "@stowage/machinery";
import { container, createPod, isWaitingFor, runOnce, saying, untilContainer, untilTold } from "../pod-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";

const compares = [pods];
const events = ["Pod"];
const data: Volume = { name: "data", emptyDir: {} };
const files: Volume = { name: "files", configMap: { name: "map" } };
const at = (name: string, mountPath: string, more: Partial<VolumeMount> = {}): VolumeMount => ({
  name,
  mountPath,
  ...more,
});

async function makeMap(scene: Scene): Promise<void> {
  await scene.create(configMaps, { metadata: { name: "map" }, data: { one: "first", two: "second" } });
}

const runs = (name: string, spec: (scene: Scene) => PodSpec): Scenario => ({
  name,
  compares,
  events,
  async run(scene) {
    await makeMap(scene);
    await runOnce(scene, spec(scene));
  },
});

/** A container that cannot be, and says why. */
const refused = (name: string, mount: Partial<VolumeMount>, more: Partial<Container> = {}): Scenario => ({
  name,
  compares,
  events,
  eventCounts: false,
  async run(scene) {
    await makeMap(scene);
    const volumeMounts = [at("data", "/data", mount)];
    await createPod(scene, { volumes: [data], containers: [container("true", { volumeMounts, ...more })] });
    await untilContainer(scene, isWaitingFor("CreateContainerConfigError"));
    await untilTold(scene, "Failed");
  },
});

export const mountsInContainers: Scenario[] = [
  runs("a folder in files that are only read", () => ({
    volumes: [files, data],
    containers: [
      saying("ls /files; stat -c '%A %u %g' /files/inner; echo 1 > /files/inner/x; cat /files/one; touch /files/y", {
        volumeMounts: [at("data", "/files/inner"), at("files", "/files")],
      }),
    ],
  })),
  runs("folders in folders, the inner one named first", () => ({
    volumes: [data, { name: "other", emptyDir: {} }],
    containers: [
      saying("touch /a/b/c/inner /a/outer; ls /a /a/b /a/b/c", {
        volumeMounts: [at("other", "/a/b/c"), at("data", "/a")],
      }),
    ],
  })),
  runs("what can only be read, with all below it or without", () => ({
    volumes: [data],
    containers: [
      saying("touch /one/x; touch /two/x; touch /three/x", {
        volumeMounts: [
          at("data", "/one", { readOnly: true }),
          at("data", "/two", { readOnly: true, recursiveReadOnly: "Disabled" }),
          at("data", "/three"),
        ],
      }),
    ],
  })),
  runs("a group for what is of the machine is not set", (scene) => ({
    securityContext: { fsGroup: 12004, runAsUser: 12001 },
    volumes: [{ name: "data", hostPath: { path: scene.folder } }],
    containers: [saying("stat -c '%A %u %g' /data; id -G", { volumeMounts: [at("data", "/data")] })],
  })),
  refused("a part by a variable that leads up", { subPathExpr: "$(UP)" }, { env: [{ name: "UP", value: "../x" }] }),
  refused(
    "a part by a variable that begins at the root",
    { subPathExpr: "$(ALL)" },
    { env: [{ name: "ALL", value: "/etc" }] },
  ),
];

export const missingSources: Scenario[] = [
  {
    name: "several sources are not there",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await makeMap(scene);
      const sources = [
        { secret: { name: "none" } },
        { configMap: { name: "map" } },
        { configMap: { name: "neither" } },
      ];
      await createPod(scene, {
        volumes: [{ name: "data", projected: { sources } }],
        containers: [container("true", { volumeMounts: [at("data", "/data")] })],
      });
      await untilTold(scene, "FailedMount");
    },
  },
];

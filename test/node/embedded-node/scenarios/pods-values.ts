import { configMaps, type EnvVar, pods, secrets, services } from "@stowage/machinery";
import { container, createPod, isWaitingFor, runOnce, saying, untilContainer } from "../pod-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";

const compares = [pods];
const events = ["Pod"];
const field = (name: string, fieldPath: string): EnvVar => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const resource = (name: string, what: string, divisor = "1"): EnvVar => ({
  name,
  valueFrom: { resourceFieldRef: { resource: what, divisor } },
});

async function makeSources(scene: Scene): Promise<void> {
  await scene.create(configMaps, {
    metadata: { name: "map" },
    data: { colour: "blue", "not-a-name": "x", SIZE: "big" },
  });
  await scene.create(secrets, { metadata: { name: "hidden" }, stringData: { word: "open sesame", SIZE: "small" } });
}

export const environment: Scenario[] = [
  {
    name: "the environment of a container that wants nothing",
    compares,
    run: (scene) => runOnce(scene, { containers: [saying("env | grep -v ^KUBERNETES_ | sort")] }),
  },
  {
    name: "the services of the namespace are in the environment",
    compares,
    async run(scene) {
      const ports = [
        { name: "web", port: 80 },
        { name: "other-one", port: 81, protocol: "UDP" as const },
      ];
      await scene.create(services, { metadata: { name: "a-shop" }, spec: { selector: { app: "shop" }, ports } });
      await scene.create(services, { metadata: { name: "headless" }, spec: { clusterIP: "None", ports } });
      await runOnce(scene, { containers: [saying("env | grep SHOP | sort; env | grep -c HEADLESS")] });
    },
  },
  {
    name: "no services in the environment of a Pod that does not want them",
    compares,
    async run(scene) {
      await scene.create(services, { metadata: { name: "shop" }, spec: { ports: [{ port: 80 }] } });
      await runOnce(scene, { enableServiceLinks: false, containers: [saying("env | grep -c ^SHOP_")] });
    },
  },
  {
    name: "what is said of the Pod is in the environment",
    compares,
    run: (scene) =>
      runOnce(
        scene,
        {
          containers: [
            saying("env | grep ^P_ | sort", {
              env: [
                field("P_NAME", "metadata.name"),
                field("P_NAMESPACE", "metadata.namespace"),
                field("P_UID", "metadata.uid"),
                field("P_LABEL", "metadata.labels['app']"),
                field("P_NOTE", "metadata.annotations['example.org/note']"),
                field("P_NONE", "metadata.annotations['none']"),
                field("P_NODE", "spec.nodeName"),
                field("P_ACCOUNT", "spec.serviceAccountName"),
                field("P_IP", "status.podIP"),
                field("P_IPS", "status.podIPs"),
                field("P_HOST", "status.hostIP"),
                field("P_HOSTS", "status.hostIPs"),
              ],
            }),
          ],
        },
        { labels: { app: "shop" }, annotations: { "example.org/note": "a b" } },
      ),
  },
  {
    name: "what the container may use is in the environment",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [
          saying("env | grep ^R_ | sort", {
            resources: {
              requests: { cpu: "150m", memory: "70Mi", "ephemeral-storage": "5Mi" },
              limits: { cpu: "1500m", memory: "100Mi" },
            },
            env: [
              resource("R_CPU", "limits.cpu"),
              resource("R_CPU_MILLI", "limits.cpu", "1m"),
              resource("R_MEMORY", "limits.memory"),
              resource("R_MEMORY_MI", "requests.memory", "1Mi"),
              resource("R_REQUEST", "requests.cpu"),
              resource("R_STORAGE", "requests.ephemeral-storage", "1Ki"),
            ],
          }),
        ],
      }),
  },
  {
    name: "maps and secrets are in the environment",
    compares,
    events,
    async run(scene) {
      await makeSources(scene);
      await runOnce(scene, {
        containers: [
          saying("env | grep -v ^KUBERNETES_ | sort", {
            envFrom: [
              { configMapRef: { name: "map" } },
              { prefix: "S_", secretRef: { name: "hidden" } },
              { secretRef: { name: "hidden" } },
              { configMapRef: { name: "none", optional: true } },
            ],
            env: [
              { name: "COLOUR", valueFrom: { configMapKeyRef: { name: "map", key: "colour" } } },
              { name: "WORD", valueFrom: { secretKeyRef: { name: "hidden", key: "word" } } },
              { name: "NONE", valueFrom: { secretKeyRef: { name: "hidden", key: "none", optional: true } } },
              { name: "BOTH", value: "$(COLOUR)-$(WORD)-$(LATER)-$$(COLOUR)-$(SIZE)" },
              { name: "LATER", value: "late" },
            ],
          }),
        ],
      });
    },
  },
  {
    name: "arguments have variables of the container in them",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [
          {
            ...container(""),
            command: ["sh", "-c", 'echo "$0" "$@" > /dev/termination-log', "$(A)"],
            args: ["$(A)", "$$(A)", "$(NONE)", "x$(A)y"],
            env: [{ name: "A", value: "a b" }],
          },
        ],
      }),
  },
];

const wrong = (name: string, env: EnvVar): Scenario => ({
  name,
  compares,
  events,
  eventCounts: false,
  async run(scene) {
    await makeSources(scene);
    await createPod(scene, { containers: [container("exit 0", { env: [env] })] });
    await untilContainer(scene, isWaitingFor("CreateContainerConfigError"));
  },
});

export const wrongValues: Scenario[] = [
  wrong("a map that is not there", { name: "A", valueFrom: { configMapKeyRef: { name: "none", key: "a" } } }),
  wrong("a key that is not in the map", { name: "A", valueFrom: { configMapKeyRef: { name: "map", key: "none" } } }),
  wrong("a secret that is not there", { name: "A", valueFrom: { secretKeyRef: { name: "none", key: "a" } } }),
  wrong("a key that is not in the secret", { name: "A", valueFrom: { secretKeyRef: { name: "hidden", key: "none" } } }),
  {
    name: "all keys of a map that is not there",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, { containers: [container("", { envFrom: [{ configMapRef: { name: "none" } }] })] });
      await untilContainer(scene, isWaitingFor("CreateContainerConfigError"));
    },
  },
  {
    name: "a container starts when the map is there at last",
    compares,
    async run(scene) {
      const env = [{ name: "A", valueFrom: { configMapKeyRef: { name: "late", key: "a" } } }];
      await createPod(scene, { restartPolicy: "Never", containers: [saying("echo $A", { env })] });
      await untilContainer(scene, isWaitingFor("CreateContainerConfigError"));
      await scene.create(configMaps, { metadata: { name: "late" }, data: { a: "here" } });
      await untilContainer(scene, ({ state }) => state?.terminated !== undefined);
    },
  },
];

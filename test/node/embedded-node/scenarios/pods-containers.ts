import { imageReferences } from "@stowage/lab";
import { pods } from "@stowage/machinery";
import {
  container,
  createPod,
  isWaitingFor,
  isWaitingLonger,
  runOnce,
  saying,
  serving,
  untilContainer,
  untilPhase,
  untilReady,
  untilTold,
} from "../pod-objects.ts";
import type { Scenario } from "../scenario.ts";

const compares = [pods];
const events = ["Pod"];

export const surroundings: Scenario[] = [
  {
    name: "a container works in a folder, which is made",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [
          saying("pwd", { workingDir: "/tmp" }),
          saying("pwd; stat -c '%a %u %g' /made/for/it", { name: "other", workingDir: "/made/for/it" }),
        ],
      }),
  },
  {
    name: "a container runs as a user with groups",
    compares,
    run: (scene) =>
      runOnce(scene, {
        securityContext: { runAsUser: 12001, runAsGroup: 12002, fsGroup: 12004, supplementalGroups: [12003] },
        containers: [
          saying("id"),
          saying("id", { name: "other", securityContext: { runAsUser: 12005, runAsGroup: 12006 } }),
          saying("id", { name: "third", securityContext: { runAsUser: 0, runAsGroup: 0 } }),
        ],
      }),
  },
  {
    name: "a user without a group",
    compares,
    run: (scene) => runOnce(scene, { securityContext: { runAsUser: 12001 }, containers: [saying("id")] }),
  },
  {
    name: "a container that must not run as root",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, { securityContext: { runAsNonRoot: true }, containers: [container("exit 0")] });
      await untilContainer(scene, isWaitingFor("CreateContainerConfigError"));
    },
  },
  {
    name: "a container that must not run as root, and says that it would",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      const securityContext = { runAsNonRoot: true, runAsUser: 0 };
      await createPod(scene, { containers: [container("exit 0", { securityContext })] });
      await untilContainer(scene, isWaitingFor("CreateContainerConfigError"));
    },
  },
  {
    name: "a file system that can only be read",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [saying("touch /here", { securityContext: { readOnlyRootFilesystem: true } })],
      }),
  },
  {
    name: "what a container may do",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [
          saying("grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)' /proc/self/status"),
          saying("grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status", {
            name: "nothing",
            securityContext: { capabilities: { drop: ["ALL"] }, allowPrivilegeEscalation: false },
          }),
          saying("grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status", {
            name: "some",
            securityContext: { capabilities: { drop: ["ALL"], add: ["CHOWN", "NET_ADMIN"] } },
          }),
          saying("grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)' /proc/self/status", {
            name: "user",
            securityContext: { runAsUser: 12001 },
          }),
        ],
      }),
  },
  {
    name: "a Pod has a name for itself, and knows those of others",
    compares,
    run: (scene) =>
      runOnce(scene, {
        hostname: "front",
        subdomain: "shop",
        hostAliases: [{ ip: "192.0.2.1", hostnames: ["one", "two"] }],
        containers: [saying("hostname; cat /etc/hosts; cat /etc/hostname")],
      }),
  },
  {
    name: "a Pod is called as it is, for want of another name",
    compares,
    run: (scene) => runOnce(scene, { containers: [saying("hostname; cat /etc/hosts")] }),
  },
  {
    name: "names are looked up as the Pod says",
    compares,
    run: (scene) =>
      runOnce(scene, {
        dnsPolicy: "None",
        dnsConfig: { nameservers: ["192.0.2.53"], searches: ["example.org"], options: [{ name: "ndots", value: "2" }] },
        containers: [saying("cat /etc/resolv.conf")],
      }),
  },
  {
    name: "containers of a Pod see each other's processes when they are to",
    compares,
    run: (scene) =>
      runOnce(scene, {
        shareProcessNamespace: true,
        containers: [
          saying(
            "for i in 1 2 3 4 5 6 7 8; do grep -q mark[e]d /proc/[0-9]*/cmdline && echo seen && break; sleep 0.5; done",
          ),
          { ...container("", { name: "other" }), command: ["sh", "-c", "sleep 6; true", "marked"] },
        ],
      }),
  },
  {
    name: "resources of a Pod and of its containers",
    compares,
    run: (scene) =>
      runOnce(scene, {
        containers: [
          container("exit 0", { resources: { limits: { cpu: "200m", memory: "50Mi" } } }),
          container("exit 0", { name: "other", resources: { requests: { cpu: "10m" } } }),
        ],
      }),
  },
  {
    name: "a Pod that gets all that it asks for",
    compares,
    async run(scene) {
      const resources = { limits: { cpu: "20m", memory: "50Mi" } };
      await createPod(scene, { containers: [container(serving, { resources })] });
      await untilReady(scene);
    },
  },
];

const refused = (name: string, command: string[], more: object = {}): Scenario => ({
  name,
  compares,
  events,
  eventCounts: false,
  async run(scene) {
    await createPod(scene, { restartPolicy: "Never", containers: [{ ...container(""), command, ...more }] });
    await untilPhase(scene, "Failed");
  },
});

export const refusals: Scenario[] = [
  refused("a program that is not there", ["/no/such/program"]),
  refused("a program that is nowhere on the path", ["no-such-program", "argument"]),
  refused("a program that is a folder", ["/tmp"]),
  refused("a program that may not be run", ["/etc/passwd"]),
  {
    name: "a program that is not there is tried again",
    compares: [],
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, { containers: [{ ...container(""), command: ["/no/such/program"] }] });
      scene.show(await untilContainer(scene, isWaitingLonger));
      await untilTold(scene, "BackOff");
    },
  },
  {
    name: "a Pod that the node has no room for",
    compares,
    events,
    async run(scene) {
      const resources = { requests: { cpu: "1000" } };
      await createPod(scene, { nodeName: scene.nodeName, containers: [container("exit 0", { resources })] });
      await untilPhase(scene, "Failed");
    },
  },
  {
    name: "a Pod that does not want to be on the node",
    compares,
    events,
    async run(scene) {
      const nodeSelector = { "example.org/disk": "fast" };
      await createPod(scene, { nodeName: scene.nodeName, nodeSelector, containers: [container("exit 0")] });
      await untilPhase(scene, "Failed");
    },
  },
];

export const changes: Scenario[] = [
  {
    name: "a container whose image changes is started anew",
    compares,
    events,
    eventCounts: false,
    async run(scene) {
      await createPod(scene, { containers: [container(serving)] });
      await untilReady(scene);
      const patch = [{ op: "replace", path: "/spec/containers/0/image", value: imageReferences.busybox }] as const;
      await scene.client.patch(pods, { namespace: scene.namespace, name: "user" }, { type: "json", patch });
      await untilContainer(scene, ({ restartCount, state }) => restartCount === 1 && state?.running !== undefined);
    },
  },
  {
    name: "a Pod waits for what others say of it",
    compares,
    events,
    async run(scene) {
      await createPod(scene, {
        readinessGates: [{ conditionType: "example.org/open" }],
        containers: [container(serving)],
      });
      await untilContainer(scene, ({ ready }) => ready);
    },
  },
];

import { describe, expect, it } from "vitest";
import type { Settings } from "../cluster/settings.ts";
import { desiredComponent, desiredStages } from "./components.ts";
import { desiredContainerdConfig } from "./containerd.ts";
import { desiredKubeletConfig } from "./kubelet.ts";

const control: Settings = {
  level: "control",
  extraFlags: {},
  ports: {
    etcdClient: 1,
    etcdPeer: 2,
    apiServer: 3,
    controllerManager: 4,
    scheduler: 5,
    kubelet: 6,
    kubeletHealth: 7,
    proxyHealth: 8,
    proxyMetrics: 9,
  },
};
const node: Settings = {
  ...control,
  level: "node",
  kubeletFolder: "/lab/kubelet",
  machine: { address: "10.77.0.2", sysctls: {} },
};
const at = (settings: Settings) => ({ dir: "/lab", settings });
const namesOf = (settings: Settings) => desiredStages(at(settings)).map((stage) => stage.map(({ name }) => name));

describe("the components", () => {
  it("of the control level start after what they need", () => {
    expect(namesOf(control)).toEqual([["etcd"], ["kube-apiserver"], ["kube-controller-manager", "kube-scheduler"]]);
  });

  it("of the api level are the API server and its store alone", () => {
    expect(namesOf({ ...control, level: "api" })).toEqual([["etcd"], ["kube-apiserver"], []]);
  });

  it("of the node level are those and the node's", () => {
    expect(namesOf(node)).toEqual([
      ["etcd", "containerd"],
      ["kube-apiserver"],
      ["kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy"],
    ]);
  });

  it("listen on loopback or the lab's own address only, each on ports of its own", () => {
    const components = desiredStages(at(node)).flat();
    expect(components.map(({ host }) => host)).toSatisfy((hosts: string[]) =>
      hosts.every((host) => host === "127.0.0.1" || host === "10.77.0.2"),
    );
    const ports = components.flatMap((component) => component.ports);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it("get the extra flags after their own, so that these win", () => {
    const settings = { ...control, extraFlags: { "kube-apiserver": ["--v=4"] } };
    expect(desiredComponent(at(settings), "kube-apiserver").arguments.at(-1)).toBe("--v=4");
    expect(desiredComponent(at(settings), "etcd").arguments).not.toContain("--v=4");
  });

  it("are asked for by name only where the level has them", () => {
    expect(() => desiredComponent(at(control), "kubelet")).toThrow("a lab at the level control has no kubelet");
  });
});

describe("the API server", () => {
  it("is on loopback without endpoints at the control level", () => {
    const component = desiredComponent(at(control), "kube-apiserver");
    expect(component.probe).toMatchObject({ url: "https://127.0.0.1:3/readyz" });
    expect(component.arguments).toEqual(
      expect.arrayContaining(["--bind-address=127.0.0.1", "--secure-port=3", "--endpoint-reconciler-type=none"]),
    );
  });

  it("is at the node level on the address that Pods can reach", () => {
    const flags = desiredComponent(at(node), "kube-apiserver").arguments;
    expect(flags).toEqual(expect.arrayContaining(["--bind-address=10.77.0.2", "--advertise-address=10.77.0.2"]));
    expect(flags).not.toContain("--endpoint-reconciler-type=none");
  });
});

it("no component has a secret in its arguments", () => {
  const words = desiredStages(at(node))
    .flat()
    .flatMap((component) => component.arguments);
  expect(words.filter((word) => /token|password|BEGIN/i.test(word))).toEqual([]);
});

it("controllers and scheduler may ask as often as tests need", () => {
  for (const name of ["kube-controller-manager", "kube-scheduler"] as const) {
    const flags = desiredComponent(at(control), name).arguments;
    expect(flags).toEqual(
      expect.arrayContaining(["--kube-api-qps=500", "--kube-api-burst=1000", "--leader-elect=false"]),
    );
  }
});

it("the kubelet keeps its files and logs in the lab's folders", () => {
  expect(desiredComponent(at(node), "kubelet").arguments).toContain("--root-dir=/lab/kubelet");
  expect(desiredKubeletConfig(at(node))).toMatchObject({
    address: "10.77.0.2",
    port: 6,
    podLogsDir: "/lab/pod-logs",
    failCgroupV1: false,
  });
});

it("containerd's sockets have short paths, whatever the lab's folder is", () => {
  const config = desiredContainerdConfig(`/${"very-long/".repeat(20)}lab`);
  const address = /address = "(.*)"/.exec(config)?.[1] ?? "";
  expect(address).toMatch(/^\/run\/stowage-lab-[0-9a-f]{8}\/containerd\.sock$/);
});

import {
  type APIServer,
  apiServers,
  type Proxy as ClusterProxy,
  proxies,
  type TLSSecurityProfile,
} from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { MemoryInformers } from "../fixtures/memory-informers.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { configObserverController } from "./config-observer-controller.ts";
import {
  driverProxyPath,
  driverServingInfoPath,
  observedProxy,
  observedServingInfo,
  proxyObserver,
  storageProxyPath,
  tlsObserver,
} from "./config-observers.ts";
import { clearingPatch, differences } from "./config-tree.ts";
import { hasTrustedCaBundle } from "./trusted-ca.ts";

const proxy = (status: ClusterProxy["status"]): ClusterProxy => ({
  apiVersion: "config.openshift.io/v1",
  kind: "Proxy",
  metadata: { name: "cluster" },
  spec: { httpProxy: "http://in.the.spec" },
  status,
});

const apiServer = (tlsSecurityProfile?: TLSSecurityProfile): APIServer => ({
  apiVersion: "config.openshift.io/v1",
  kind: "APIServer",
  metadata: { name: "cluster" },
  spec: { tlsSecurityProfile },
});

const modern = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];

describe("a proxy", () => {
  test.each<[string, ClusterProxy | undefined, object | undefined]>([
    ["that the cluster does not have", undefined, undefined],
    ["without a status", proxy(undefined), undefined],
    ["with empty addresses", proxy({ httpProxy: "", httpsProxy: "", noProxy: "" }), undefined],
    [
      "with some addresses",
      proxy({ httpProxy: "http://p", noProxy: "a,b" }),
      { HTTP_PROXY: "http://p", NO_PROXY: "a,b" },
    ],
    [
      "with all addresses",
      proxy({ httpProxy: "http://p", httpsProxy: "http://s", noProxy: "a" }),
      { HTTP_PROXY: "http://p", HTTPS_PROXY: "http://s", NO_PROXY: "a" },
    ],
  ])("%s is observed from its status", (_case, object, expected) => {
    expect(observedProxy(object)).toEqual(expected);
  });
});

describe("a TLS profile", () => {
  const custom: TLSSecurityProfile = {
    type: "Custom",
    custom: { ciphers: ["AES128-SHA"], minTLSVersion: "VersionTLS11" },
  };

  test.each<[string, APIServer | undefined, string, number]>([
    ["nobody chose", undefined, "VersionTLS12", 9],
    ["is left out", apiServer(), "VersionTLS12", 9],
    ["is Old", apiServer({ type: "Old" }), "VersionTLS10", 24],
    ["is Intermediate", apiServer({ type: "Intermediate" }), "VersionTLS12", 9],
    ["is Modern", apiServer({ type: "Modern" }), "VersionTLS13", 3],
    ["is Custom", apiServer(custom), "VersionTLS11", 1],
    ["is Custom and empty", apiServer({ type: "Custom" }), "VersionTLS12", 9],
  ])("that %s gives a version and ciphers", (_case, object, minTLSVersion, ciphers) => {
    const observed = observedServingInfo(object);
    expect(observed.minTLSVersion).toBe(minTLSVersion);
    expect(observed.cipherSuites).toHaveLength(ciphers);
  });
});

test.each([
  ["nothing is there", undefined, { a: 1 }, undefined],
  ["all that is there is wanted", { a: 1 }, { a: 2, b: 1 }, undefined],
  ["something more is there", { a: 1, b: 1 }, { a: 1 }, { b: null }],
  ["something more is deep in it", { a: { b: 1, c: 1 } }, { a: { b: 1 } }, { a: { c: null } }],
  ["nothing is wanted", { a: 1 }, undefined, null],
])("the patch that clears, when %s", (_case, existing, wanted, patch) => {
  expect(clearingPatch(existing, wanted)).toEqual(patch);
});

it("a difference is told with its place, and without the password of a proxy", () => {
  const before = { proxy: { HTTP_PROXY: "http://user:hunter2@p:3128/" }, same: [1] };
  const after = { proxy: { HTTP_PROXY: "http://q", NO_PROXY: "a" }, same: [1] };
  expect(differences(before, after)).toEqual([
    'proxy.HTTP_PROXY: "http://***@p:3128/" -> "http://q"',
    'proxy.NO_PROXY: (none) -> "a"',
  ]);
});

test.each([
  [undefined, false],
  [{}, false],
  [{ data: { "ca-bundle.crt": "" } }, false],
  [{ data: { "other.crt": "x" } }, false],
  [{ data: { "ca-bundle.crt": "-----BEGIN CERTIFICATE-----" } }, true],
])("the ConfigMap %j has a trusted bundle: %s", (configMap, expected) => {
  expect(hasTrustedCaBundle(configMap)).toBe(expected);
});

describe("the config observer", () => {
  function observed(spec?: object) {
    const world = new OperatorWorld(spec);
    const informers = new MemoryInformers();
    const deps = { informers, mapper: informers.mapper };
    const observers = [proxyObserver(deps, driverProxyPath), tlsObserver(deps, driverServingInfoPath)];
    const controller = configObserverController({ ...world.deps, client: world.client }, { name: "EBS", observers });
    const config = () => world.server.spec.observedConfig as { targetcsiconfig: Record<string, unknown> } | undefined;
    return { world, informers, controller, config, deps };
  }

  it("writes what it sees once, tells of it, and follows", async () => {
    const { world, informers, controller, config } = observed();
    informers.set(proxies, proxy({ httpProxy: "http://p" }));
    informers.set(apiServers, apiServer({ type: "Modern" }));
    await world.runFor(controller, async () => {
      expect(config()).toEqual({
        targetcsiconfig: {
          proxy: { HTTP_PROXY: "http://p" },
          servingInfo: { minTLSVersion: "VersionTLS13", cipherSuites: modern },
        },
      });
      expect(world.requests).toEqual(["APPLY spec EBS-ConfigObserver", "APPLY status EBS-ConfigObserver"]);
      expect(world.conditions).toEqual(["ConfigObservationDegraded=False/: "]);
      await world.clock.advance(180_000);
      await world.settle();
      expect(world.requests).toHaveLength(2);
      informers.set(proxies, proxy({ httpProxy: "http://q" }));
      await world.settle();
      expect(config()?.targetcsiconfig["proxy"]).toEqual({ HTTP_PROXY: "http://q" });
    });
    expect(world.events.lines).toHaveLength(2);
    expect(world.events.lines[1]).toBe(
      'Normal ObservedConfigChanged Writing updated observed config: targetcsiconfig.proxy.HTTP_PROXY: "http://p" -> "http://q"',
    );
  });

  it("does without APIs that the cluster lacks, and without a word about it", async () => {
    const { world, informers, controller, config } = observed();
    informers.missing.add("proxies").add("apiservers");
    await world.runFor(controller, async () => {});
    expect(config()?.targetcsiconfig["servingInfo"]).toMatchObject({ minTLSVersion: "VersionTLS12" });
    expect(config()?.targetcsiconfig).not.toHaveProperty("proxy");
    expect(informers.watched).toEqual([]);
    expect(world.events.lines.filter((line) => line.startsWith("Warning"))).toEqual([]);
  });

  it("keeps what it saw while it cannot be told, and is degraded meanwhile", async () => {
    const { world, informers, controller, config } = observed();
    informers.set(proxies, proxy({ httpProxy: "http://p" }));
    await world.runFor(controller, async () => {
      informers.failure = new Error("the group does not answer");
      await world.clock.advance(61_000);
      await world.settle();
      expect(world.conditions).toEqual([
        "ConfigObservationDegraded=True/Error: the group does not answer\nthe group does not answer",
      ]);
      expect(config()?.targetcsiconfig["proxy"]).toEqual({ HTTP_PROXY: "http://p" });
      informers.failure = undefined;
      await world.clock.advance(61_000);
      await world.settle();
    });
    expect(world.conditions).toEqual(["ConfigObservationDegraded=False/: "]);
  });

  it("says that it could not write", async () => {
    const { world, controller } = observed();
    world.before = (request) => {
      if (request.startsWith("APPLY spec")) throw new Error("no rights");
    };
    await world.runFor(controller, async () => {});
    expect(world.conditions).toEqual([
      "ConfigObservationDegraded=True/Error: error writing updated observed config: no rights",
    ]);
    expect(world.events.lines).toContain("Warning ObservedConfigWriteError Failed to write observed config: no rights");
  });

  it("has the proxy of the storage operator in another place", async () => {
    const { world, informers, deps } = observed();
    informers.set(proxies, proxy({ httpProxy: "http://p" }));
    const observers = [proxyObserver(deps, storageProxyPath)];
    const controller = configObserverController(
      { ...world.deps, client: world.client },
      { name: "Storage", observers },
    );
    await world.runFor(controller, async () => {});
    expect(world.server.spec.observedConfig).toEqual({ targetconfig: { proxy: { HTTP_PROXY: "http://p" } } });
  });
});

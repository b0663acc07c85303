import { X509Certificate } from "node:crypto";
import { type ConfigMap, configMaps, deployments, type Secret, secrets } from "@stowage/machinery";
import { beforeEach, describe, expect, it, test } from "vitest";
import { MirroredClient } from "../fixtures/mirrored-client.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { dnsNamesOf, isIssuedBy, readBundle } from "./certificate-check.ts";
import { hasServiceCa } from "./service-ca.ts";
import { servingCertificatesController } from "./serving-certificates.ts";
import { type Authority, desiredAuthority, desiredServingPair } from "./serving-plan.ts";
import { servingRequestsOf } from "./serving-request.ts";

const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 1);
const yearMs = 365 * dayMs;

describe("an authority", () => {
  const first = desiredAuthority(undefined, "signer", startMs);

  const foreign = { ...first, key: desiredAuthority(undefined, "x", startMs).key };

  test.each<[string, boolean, Authority | undefined, number]>([
    ["in its youth", true, first, startMs + yearMs],
    ["after four fifths of its life", false, first, startMs + 4 * yearMs + 10 * dayMs],
    ["of another name", false, desiredAuthority(undefined, "other", startMs), startMs],
    ["with a key that is not its own", false, foreign, startMs],
    ["that cannot be read", false, { ...first, certificate: "?" }, startMs],
  ])("%s is kept: %s", (_case, isKept, existing, nowMs) => {
    expect(desiredAuthority(existing, "signer", nowMs).certificate === existing?.certificate).toBe(isKept);
  });

  it("that follows another is trusted together with it, until that one ends", () => {
    const second = desiredAuthority(first, "signer", startMs + 4 * yearMs + 10 * dayMs);
    expect(readBundle(second.bundle).map(String)).toEqual([second.certificate, first.certificate]);
    const later = desiredAuthority(second, "signer", startMs + 6 * yearMs);
    expect(later.certificate).toBe(second.certificate);
    expect(readBundle(later.bundle)).toHaveLength(1);
  });
});

describe("a serving certificate", () => {
  const authority = desiredAuthority(undefined, "signer", startMs);
  const dnsNames = ["a.ns.svc"];
  const first = desiredServingPair(undefined, { authority, dnsNames, nowMs: startMs });
  const another = desiredAuthority(undefined, "signer", startMs);

  test.each([
    ["will do in its youth", { authority, dnsNames, nowMs: startMs + 200 * dayMs }, true],
    ["is renewed after four fifths of its life", { authority, dnsNames, nowMs: startMs + 293 * dayMs }, false],
    ["is renewed for another name", { authority, dnsNames: ["b.ns.svc"], nowMs: startMs }, false],
    ["is renewed when nobody trusts its authority", { authority: another, dnsNames, nowMs: startMs }, false],
  ])("%s", (_case, wanted, isKept) => {
    expect(desiredServingPair(first, wanted) === first).toBe(isKept);
  });

  it("will do while its authority's successor is there already", () => {
    const nowMs = startMs + 4 * yearMs + 10 * dayMs;
    const issuedLate = desiredServingPair(undefined, { authority, dnsNames, nowMs: nowMs - 20 * dayMs });
    const successor = desiredAuthority(authority, "signer", nowMs);
    expect(desiredServingPair(issuedLate, { authority: successor, dnsNames, nowMs })).toBe(issuedLate);
  });

  it("does not outlive its authority", () => {
    const old = desiredServingPair(undefined, { authority, dnsNames, nowMs: startMs + 4.5 * yearMs });
    const [mine, its] = [new X509Certificate(old.certificate), new X509Certificate(authority.certificate)];
    expect(mine.validToDate).toEqual(its.validToDate);
  });
});

it("certificates are asked for by the annotation of a Service", () => {
  const annotations = { "service.beta.openshift.io/serving-cert-secret-name": "cert" };
  const object = (kind: string, metadata: object) => ({ apiVersion: "v1", kind, metadata });
  const requests = servingRequestsOf([
    object("Service", { name: "metrics", namespace: "ns", annotations }),
    object("Service", { name: "other", namespace: "ns" }),
    object("ConfigMap", { name: "metrics", namespace: "ns", annotations }),
  ]);
  expect(requests).toEqual([{ namespace: "ns", service: "metrics", secret: "cert" }]);
});

describe("the controller", () => {
  let world: OperatorWorld;
  let client: MirroredClient;

  beforeEach(() => {
    world = new OperatorWorld();
    client = new MirroredClient(secrets, configMaps);
    client.informers.missing.add("servicecas");
  });

  function controller(namespace = "ns") {
    const mapper = { ...client.mapper, ...client.informers.mapper };
    return servingCertificatesController(
      { ...world.deps, client, mapper, informers: client.informers },
      {
        name: "ServingCertificates",
        namespace: "ns",
        authoritySecret: "stowage-ca",
        bundleConfigMap: "bundle",
        requests: [{ namespace, service: "metrics", secret: "cert" }],
      },
    );
  }

  const secret = (name: string) => client.objects.get(`secrets/ns/${name}`) as Secret | undefined;
  const pemOf = (name: string, key = "tls.crt") => Buffer.from(secret(name)?.data?.[key] ?? "", "base64").toString();
  const bundle = () => (client.objects.get("configmaps/ns/bundle") as ConfigMap | undefined)?.data?.["service-ca.crt"];
  const writes = () => client.requests.filter((request) => !request.startsWith("GET"));

  it("makes an authority, says whom to trust, and issues, once", async () => {
    await world.runFor(controller(), async () => {
      expect(client.requests).toEqual([
        "GET deployments/openshift-service-ca/service-ca",
        "POST secrets/ns/stowage-ca",
        "POST configmaps/ns/bundle",
        "POST secrets/ns/cert",
      ]);
      expect(secret("cert")?.type).toBe("kubernetes.io/tls");
      const certificate = new X509Certificate(pemOf("cert"));
      expect(dnsNamesOf(certificate)).toEqual(["metrics.ns.svc", "metrics.ns.svc.cluster.local"]);
      expect(readBundle(bundle()).some((authority) => isIssuedBy(certificate, authority))).toBe(true);
      client.requests.length = 0;
      await world.clock.advance(dayMs / 8);
      await world.settle();
      expect(writes()).toEqual([]);
      expect(new Set(client.requests)).toEqual(new Set(["GET deployments/openshift-service-ca/service-ca"]));
    });
    expect(world.conditions).toEqual(["ServingCertificatesDegraded=False/AsExpected: "]);
  });

  it("issues for Services of other namespaces from the same authority", async () => {
    await world.runFor(controller("other"), async () => {
      expect(writes()).toEqual(["POST secrets/ns/stowage-ca", "POST configmaps/ns/bundle", "POST secrets/other/cert"]);
      client.requests.length = 0;
      await world.clock.advance(dayMs / 8);
      await world.settle();
      expect(writes()).toEqual([]);
    });
  });

  it("renews before the end, and makes anew what somebody spoils or deletes", async () => {
    await world.runFor(controller(), async () => {
      const authority = pemOf("stowage-ca");
      const certificate = pemOf("cert");
      // Only the clock goes on: a year has too many resyncs to be lived through.
      world.clock.nowMs = () => startMs + 345 * dayMs;
      await world.clock.advance(600_000);
      await world.settle();
      expect(pemOf("stowage-ca")).toBe(authority);
      expect(pemOf("cert")).not.toBe(certificate);
      client.remove(secrets, { namespace: "ns", name: "cert" });
      await world.settle();
      expect(secret("cert")).toBeDefined();
      const spoilt = { ...(secret("cert") as Secret), data: { "tls.crt": "", "tls.key": "" } };
      client.set("secrets", spoilt);
      await world.settle();
      expect(readBundle(bundle()).some((each) => isIssuedBy(new X509Certificate(pemOf("cert")), each))).toBe(true);
    });
  });

  it("does not replace what the local copy has not heard of yet", async () => {
    await world.runFor(controller(), async () => {});
    const before = [pemOf("stowage-ca"), pemOf("cert")];
    for (const name of ["stowage-ca", "cert"]) client.informers.delete(secrets, `ns/${name}`);
    await world.runFor(controller(), async () => {});
    expect([pemOf("stowage-ca"), pemOf("cert")]).toEqual(before);
  });

  it("leaves it to the service CA where there is one, by its API or by what runs", async () => {
    client.informers.missing.clear();
    await world.runFor(controller(), async () => {});
    expect(client.requests).toEqual([]);
    client.informers.missing.add("servicecas");
    const metadata = { namespace: "openshift-service-ca", name: "service-ca" };
    client.set("deployments", {
      apiVersion: "apps/v1",
      kind: deployments.kind,
      metadata,
      spec: { replicas: 1 },
    } as never);
    await world.runFor(controller(), async () => {});
    expect(writes()).toEqual([]);
  });

  it("finds a service CA by its API alone where it may not look at what runs", async () => {
    const { mapper } = client.informers;
    const { signal } = new AbortController();
    expect(await hasServiceCa({ mapper }, signal)).toBe(false);
    client.informers.missing.clear();
    expect(await hasServiceCa({ mapper }, signal)).toBe(true);
  });

  it("tells nobody a key", async () => {
    client.before = (request) => {
      if (request.startsWith("POST secrets/ns/cert")) throw new Error("refused: tls.key is wrong");
    };
    await world.runFor(controller(), async () => {});
    const told = [...world.events.lines, ...world.conditions].join("\n");
    expect(told).toContain("Secret/cert");
    expect(told).not.toMatch(/PRIVATE KEY|LS0tLS1CRUdJTiBQUklW/);
  });
});

import { hasErrorCode, StowageError } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { CloudAnswer, CloudHttp, CloudRequest } from "../cloud-config/index.ts";
import { availabilityZones } from "./availability-zones.ts";
import { parseCloudsFile } from "./clouds-file.ts";
import { createKeystone, tokenRequest } from "./keystone.ts";
import { createManila } from "./manila.ts";

const clouds = (auth: object, rest: object = {}) => JSON.stringify({ clouds: { openstack: { auth, ...rest } } });
const url = "https://cloud.test:5000/v3";

describe("a clouds.yaml", () => {
  it.each([
    ["https://cloud.test:5000", url],
    ["https://cloud.test:5000/", url],
    ["https://cloud.test:5000/v3/", url],
    ["https://cloud.test/identity/v2.0", "https://cloud.test/identity/v3"],
  ])("has Keystone at %s", (auth_url, expected) => {
    expect(parseCloudsFile(clouds({ auth_url, username: "u", password: "p" }), "here").authUrl).toBe(expected);
  });

  it.each([
    [
      { username: "u", password: 42, project_name: "p", user_domain_name: "D", project_domain_id: "d" },
      {
        identity: {
          methods: ["password"],
          password: { user: { name: "u", domain: { name: "D" }, password: "42" } },
        },
        scope: { project: { name: "p", domain: { id: "d" } } },
      },
    ],
    [
      { user_id: "i", password: "p", project_id: "q" },
      {
        identity: { methods: ["password"], password: { user: { id: "i", password: "p" } } },
        scope: { project: { id: "q" } },
      },
    ],
    [
      { application_credential_id: "i", application_credential_secret: "s", project_id: "passed over" },
      { identity: { methods: ["application_credential"], application_credential: { id: "i", secret: "s" } } },
    ],
    [
      { application_credential_name: "n", application_credential_secret: "s", username: "u" },
      {
        identity: {
          methods: ["application_credential"],
          application_credential: { name: "n", secret: "s", user: { name: "u", domain: { id: "default" } } },
        },
      },
    ],
  ])("says who we are (%#)", (auth, expected) => {
    const { credentials } = parseCloudsFile(clouds({ auth_url: url, ...auth }), "here");
    expect(tokenRequest(credentials)).toEqual({ auth: expected });
  });

  it.each([
    ["no YAML", "clouds: [hidden"],
    ["no cloud of that name", JSON.stringify({ clouds: { other: {} } })],
    ["no password", clouds({ auth_url: url, username: "hidden" })],
    [
      "no interface that there is",
      clouds({ auth_url: url, username: "u", password: "hidden" }, { interface: "hidden" }),
    ],
  ])("that has %s is refused without a word of it", (_, text) => {
    const attempt = () => parseCloudsFile(text, "Secret x");
    expect(attempt).toThrow(StowageError);
    expect(attempt).toThrow(/^Secret x: /u);
    expect(attempt).not.toThrow(/hidden/u);
  });
});

/** Answers as it is told, and remembers what it was asked. */
function cloudOf(answers: (request: CloudRequest, turn: number) => Partial<CloudAnswer>) {
  const asked: CloudRequest[] = [];
  const http: CloudHttp = async (request) => {
    asked.push(request);
    return { status: 200, headers: {}, body: {}, text: "", ...answers(request, asked.length) };
  };
  return { http, asked };
}

const catalog = [
  { type: "sharev2", endpoints: [{ interface: "internal", region: "one", url: "https://in" }] },
  {
    type: "sharev2",
    endpoints: [
      { interface: "public", region: "one", url: "https://one/v2/" },
      { interface: "public", region: "two", url: "https://two/v2" },
    ],
  },
];
const HOUR_MS = 3_600_000;
const token = (turn: number, nowMs: number): Partial<CloudAnswer> => ({
  status: 201,
  headers: { "x-subject-token": `token-${turn}` },
  body: { token: { expires_at: new Date(nowMs + HOUR_MS).toISOString(), catalog } },
});
const access = (rest: object = {}) =>
  parseCloudsFile(clouds({ auth_url: url, username: "u", password: "p" }, rest), "");
const signal = new AbortController().signal;

describe("Keystone", () => {
  const tokens = (asked: readonly CloudRequest[]) => asked.filter((request) => request.url.endsWith("/auth/tokens"));

  it("gives one token for many questions, and another one before it ends", async () => {
    const clock = { now: 0, nowMs: () => clock.now };
    const { http, asked } = cloudOf((request, turn) => (request.method === "POST" ? token(turn, clock.now) : {}));
    const keystone = createKeystone({ http, clock }, access());
    for (const nowMs of [0, HOUR_MS - 61_000, HOUR_MS - 60_000]) {
      clock.now = nowMs;
      await keystone.get({ what: "", url: "https://x" }, signal);
    }
    expect(tokens(asked)).toHaveLength(2);
    expect(asked.at(-1)?.headers?.["x-auth-token"]).toBe("token-4");
  });

  it("gives another token when a service no longer takes it, once", async () => {
    const { http, asked } = cloudOf((request, turn) => (request.method === "POST" ? token(turn, 0) : { status: 401 }));
    const keystone = createKeystone({ http, clock: { nowMs: () => 0 } }, access());
    const attempt = keystone.get({ what: "for x", url: "https://x" }, signal);
    await expect(attempt).rejects.toSatisfy((error) => hasErrorCode(error, "CLOUD_REFUSED"));
    expect(tokens(asked)).toHaveLength(2);
  });

  it.each([
    [{}, "https://one/v2"],
    [{ region_name: "two" }, "https://two/v2"],
    [{ interface: "internalURL" }, "https://in"],
  ])("knows where a service is (%j)", async (rest, expected) => {
    const { http } = cloudOf((_, turn) => token(turn, 0));
    const keystone = createKeystone({ http, clock: { nowMs: () => 0 } }, access(rest));
    expect(await keystone.endpointOf(["sharev2"], signal)).toBe(expected);
  });

  it("finds a service that was added after the token was given, for the catalogue comes with it", async () => {
    let current: readonly object[] = [];
    const { http, asked } = cloudOf((_, turn) => {
      const { body, ...rest } = token(turn, 0);
      const { token: given } = body as { token: object };
      return { ...rest, body: { token: { ...given, catalog: current } } };
    });
    const keystone = createKeystone({ http, clock: { nowMs: () => 0 } }, access());
    await expect(keystone.endpointOf(["sharev2"], signal)).rejects.toThrow("no public endpoint");
    expect(asked).toHaveLength(1);
    current = catalog;
    expect(await keystone.endpointOf(["sharev2"], signal)).toBe("https://one/v2");
    expect(asked).toHaveLength(2);
  });

  it("knows that there is no such service", async () => {
    const { http } = cloudOf((_, turn) => token(turn, 0));
    const keystone = createKeystone({ http, clock: { nowMs: () => 0 } }, access({ region_name: "three" }));
    const attempt = createManila(keystone).shareTypes(signal);
    await expect(attempt).rejects.toSatisfy((error) => hasErrorCode(error, "CLOUD_SERVICE_MISSING"));
  });
});

describe("the zones of a cloud", () => {
  const services = [
    { type: "compute", endpoints: [{ interface: "public", url: "https://nova/v2.1" }] },
    { type: "block-storage", endpoints: [{ interface: "public", url: "https://cinder/v3/p" }] },
  ];
  const zone = (zoneName: string, available = true) => ({ zoneName, zoneState: { available } });
  const keystoneWith = (bodies: Readonly<Record<string, unknown>>) => {
    const { http, asked } = cloudOf(({ method, url: address }, turn) => {
      const given = { ...token(turn, 0), body: { token: { expires_at: "2999-01-01T00:00:00Z", catalog: services } } };
      return method === "POST" ? given : { body: bodies[new URL(address).host] };
    });
    return { keystone: createKeystone({ http, clock: { nowMs: () => 0 } }, access()), asked };
  };

  it("are those of servers and those of volumes, as far as they are open", async () => {
    const { keystone, asked } = keystoneWith({
      nova: { availabilityZoneInfo: [zone("a"), zone("b", false)] },
      cinder: { availabilityZoneInfo: [zone("a"), zone("nova")] },
    });
    expect(await availabilityZones(keystone, signal)).toEqual({ compute: ["a"], volume: ["a", "nova"] });
    expect(asked.map((request) => request.url)).toEqual([
      `${url}/auth/tokens`,
      "https://nova/v2.1/os-availability-zone",
      "https://cinder/v3/p/os-availability-zone",
    ]);
  });

  it("are not guessed from an answer that is none", async () => {
    const { keystone } = keystoneWith({ nova: { availabilityZoneInfo: [] }, cinder: "<html>" });
    await expect(availabilityZones(keystone, signal)).rejects.toSatisfy((error) =>
      hasErrorCode(error, "CLOUD_REFUSED"),
    );
  });
});

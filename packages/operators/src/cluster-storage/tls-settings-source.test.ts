import { type APIServer, tlsSettingsOf } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { describe, expect, it } from "vitest";
import { hostedTlsSettings, operatorConfigText } from "./tls-settings-source.ts";

/** As whoever reads the file sees it. */
function read(text: string): object | undefined {
  return parseManifests({ name: "config.yaml", text: `${text}metadata: { name: x }\n` })[0];
}

describe("the configuration of an operator", () => {
  it("has the cluster's TLS settings, with ciphers by the names that Go has", () => {
    expect(read(operatorConfigText(tlsSettingsOf({ type: "Modern" })))).toMatchObject({
      apiVersion: "operator.openshift.io/v1alpha1",
      kind: "GenericOperatorConfig",
      servingInfo: {
        minTLSVersion: "VersionTLS13",
        cipherSuites: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"],
      },
    });
  });

  it("leaves the ciphers out where none is chosen", () => {
    const config = read(operatorConfigText({ minTLSVersion: "VersionTLS12", cipherSuites: [] }));
    expect(config).toMatchObject({ servingInfo: { minTLSVersion: "VersionTLS12" } });
    expect(JSON.stringify(config)).not.toContain("cipherSuites");
  });
});

describe("the TLS settings beside a hosted control plane", () => {
  const { signal } = new AbortController();
  const modern = { type: "Modern", modern: {} } as const;

  it.each<[string, APIServer["spec"] | undefined, string, string]>([
    ["intermediate where it says nothing", undefined, "VersionTLS12", "VersionTLS12"],
    ["its profile, but for operators", { tlsSecurityProfile: modern }, "VersionTLS13", "VersionTLS12"],
    [
      "its profile for everybody, when it asks for that",
      { tlsSecurityProfile: modern, tlsAdherence: "StrictAllComponents" },
      "VersionTLS13",
      "VersionTLS13",
    ],
  ])("are %s", async (_, apiServer, ofAll, ofOperators) => {
    const current = async () => ({ spec: { configuration: { apiServer } } });
    const settings = hostedTlsSettings({ current } as never);
    expect((await settings.current(signal)).minTLSVersion).toBe(ofAll);
    expect((await settings.ofOperators(signal)).minTLSVersion).toBe(ofOperators);
  });
});

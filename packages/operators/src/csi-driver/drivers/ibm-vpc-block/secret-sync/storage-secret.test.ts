import type { Secret } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { parseCloudConf } from "./cloud-conf.ts";
import { apiKeyOf, desiredStorageSecret } from "./storage-secret.ts";

const usual = [
  "[provider]",
  "accountID = acc",
  "region = eu-de",
  "g2ResourceGroupName = shop",
  "g2Credentials = /etc/vpc/ibmcloud_api_key",
];
const conf = (...more: string[]) => parseCloudConf([...usual, ...more, ""].join("\n"), "ConfigMap x/cloud-conf");

describe("the cloud's configuration", () => {
  it("has the public endpoints where it names none", () => {
    expect(conf()).toEqual({
      accountId: "acc",
      resourceGroupName: "shop",
      iamEndpoint: "https://iam.cloud.ibm.com",
      vpcEndpoint: "https://eu-de.iaas.cloud.ibm.com",
      resourceManagerEndpoint: "https://resource-controller.cloud.ibm.com",
    });
  });

  test.each([
    ["iamEndpointOverride", "iamEndpoint"],
    ["g2EndpointOverride", "vpcEndpoint"],
    ["rmEndpointOverride", "resourceManagerEndpoint"],
  ] as const)("may say %s", (key, field) => {
    expect(conf(`${key} = https://own.test`)[field]).toBe("https://own.test");
    expect(conf(`${key} = `)[field]).toBe(conf()[field]);
  });

  it.each(["accountID", "region", "g2ResourceGroupName"])("cannot do without %s", (key) => {
    const text = usual.filter((line) => !line.startsWith(key)).join("\n");
    expect(() => parseCloudConf(text, "ConfigMap x/cloud-conf")).toThrow(`ConfigMap x/cloud-conf does not say ${key}`);
  });

  it("needs no region where the endpoint is named", () => {
    const text = [...usual.filter((line) => !line.startsWith("region")), "g2EndpointOverride = https://own.test"];
    expect(parseCloudConf(text.join("\n"), "").vpcEndpoint).toBe("https://own.test");
  });
});

describe("the driver's credentials", () => {
  const fileOf = ({ data }: Secret) => Buffer.from(data?.["slclient.toml"] ?? "", "base64").toString("utf8");
  const desired = (apiKey: string) =>
    desiredStorageSecret({ conf: conf(), apiKey, resourceGroupId: "group-1", namespace: "drivers" });

  it("are a file of TOML, in a Secret of the name that the driver knows", () => {
    const secret = desired("key-1");
    expect(secret.metadata).toEqual({ name: "storage-secret-store", namespace: "drivers" });
    expect(fileOf(secret)).toBe(
      [
        "[vpc]",
        'iam_client_id = "bx"',
        'iam_client_secret = "bx"',
        'g2_token_exchange_endpoint_url = "https://iam.cloud.ibm.com"',
        'g2_riaas_endpoint_url = "https://eu-de.iaas.cloud.ibm.com"',
        'g2_resource_group_id = "group-1"',
        'g2_api_key = "key-1"',
        'provider_type = "g2"',
        "",
      ].join("\n"),
    );
  });

  it("are the same text for the same input, and a key with quotes stays one", () => {
    expect(desired("a")).toEqual(desired("a"));
    expect(fileOf(desired('a"\\b'))).toContain('g2_api_key = "a\\"\\\\b"\n');
  });

  it("need a key in the Secret, and the message has nothing of what else is in it", () => {
    const metadata = { name: "ibm-cloud-credentials", namespace: "drivers" };
    const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata, data: { ibmcloud_api_key: "a2V5" } };
    expect(apiKeyOf(secret)).toBe("key");
    const without = () => apiKeyOf({ ...secret, data: { other: "aGlkZGVu" } });
    expect(without).toThrow("Secret drivers/ibm-cloud-credentials has no key ibmcloud_api_key");
    expect(without).not.toThrow(/hidden|aGlkZGVu/u);
  });
});

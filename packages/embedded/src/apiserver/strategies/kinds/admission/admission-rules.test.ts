import { describe, expect, it } from "vitest";
import { mutatingWebhookRules, policyBindingRules, policyRules, validatingWebhookRules } from "./admission-rules.ts";

const selectors = { namespaceSelector: {}, objectSelector: {} };

describe("who else has a say", () => {
  it("is asked by webhooks with all that they left out", () => {
    const service = { namespace: "a", name: "s" };
    const sent = { webhooks: [{ name: "w", clientConfig: { service }, rules: [{}], timeoutSeconds: 3 }] };
    const expected = {
      name: "w",
      clientConfig: { service: { ...service, port: 443 } },
      rules: [{ scope: "*" }],
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      timeoutSeconds: 3,
      ...selectors,
    };
    expect(validatingWebhookRules.defaults?.(sent)).toEqual({ webhooks: [expected] });
    expect(mutatingWebhookRules.defaults?.(sent)).toEqual({ webhooks: [{ ...expected, reinvocationPolicy: "Never" }] });
    expect(validatingWebhookRules.defaults?.({})).toEqual({});
  });

  it("is what policies are about, where they say so", () => {
    const match = { resourceRules: [{}], excludeResourceRules: [{ scope: "Cluster" }] };
    const whole = {
      resourceRules: [{ scope: "*" }],
      excludeResourceRules: [{ scope: "Cluster" }],
      matchPolicy: "Equivalent",
      ...selectors,
    };
    expect(policyRules.defaults?.({ spec: { matchConstraints: match } })).toEqual({
      spec: { failurePolicy: "Fail", matchConstraints: whole },
    });
    expect(policyRules.defaults?.({ spec: {} })).toEqual({ spec: { failurePolicy: "Fail" } });
    expect(policyBindingRules.defaults?.({ spec: { matchResources: match } })).toEqual({
      spec: { matchResources: whole },
    });
  });
});

import { describe, expect, it } from "vitest";
import { desiredConfiguration } from "./webhook-configuration.ts";

describe("the registration of the webhook", () => {
  it.each([
    [undefined, undefined],
    ["PEM", "UEVN"],
  ])(
    "has the authority that we issue by, and leaves it to the service CA where there is one (%s)",
    (bundle, caBundle) => {
      const { metadata, webhooks } = desiredConfiguration("drivers", bundle);
      expect(metadata.annotations).toEqual({ "service.beta.openshift.io/inject-cabundle": "true" });
      expect(webhooks?.map(({ clientConfig }) => clientConfig.caBundle)).toEqual([caBundle]);
      expect(webhooks?.[0]?.clientConfig.service).toMatchObject({ namespace: "drivers", path: "/validate" });
    },
  );
});

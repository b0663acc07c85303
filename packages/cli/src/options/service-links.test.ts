import { expect, it } from "vitest";
import { serviceLinks } from "./service-links.ts";

it("tells what Kubernetes says of Services from what a person says of options", () => {
  const env = {
    STOWAGE_PORT: "tcp://10.96.0.7:443",
    STOWAGE_HEALTH_PORT: "udp://[fd00::7]:53",
    STOWAGE_PROXY_ENDPOINTS_PORT: "8643",
    STOWAGE_SERVER: "tcp://10.96.0.7:443",
    KUBERNETES_PORT: "tcp://10.96.0.1:443",
    STOWAGE_LOG_LEVEL: undefined,
  };
  expect(serviceLinks(env)).toEqual(["STOWAGE_PORT", "STOWAGE_HEALTH_PORT"]);
});

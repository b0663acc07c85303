import { fieldErrorText } from "@stowage/machinery/structural";
import { describe, expect, it } from "vitest";
import { type AddressPool, desiredAllocation } from "./service-allocation.ts";

const pool: AddressPool = {
  nextAddress: () => "10.96.1.2",
  nextPort: () => 30_001,
  addressProblem: (address) => (address === "10.96.9.9" ? "provided IP is already allocated" : undefined),
  portProblem: (port) => (port < 30_000 ? "provided port is not in the valid range" : undefined),
};

const service = (spec: object) => ({
  spec: { type: "ClusterIP", ports: [{ port: 80 }], selector: { a: "b" }, ...spec },
});

function allocated(spec: object, old?: object): unknown {
  const result = desiredAllocation(service(spec), old && service(old), pool);
  return "object" in result ? result.object["spec"] : result.errors.map(fieldErrorText);
}

describe("a Service", () => {
  it("gets an address of the one family that there is", () => {
    expect(allocated({})).toMatchObject({
      clusterIP: "10.96.1.2",
      clusterIPs: ["10.96.1.2"],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    });
  });

  it("that wants no address gets none", () => {
    expect(allocated({ clusterIP: "None" })).toMatchObject({ clusterIPs: ["None"], ipFamilies: ["IPv4"] });
    expect(allocated({ clusterIP: "None", selector: {} })).toMatchObject({ ipFamilies: ["IPv4", "IPv6"] });
  });

  it("keeps what it has when whoever updates it does not repeat it", () => {
    const old = {
      clusterIP: "10.96.5.5",
      clusterIPs: ["10.96.5.5"],
      type: "NodePort",
      ports: [{ port: 80, nodePort: 31_000 }],
    };
    expect(allocated({ type: "NodePort" }, old)).toMatchObject({
      clusterIP: "10.96.5.5",
      ports: [{ port: 80, nodePort: 31_000 }],
    });
  });

  it("has one port on the nodes for a port of two protocols", () => {
    const ports = [
      { name: "a", port: 80, protocol: "TCP" },
      { name: "b", port: 80, protocol: "UDP" },
    ];
    expect(allocated({ type: "NodePort", ports })).toMatchObject({
      ports: [{ nodePort: 30_001 }, { nodePort: 30_001 }],
    });
  });

  it("is refused what another has, and what nobody can have", () => {
    expect(allocated({ clusterIP: "10.96.9.9" })).toEqual([
      'spec.clusterIPs: Invalid value: ["10.96.9.9"]: failed to allocate IP 10.96.9.9: provided IP is already allocated',
    ]);
    expect(allocated({ type: "NodePort", ports: [{ port: 80, nodePort: 80 }] })).toEqual([
      "spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range",
    ]);
    expect(allocated({ ipFamilyPolicy: "RequireDualStack" })).toEqual([
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ]);
  });
});

import { type JsonObject } from "@stowage/machinery/apply";
import { internalError } from "../answers/index.ts";
import { fieldsOf, listOf, metadataOf, numberOf, specOf, textOf, textsOf } from "../strategies/index.ts";
import { invalidObject } from "../verbs/writes/write-errors.ts";
import { type AdmissionPlugin, isAbout, type ObjectAdmission } from "./admission-plugin.ts";
import type { ClusterObjects, ClusterResource } from "./cluster-objects.ts";
import { type AddressPool, desiredAllocation } from "./service-allocation.ts";

const services: ClusterResource = { group: "", plural: "services", namespaced: true };

/** The addresses of services, 10.96.0.0/16, and their ports on nodes. The first are left to those who ask for one of them. */
const range = { text: "10.96.0.0/16", prefix: "10.96.", first: 0x0101, size: 0x1_0000 };
const ports = { first: 30_000, firstGiven: 30_086, last: 32_767 };

/**
 * Gives Services their addresses and ports, in the same transaction in which they are written. What is taken is what the Services
 * have; the next one is counted on, so that no two of one moment get the same.
 */
export function serviceAddresses(): AdmissionPlugin {
  const counters = { address: range.first, port: ports.firstGiven - 1 };
  return {
    name: "ServiceAddresses",
    mutate(admission) {
      if (!isAbout(admission, "services")) return admission.object;
      return allocated(admission, counters);
    },
  };
}

interface Counters {
  address: number;
  port: number;
}

function allocated({ object, old, cluster, isDryRun }: ObjectAdmission, counters: Counters): JsonObject {
  const name = textOf(metadataOf(object)["name"]);
  const allocation = desiredAllocation(object, old, poolOf(cluster, counters, isDryRun));
  if ("object" in allocation) return allocation.object;
  throw invalidObject({ group: "", kind: "Service", name }, allocation.errors);
}

function poolOf(cluster: ClusterObjects, counters: Counters, isDryRun: boolean): AddressPool {
  const specs = cluster.list(services).map(specOf);
  const addresses = new Set(specs.flatMap((spec) => textsOf(spec["clusterIPs"])));
  const taken = new Set(specs.flatMap(portsOf));
  return {
    nextAddress() {
      do counters.address = counters.address + 1 < range.size - 1 ? counters.address + 1 : 1;
      while (addresses.has(addressAt(counters.address)));
      return addressAt(counters.address);
    },
    nextPort() {
      if (taken.size > ports.last - ports.first) throw internalError("failed to allocate a nodePort: range is full");
      do counters.port = counters.port < ports.last ? counters.port + 1 : ports.first;
      while (taken.has(counters.port));
      taken.add(counters.port);
      return counters.port;
    },
    addressProblem(address) {
      if (!address.startsWith(range.prefix)) {
        return isDryRun
          ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.text}`
          : "the provided network does not match the current range";
      }
      return addresses.has(address) ? "provided IP is already allocated" : undefined;
    },
    portProblem(port) {
      if (port < ports.first || port > ports.last) {
        return `provided port is not in the valid range. The range of valid ports is ${ports.first}-${ports.last}`;
      }
      return taken.has(port) ? "provided port is already allocated" : undefined;
    },
  };
}

function addressAt(index: number): string {
  return `${range.prefix}${index >> 8}.${index & 0xff}`;
}

function portsOf(spec: JsonObject): number[] {
  const all = [spec["healthCheckNodePort"], ...listOf(spec["ports"]).map((port) => fieldsOf(port)["nodePort"])];
  return all.map(numberOf).filter((port) => port !== undefined);
}

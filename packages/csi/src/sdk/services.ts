import type { DescMessage, DescMethodUnary, DescService, Message, MessageInitShape } from "@bufbuild/protobuf";
import { Controller, GroupController, Identity, Node } from "../generated/csi_pb.js";
import type { ServedMethod } from "./calls/served-method.ts";
import {
  type CapabilityOptions,
  controllerCapabilities,
  groupControllerCapabilities,
  nodeCapabilities,
  pluginCapabilities,
} from "./capabilities.ts";
import type { CallContext, Driver } from "./driver.ts";
import { controllerLocks, groupControllerLocks, nodeLocks } from "./requests/lock-subjects.ts";
import { controllerChecks, type FieldChecks, groupControllerChecks, nodeChecks } from "./requests/request-checks.ts";

/** A service with its methods as they are served; locks are shared by the methods of one service. */
export interface ServedService {
  readonly service: DescService;
  readonly methods: readonly ServedMethod[];
}

type Run = (request: Message, context: CallContext) => Promise<MessageInitShape<DescMessage>>;

interface ServiceParts {
  readonly service: DescService;
  /** The driver's functions, by method. */
  readonly functions?: object;
  /** Ours, for what is not the driver's to answer. */
  readonly derived: object;
  readonly checks?: object;
  readonly locks?: object;
  readonly quiet: readonly string[];
}

/** Answered only where the gate of 1.13 is open. */
const methodsSince13: ReadonlySet<string> = new Set([
  "controllerGetVolumeHealth",
  "controllerListVolumeHealth",
  "nodeGetVolumeHealth",
  "nodeGetStorageHealth",
]);

/** The services that a driver offers. A service that it lacks is not there at all, which gRPC answers with UNIMPLEMENTED. */
export function servedServices(driver: Driver, options: CapabilityOptions): ServedService[] {
  const parts: ServiceParts[] = [identityParts(driver, options)];
  if (driver.controller) {
    const controllerGetCapabilities = () => Promise.resolve(controllerCapabilities(driver, options));
    parts.push({
      service: Controller,
      functions: driver.controller,
      derived: { controllerGetCapabilities },
      checks: controllerChecks,
      locks: controllerLocks,
      quiet: ["controllerGetCapabilities"],
    });
  }
  if (driver.groupController) {
    const groupControllerGetCapabilities = () => Promise.resolve(groupControllerCapabilities(driver));
    parts.push({
      service: GroupController,
      functions: driver.groupController,
      derived: { groupControllerGetCapabilities },
      checks: groupControllerChecks,
      locks: groupControllerLocks,
      quiet: ["groupControllerGetCapabilities"],
    });
  }
  if (driver.node) {
    const nodeGetCapabilities = () => Promise.resolve(nodeCapabilities(driver, options));
    parts.push({
      service: Node,
      functions: driver.node,
      derived: { nodeGetCapabilities },
      checks: nodeChecks,
      locks: nodeLocks,
      quiet: ["nodeGetCapabilities", "nodeGetInfo", "nodeGetVolumeStats"],
    });
  }
  return parts.map((part) => servedService(part, options));
}

function identityParts(driver: Driver, options: CapabilityOptions): ServiceParts {
  const { name, vendorVersion, manifest = {} } = driver;
  return {
    service: Identity,
    derived: {
      getPluginInfo: () => Promise.resolve({ name, vendorVersion, manifest }),
      getPluginCapabilities: () => Promise.resolve(pluginCapabilities(driver, options)),
      probe: async (_: Message, context: CallContext) => ({ ready: (await driver.probe?.(context)) ?? true }),
    },
    quiet: ["getPluginInfo", "getPluginCapabilities", "probe"],
  };
}

function servedService(part: ServiceParts, options: CapabilityOptions): ServedService {
  const unary = part.service.methods.filter((method): method is DescMethodUnary => method.methodKind === "unary");
  const methods = unary.map(
    (method): ServedMethod => ({
      method,
      checks: (lookup(part.checks, method) ?? {}) as FieldChecks<Message>,
      lockSubject: lookup(part.locks, method) as ServedMethod["lockSubject"],
      isQuiet: part.quiet.includes(method.localName),
      run: isGated(method, options) ? undefined : findFunction(part, method),
    }),
  );
  return { service: part.service, methods };
}

/** A driver may be an object of a class: its functions keep their `this`. */
function findFunction({ functions, derived }: ServiceParts, method: DescMethodUnary): Run | undefined {
  const found = (lookup(derived, method) ?? lookup(functions, method)) as Run | undefined;
  return found?.bind(functions);
}

function isGated(method: DescMethodUnary, { gate13 }: CapabilityOptions): boolean {
  return gate13 !== true && methodsSince13.has(method.localName);
}

function lookup(table: object | undefined, method: DescMethodUnary): unknown {
  return table === undefined ? undefined : Reflect.get(table, method.localName);
}

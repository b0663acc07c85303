/**
 * A driver that stands in for any other: it has every capability, unless it is told which, and no storage. In reading order:
 *
 * - `mock-driver.ts`, `options.ts`: `createMockDriver` and what it can be told
 * - `backend/`: the storage system that it pretends to have, in memory or in a file that outlives the driver
 * - `controller/`, `node/`: the calls, with the codes and the idempotency that the specification asks for
 * - `faults/`: every call is recorded, and goes wrong when it was told to
 * - `control/`: a test's grip on all that, in the process (`MockControl`) or over HTTP (`startControlServer`)
 */
export type { Ailment, MockSnapshot, MockVolume } from "./backend/volume.ts";
export type { MockControl, MockState } from "./control/control.ts";
export { type ControlEndpoint, parseControlEndpoint } from "./control/control-endpoint.ts";
export { type ControlServer, startControlServer } from "./control/control-server.ts";
export type { CallRecord } from "./faults/call-log.ts";
export type { Fault, Misbehaviour, StoredFault } from "./faults/fault.ts";
export { createMockDriver, type MockDriver } from "./mock-driver.ts";
export { MOCK_DRIVER_NAME, type MockAbility, type MockDriverOptions, type MockService } from "./options.ts";
export type { RequiredSecrets } from "./required-secrets.ts";

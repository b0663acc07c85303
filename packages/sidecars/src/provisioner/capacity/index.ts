/**
 * How much storage there is where, as CSIStorageCapacity objects for the scheduler. In reading order:
 *
 * - `capacity-controller.ts`: the loop that asks the driver and writes; `options.ts`
 * - `capacity-item.ts`: a class in a place, for which there is one object; `desired-items.ts`: which of them there are to be
 * - `desired-capacity.ts`: the question to the driver, and the object from its answer
 * - `driver-segments.ts`: the places, from Nodes and CSINodes
 * - `known-capacities.ts`: the objects that exist; `managed-by.ts` and `pod-owner.ts`: whose they are
 */
export { type CapacityController, type CapacityDeps, createCapacityController } from "./capacity-controller.ts";
export { type CapacityOptions, capacityDefaults } from "./options.ts";
export { capacityRules } from "./rbac.ts";

/** The role of node-driver-registrar: makes a driver that runs beside it known to kubelet. */
export { type RegistrarDeps, type RegistrarOptions, runRegistrar } from "./registrar.ts";

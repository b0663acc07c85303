/**
 * A node's own part of the machine. `host-view.ts`: where the paths lead that Pods name. `driver-view.ts`: a driver that lives in a Pod, asked
 * for paths as it sees them.
 */
export { driverInPod } from "./driver-view.ts";
export { HostView, kubeletFolder } from "./host-view.ts";

/**
 * The kit that controllers are built from. In reading order:
 *
 * - `controllers/`: a queue (of `machinery`) with its workers, fed by informers
 * - `operator-client/`: an operator's own resource: read from a local copy, status by server-side apply, finalizers
 * - `operator-controllers/`: controllers of one key, the wrapper that turns a failure into log, event and `<Name>Degraded`, and finalizers
 * - `assets/`: text with placeholders → hooks → objects → hooks; a base with patches
 * - `apply/`: makes an object on the server what it should be, by the rules of its kind
 * - `static-resources/`: a list of objects, each with a condition under which it is to be, and in which order they go
 * - `configuration/`: what is observed of the cluster: proxy, TLS profile, trusted CA, platform, topology; APIs that may be missing
 * - `workloads/`: Deployments and DaemonSets with their conditions, and `workloads/hooks/`, which fit them to the cluster
 * - `classes/`: StorageClasses, VolumeSnapshotClasses and the CSIDriver
 * - `cluster-operator/`: one status of many conditions, with inertia, versions and related objects
 * - `certificates/`: serving certificates, issued and renewed where no service CA does it
 * - `credentials/`: asks the cluster for the credentials of a driver
 * - `metrics/`: the figures of queues and of leadership, by the names that dashboards know
 * - `serving/`: `/metrics` and `/healthz` over HTTP
 */
export * from "./apply/index.ts";
export * from "./assets/index.ts";
export * from "./certificates/index.ts";
export * from "./classes/index.ts";
export * from "./cluster-operator/index.ts";
export * from "./configuration/index.ts";
export * from "./controllers/index.ts";
export * from "./credentials/index.ts";
export * from "./metrics/index.ts";
export * from "./operator-client/index.ts";
export * from "./operator-controllers/index.ts";
export * from "./serving/index.ts";
export * from "./static-resources/index.ts";
export * from "./workloads/index.ts";

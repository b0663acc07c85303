/**
 * The Kubernetes API as types. `KubernetesObject` is what every object has and `ResourceType` names a resource; the built-in
 * kinds (`Pod`, `PersistentVolumeClaim`, …) and their resources (`pods`, `persistentVolumeClaims`, …) are generated from the
 * OpenAPI documents in `openapi/`, which come from a real API server.
 *
 * Where groups share a name, core keeps it and the others are prefixed with their group and version: `Event` and `events` are
 * core's, `EventsV1Event` and `eventsV1Events` those of events.k8s.io/v1.
 */
export * from "./generated/index.ts";
export {
  apiVersionOf,
  type KubernetesObject,
  type MetadataOnly,
  metadataOnly,
  type ResourceType,
} from "./resource-type.ts";

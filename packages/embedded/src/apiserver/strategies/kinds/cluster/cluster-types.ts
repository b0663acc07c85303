import type { JsonObject } from "@stowage/machinery/apply";
import { GoTypes, goForm } from "../go-types/index.ts";

/** Those parts of the cluster's own kinds that messages show whole; `volume-types.ts` says how types are written. */
const types = new GoTypes({
  EventSource: "Component:component:s Host:host:s",
  NodeAddress: "Type:type:s Address:address:s",
  ObjectReference:
    "Kind:kind:s Namespace:namespace:s Name:name:s UID:uid:s APIVersion:apiVersion:s ResourceVersion:resourceVersion:s FieldPath:fieldPath:s",
  RoleRef: "APIGroup:apiGroup:s Kind:kind:s Name:name:s",
  ScopeSelector: "MatchExpressions:matchExpressions:[]@ScopedResourceSelectorRequirement",
  ScopedResourceSelectorRequirement: "ScopeName:scopeName:s Operator:operator:s Values:values:[]s",
  Taint: "Key:key:s Value:value:s Effect:effect:s TimeAdded:timeAdded:*j",
  Toleration: "Key:key:s Operator:operator:s Value:value:s Effect:effect:s TolerationSeconds:tolerationSeconds:*n",
});

export function shownPart(type: string, part: JsonObject): unknown {
  return goForm(types, type, part);
}

import { pods } from "./builders.ts";

/** Words for sequences about Pods that get a node. */
export const binding = (name: string, target: object, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "Binding",
  metadata: { name, ...metadata },
  target,
});
export const toNode = { kind: "Node", name: "node-{id}" };
export const bindPath = `${pods}/a/binding`;

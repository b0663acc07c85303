import type { JsonObject } from "@stowage/machinery/apply";
import type { FieldError } from "@stowage/machinery/structural";
import type { KindName } from "./kind-rules.ts";
import { definitionDefaults } from "./kinds/definition-rules.ts";
import { secretDefaults } from "./kinds/secret-rules.ts";

/** Sets what a client has left out. */
export type Defaults = (object: JsonObject) => JsonObject;

/** What is wrong with an object that has its defaults, its metadata apart; on every create and update. */
export type Validation = (object: JsonObject) => FieldError[];

/** Where the defaults and the checks of a kind go that need more than its rules: `admission/` adds to these. */
export interface KindSeams {
  readonly defaultsOf: (name: KindName) => Defaults | undefined;
  readonly validationOf: (name: KindName) => Validation | undefined;
}

const ownDefaults: Readonly<Record<string, Defaults>> = {
  "/Secret": secretDefaults,
  "apiextensions.k8s.io/CustomResourceDefinition": definitionDefaults,
};

/** Those that writes cannot do without: an object would not be what its kind says. */
export const ownSeams: KindSeams = {
  defaultsOf({ group, kind }) {
    const key = `${group}/${kind}`;
    return Object.hasOwn(ownDefaults, key) ? ownDefaults[key] : undefined;
  },
  validationOf: () => undefined,
};

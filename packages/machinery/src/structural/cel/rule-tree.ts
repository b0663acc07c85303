import type { SchemaNode } from "../schema/schema-node.ts";
import { compileRule, type RuleProgram } from "./rule-program.ts";
import { schemaType } from "./schema-types.ts";

/** The rules of a schema, where they are. Programs are made when a value first comes to them. */
export interface RuleTree {
  readonly node: SchemaNode;
  readonly isResourceRoot: boolean;
  readonly programs: readonly RuleProgram[];
  readonly items: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additionalProperties: RuleTree | undefined;
}

/** Undefined where there is no rule, here or below. */
export function ruleTree(node: SchemaNode, isResourceRoot: boolean): RuleTree | undefined {
  const items = node.items && ruleTree(node.items, node.items.embeddedResource);
  const additional = typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
  const additionalProperties = additional && ruleTree(additional, additional.embeddedResource);
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of node.properties) {
    const tree = ruleTree(property, property.embeddedResource);
    if (tree !== undefined) properties.set(name, tree);
  }
  if (node.rules.length === 0 && !items && !additionalProperties && properties.size === 0) return undefined;
  return new LazyRuleTree(node, isResourceRoot, { items, additionalProperties, properties });
}

type Below = Pick<RuleTree, "items" | "additionalProperties" | "properties">;

class LazyRuleTree implements RuleTree {
  readonly node: SchemaNode;
  readonly isResourceRoot: boolean;
  readonly items: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additionalProperties: RuleTree | undefined;
  #programs: readonly RuleProgram[] | undefined;

  constructor(node: SchemaNode, isResourceRoot: boolean, below: Below) {
    this.node = node;
    this.isResourceRoot = isResourceRoot;
    this.items = below.items;
    this.properties = below.properties;
    this.additionalProperties = below.additionalProperties;
  }

  get programs(): readonly RuleProgram[] {
    this.#programs ??= compileRules(this.node, this.isResourceRoot);
    return this.#programs;
  }
}

export function compileRules(node: SchemaNode, isResourceRoot: boolean): readonly RuleProgram[] {
  if (node.rules.length === 0) return [];
  const self = schemaType(node, isResourceRoot);
  if (self === undefined) return [];
  return node.rules.filter(({ rule }) => rule.trim() !== "").map((rule) => compileRule(rule, node, self));
}

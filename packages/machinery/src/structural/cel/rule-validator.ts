import type { ValidationRule } from "../../api/index.ts";
import { byteLength } from "../../names/messages.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { duplicate, type FieldError, forbidden, invalid, omittedValue, required } from "../errors/field-error.ts";
import { child, indexed, keyed } from "../errors/field-path.ts";
import { type Correlation, MapListItems } from "../schema/correlation.ts";
import { withObjectMeta } from "../schema/schema-node.ts";
import type { Frame } from "./cel-compiler.ts";
import { CelBudgetExceeded, CelError } from "./cel-error.ts";
import { CelOptional, type CelValue } from "./cel-value.ts";
import { Meter } from "./meter.ts";
import type { RuleProgram } from "./rule-program.ts";
import type { RuleTree } from "./rule-tree.ts";
import { schemaValue } from "./schema-values.ts";

/** What all rules of one object may cost: about a second of the API server's time. */
const objectBudget = 10_000_000;
const mostMessageBytes = 5 * 1024;

/** What did not change since the last version is forgiven. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

/** A value, the one it was before, and where it is. */
interface Place {
  readonly path: string;
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly ratchet: Ratchet;
}

/** The errors of rules that an object breaks. */
export function ruleErrors(tree: RuleTree, value: JsonValue, correlation?: Correlation, path = ""): FieldError[] {
  const validator = new RuleValidator();
  const ratchet = { current: correlation, parent: undefined };
  validator.validate(tree, { path, value, old: correlation?.old, ratchet });
  return validator.errors;
}

class RuleValidator {
  readonly errors: FieldError[] = [];
  #remaining = objectBudget;
  #isOver = false;

  validate(tree: RuleTree | undefined, place: Place): void {
    if (tree === undefined || place.value === null || this.#isOver) return;
    this.#runRules(tree, place);
    if (Array.isArray(place.value)) this.#validateItems(tree, place.value, place);
    else if (isJsonObject(place.value)) this.#validateFields(tree, place.value, place);
  }

  #validateItems(tree: RuleTree, list: readonly JsonValue[], place: Place): void {
    if (tree.items === undefined) return;
    const keys = tree.node.listType === "map" ? tree.node.listMapKeys : [];
    const oldItems = new MapListItems(Array.isArray(place.old) ? place.old : [], keys);
    for (const [index, value] of list.entries()) {
      const ratchet = ratchetBelow(place.ratchet, (current) => current.item(index));
      this.validate(tree.items, { path: indexed(place.path, index), value, old: oldItems.like(value), ratchet });
    }
  }

  #validateFields(tree: RuleTree, object: JsonObject, place: Place): void {
    const old = place.old !== undefined && isJsonObject(place.old) ? place.old : {};
    for (const [name, value] of Object.entries(object)) {
      const below = {
        value,
        old: Object.hasOwn(old, name) ? old[name] : undefined,
        ratchet: ratchetOfField(place.ratchet, name),
      };
      if (tree.additionalProperties !== undefined)
        this.validate(tree.additionalProperties, { ...below, path: keyed(place.path, name) });
      this.validate(tree.properties.get(name), { ...below, path: child(place.path, name) });
    }
  }

  #runRules(tree: RuleTree, place: Place): void {
    if (tree.programs.length === 0) return;
    const old = place.old ?? null;
    const node = tree.isResourceRoot ? withObjectMeta(tree.node) : tree.node;
    let self: CelValue | undefined;
    let oldSelf: CelValue | undefined;
    for (const program of tree.programs) {
      if (this.#isOver) return;
      const takesNoOld = program.rule.optionalOldSelf === true;
      if (program.usesOldSelf && old === null && !takesNoOld) continue;
      try {
        self ??= schemaValue(place.value, node);
        if (old !== null && program.usesOldSelf) oldSelf ??= schemaValue(old, node);
      } catch (error) {
        this.#add(
          invalid(place.path, tree.node.type, `${errorText(error)} evaluating rule: ${ruleText(program.rule)}`),
        );
        continue;
      }
      const variables = { self, oldSelf: takesNoOld ? new CelOptional(oldSelf) : oldSelf };
      this.#runRule(tree, program, place, variables);
    }
  }

  #runRule(tree: RuleTree, program: RuleProgram, place: Place, variables: Frame["variables"]): void {
    const { type } = tree.node;
    if (program.evaluate === undefined) {
      this.#add(invalid(place.path, type, `rule compile error: ${program.problem ?? ""}`));
      return;
    }
    const meter = new Meter();
    try {
      const holds = program.evaluate({ variables, locals: [], meter });
      this.#spend(meter, place.path, type);
      if (holds === true || this.#isOver) return;
    } catch (error) {
      this.#addFailure(error, meter, program.rule, { path: place.path, type });
      return;
    }
    if (!program.usesOldSelf && isForgiven(place.ratchet)) return;
    const message = this.#message(program, variables) ?? defaultMessage(program.rule);
    const value = type === "object" || type === "array" ? omittedValue : place.value;
    const path = program.fieldPath === "" ? place.path : child(place.path, program.fieldPath);
    this.#add(errorForReason(path, value, message, program.rule.reason));
  }

  #add(error: FieldError): void {
    this.errors.push(error);
  }

  #spend(meter: Meter, path: string, type: string): void {
    this.#remaining -= meter.spent;
    if (this.#remaining >= 0) return;
    this.#isOver = true;
    const detail = "validation failed due to running out of cost budget, no further validation rules will be run";
    this.#add(invalid(path, type, detail));
  }

  #addFailure(error: unknown, meter: Meter, rule: ValidationRule, at: { path: string; type: string }): void {
    const text = errorText(error);
    if (error instanceof CelBudgetExceeded) {
      this.#isOver = true;
      const detail = `'${text}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`;
      this.#add(invalid(at.path, at.type, detail));
      return;
    }
    this.#spend(meter, at.path, at.type);
    const detail = text.startsWith("no such overload")
      ? `'${text}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`
      : `${text} evaluating rule: ${ruleText(rule)}`;
    this.#add(invalid(at.path, at.type, detail));
  }

  /** Undefined when the expression gives no message that can be shown. */
  #message({ evaluateMessage }: RuleProgram, variables: Frame["variables"]): string | undefined {
    if (evaluateMessage === undefined) return undefined;
    try {
      const message = evaluateMessage({ variables, locals: [], meter: new Meter() });
      const text = typeof message === "string" ? message.trim() : "";
      const isUsable = text !== "" && !text.includes("\n") && byteLength(text) <= mostMessageBytes;
      return isUsable ? text : undefined;
    } catch (error) {
      errorText(error);
      return undefined;
    }
  }
}

/** What is no error of the expression is a mistake of this program, and not to be hidden. */
function errorText(error: unknown): string {
  if (error instanceof CelError || error instanceof CelBudgetExceeded) return error.message;
  throw error;
}

function ratchetBelow(ratchet: Ratchet, enter: (current: Correlation) => Correlation | undefined): Ratchet {
  if (ratchet.current === undefined) return ratchet;
  return { current: enter(ratchet.current), parent: ratchet.current };
}

function ratchetOfField(ratchet: Ratchet, name: string): Ratchet {
  const isTypeMeta = ratchet.parent === undefined && (name === "apiVersion" || name === "kind");
  if (ratchet.current !== undefined && isTypeMeta) return { current: undefined, parent: undefined };
  return ratchetBelow(ratchet, (current) => current.field(name));
}

function isForgiven({ current, parent }: Ratchet): boolean {
  return (current ?? parent)?.isUnchanged ?? false;
}

function ruleText({ message = "", rule }: ValidationRule): string {
  return (message === "" ? rule : message).trim();
}

function defaultMessage(rule: ValidationRule): string {
  return rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`;
}

function errorForReason(path: string, value: unknown, message: string, reason: ValidationRule["reason"]): FieldError {
  if (reason === "FieldValueForbidden") return forbidden(path, message);
  if (reason === "FieldValueRequired") return required(path, message);
  return reason === "FieldValueDuplicate" ? duplicate(path, value) : invalid(path, value, message);
}

import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, goQuote, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, metadataOf, textOf } from "../../json-fields.ts";

type TypeCheck = (data: JsonObject, object: JsonObject) => FieldError[];

const accountAnnotation = "kubernetes.io/service-account.name";

/** What a Secret must have to be of its type; types of others may have anything. */
const checks: Readonly<Record<string, TypeCheck>> = {
  "kubernetes.io/service-account-token"(_, object) {
    const name = textOf(fieldsOf(metadataOf(object)["annotations"])[accountAnnotation]);
    return name === "" ? [required(`metadata.annotations[${accountAnnotation}]`)] : [];
  },
  "kubernetes.io/dockercfg": (data) => dockerErrors(data, ".dockercfg"),
  "kubernetes.io/dockerconfigjson": (data) => dockerErrors(data, ".dockerconfigjson"),
  "kubernetes.io/basic-auth": (data) => {
    const keys = ["username", "password"];
    return keys.some((key) => Object.hasOwn(data, key)) ? [] : missing(keys);
  },
  "kubernetes.io/ssh-auth": (data) => (textOf(data["ssh-privatekey"]) === "" ? missing(["ssh-privatekey"]) : []),
  "kubernetes.io/tls": (data) => missing(["tls.crt", "tls.key"].filter((key) => !Object.hasOwn(data, key))),
};

export function secretTypeErrors(object: JsonObject): FieldError[] {
  const type = textOf(object["type"]);
  const check = Object.hasOwn(checks, type) ? checks[type] : undefined;
  return check?.(fieldsOf(object["data"]), object) ?? [];
}

function missing(keys: readonly string[]): FieldError[] {
  return keys.map((key) => required(`data[${key}]`));
}

function dockerErrors(data: JsonObject, key: string): FieldError[] {
  if (!Object.hasOwn(data, key)) return missing([key]);
  const problem = objectProblem(Buffer.from(textOf(data[key]), "base64").toString());
  return problem === undefined ? [] : [invalid(`data[${key}]`, "<secret contents redacted>", problem)];
}

/** Why a text is no object of JSON, as Go says it. */
function objectProblem(text: string): string | undefined {
  const value = parsed(text);
  if (value === undefined) return syntaxProblem(text);
  if (isFields(value) || value === null) return undefined;
  const type = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const literals: Readonly<Record<string, string>> = { n: "null", t: "true", f: "false" };

/** Most of what is no JSON is so from its first word on. */
function syntaxProblem(text: string): string {
  const word = text.trimStart();
  const first = word.slice(0, 1);
  if (first === "" || /["{[]/u.test(first)) return "unexpected end of JSON input";
  const literal = literals[first];
  if (literal === undefined) return `invalid character ${shown(first)} looking for beginning of value`;
  const at = literal.split("").findIndex((letter, index) => word[index] !== letter);
  const wrong = word[at];
  if (at < 0) return `invalid character ${shown(word.slice(literal.length, literal.length + 1))} after top-level value`;
  if (wrong === undefined) return "unexpected end of JSON input";
  return `invalid character ${shown(wrong)} in literal ${literal} (expecting '${literal[at]}')`;
}

function shown(character: string): string {
  return goQuote(character).replace(/^"(.*)"$/u, "'$1'");
}

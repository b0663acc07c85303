import type { JsonValue } from "@stowage/machinery/apply";
import { acceptedForms } from "../documents/accepted-form.ts";
import { yamlText } from "./yaml/yaml-text.ts";

/** How texts go to a client. */
export interface Encoding {
  readonly contentType: string;
  /** Of JSON, which is what everything is until then. */
  encoded(text: string): string;
}

interface Client {
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  readonly query: URLSearchParams;
}

const yaml = "application/yaml";
const json = "application/json";

export function encodingOf(contentType: string, isPretty: boolean): Encoding {
  if (contentType === yaml) return { contentType, encoded: (text) => yamlText(JSON.parse(text) as JsonValue) };
  return { contentType, encoded: isPretty ? prettyText : (text) => `${text}\n` };
}

/** For refusals, which are in no other form: as the client wants them, or else so that people can read them. */
export function refusalEncoding(client: Client): Encoding {
  const plain = acceptedForms(client.accept).find(
    ({ type, parameters }) => encodedTypes.includes(type) && parameters["as"] === undefined,
  );
  if (plain === undefined) return encodingOf(json, true);
  return encodingOf(plain.type === yaml ? yaml : json, isPrettyWish(client));
}

const encodedTypes = [json, yaml, "application/*", "*/*"];

const peoplesTools = ["curl", "Wget", "Mozilla/5.0"];

/** By the query, or because it comes from where people look at it. */
export function isPrettyWish({ query, userAgent = "" }: Client): boolean {
  const wish = query.get("pretty") ?? "";
  if (wish !== "") return ["1", "t", "T", "true", "TRUE", "True"].includes(wish);
  return peoplesTools.some((tool) => userAgent.startsWith(tool));
}

/** Laid out by what is in the text alone, so that numbers stay as they are. */
function prettyText(text: string): string {
  let [laidOut, depth] = ["", 0];
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/gu)) {
    if (token === "{" || token === "[") {
      depth++;
      laidOut += token + line();
    } else if (token === "}" || token === "]") {
      depth--;
      laidOut += line() + token;
    } else if (token === ",") laidOut += token + line();
    else laidOut += token === ":" ? ": " : token.replaceAll(/^([{[])\s*([}\]])$/gu, "$1$2");
  }
  return laidOut;
}

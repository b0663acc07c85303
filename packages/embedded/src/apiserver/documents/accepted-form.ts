import { ApiError, notAcceptable } from "../answers/index.ts";

/** One of the forms that a client would take, the best first. */
interface AcceptedForm {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** In which form a document is sent. */
export type DocumentForm = "json" | "yaml" | "aggregated";

const json = "application/json";
const yaml = "application/yaml";
const served = [json, yaml, "application/vnd.kubernetes.protobuf"];

/** Throws a refusal when the client takes none of ours. */
export function documentForm(accept: string | undefined, hasAggregated: boolean): DocumentForm {
  for (const { type, parameters } of acceptedForms(accept)) {
    const isJson = type === json || type === "application/*" || type === "*/*";
    if (parameters["as"] !== undefined) {
      if (hasAggregated && isJson && isAggregated(parameters)) return "aggregated";
    } else if (isJson) return "json";
    else if (type === yaml) return "yaml";
  }
  throw notAcceptable(served);
}

/** The only version that is left of it. */
function isAggregated({ as, g, v }: AcceptedForm["parameters"]): boolean {
  return as === "APIGroupDiscoveryList" && g === "apidiscovery.k8s.io" && v === "v2";
}

/** Some paths are refused by their router already, which looks at nothing but the type. Says so in other words. */
export function refuseUnlessAccepted(accept: string | undefined, types: readonly string[] = served): void {
  const isAccepted = acceptedForms(accept).some(({ type }) => type === "*/*" || types.includes(type));
  if (isAccepted) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${types.join(", ")}`;
  throw new ApiError(406, "NotAcceptable", message, {});
}

/** Whether the type is among those that the client takes. */
export function accepts(accept: string | undefined, type: string): boolean {
  const general = `${type.split("/")[0]}/*`;
  return acceptedForms(accept).some((form) => form.type === type || form.type === general || form.type === "*/*");
}

export function acceptedForms(accept = "*/*"): AcceptedForm[] {
  return (accept === "" ? "*/*" : accept)
    .split(",")
    .map((text) => acceptedForm(text))
    .toSorted((a, b) => weightOf(b) - weightOf(a));
}

function acceptedForm(text: string): AcceptedForm {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim());
  const parameters: Record<string, string> = Object.create(null);
  for (const part of rest) {
    const at = part.indexOf("=");
    if (at > 0) parameters[part.slice(0, at)] = part.slice(at + 1);
  }
  return { type, parameters };
}

function weightOf({ parameters: { q } }: AcceptedForm): number {
  const weight = Number(q ?? "1");
  return Number.isNaN(weight) ? 1 : weight;
}

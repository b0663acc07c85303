import { goQuote } from "../../../go-text/index.ts";
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from "../../../names/index.ts";
import { textHasFormat } from "../../values/formats.ts";
import { CelOpaque, CelOptional, type CelValue, PlainList } from "../cel-value.ts";
import { fn, method, type Overload } from "./overload.ts";

class CelFormat extends CelOpaque {
  readonly typeName = "kubernetes.NamedFormat";
  readonly name: string;
  readonly problems: (text: string) => readonly string[];

  constructor(name: string, problems: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.problems = problems;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelFormat && other.name === this.name;
  }
}

/** A prefix of a name may end in a hyphen: the rest comes later. */
const ofPrefix = (problems: (text: string) => readonly string[]) => (text: string) =>
  problems(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -2)}a` : text);

const hasFormat = (format: string, problem: string) => (text: string) =>
  textHasFormat(text, format) === true ? [] : [problem];

const formats: ReadonlyMap<string, CelFormat> = new Map(
  Object.entries({
    dns1123Label: dns1123LabelErrors,
    dns1123Subdomain: dns1123SubdomainErrors,
    dns1035Label: dns1035LabelErrors,
    qualifiedName: qualifiedNameErrors,
    dns1123LabelPrefix: ofPrefix(dns1123LabelErrors),
    dns1123SubdomainPrefix: ofPrefix(dns1123SubdomainErrors),
    dns1035LabelPrefix: ofPrefix(dns1035LabelErrors),
    labelValue: labelValueErrors,
    uri: (text: string) =>
      textHasFormat(text, "uri") === true ? [] : [`parse ${goQuote(text)}: invalid URI for request`],
    uuid: hasFormat("uuid", "does not match the UUID format"),
    byte: hasFormat("byte", "invalid base64"),
    date: hasFormat("date", "invalid date"),
    datetime: hasFormat("datetime", "invalid datetime"),
  }).map(([name, problems]) => [name, new CelFormat(name, problems)]),
);

const type = "kubernetes.NamedFormat";

export const formatOverloads: readonly Overload[] = [
  ...[...formats].map(([name, format]) => fn<[]>(`format.${name}`, "", type, () => format)),
  fn<[string]>("format.named", "string", `optional<${type}>`, ([name]) => new CelOptional(formats.get(name))),
  method<[CelFormat, string]>("validate", `${type}, string`, "optional<list<string>>", ([format, text]) => {
    const problems = format.problems(text);
    return problems.length === 0 ? CelOptional.none : new CelOptional(new PlainList(problems));
  }),
];

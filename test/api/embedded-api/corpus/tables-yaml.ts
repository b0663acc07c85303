import { configMap, create, get, maps, patch, rows } from "../builders.ts";
import type { Sequence } from "../sequence.ts";
import { table } from "../table-builders.ts";

const yaml = "application/yaml";

/** Texts that are written in one way or another. */
const texts: Readonly<Record<string, string>> = {
  plain: "plain text",
  numbers: "12",
  fractions: "-1.5e3",
  hexadecimal: "0x1F",
  times: "2020-01-01T00:00:00Z",
  dates: "2020-01-01",
  sixties: "12:30:00",
  "words for yes": "yes",
  "one letter": "y",
  nothing: "null",
  empty: "",
  "a colon": "a: b",
  "a colon at the end": "a:",
  "a comment": "a #b",
  "a hash": "#a",
  "a dash": "- a",
  "an anchor": "&a",
  "a star": "*",
  brackets: "[a]",
  braces: "{a}",
  quotes: 'it\'s "so"',
  "quotes and a colon": 'it\'s: "so"',
  "spaces around": " a ",
  "a tab": "a\tb",
  lines: "a\nb",
  "lines with an end": "a\nb\n",
  "lines with two ends": "a\nb\n\n",
  "lines that begin with a space": " a\nb",
  "lines that end with a space": "a \nb",
  "an empty line": "\na",
  "letters of others": "größer, 日本",
  "a smile": "smile 😀",
  "a control character": "a\u0001b",
  "a long text": "word ".repeat(40).trim(),
  "a long text in quotes": "word: ".repeat(40).trim(),
  "a long text that must be escaped": "w\td ".repeat(40).trim(),
  "a long word": "w".repeat(200),
  "wide gaps": "two  spaces ".repeat(20).trim(),
  addresses: "::1",
  ports: "10.0.0.1:80",
  documents: "--- a",
};

export const writtenTexts: readonly Sequence[] = rows(
  "YAML",
  Object.fromEntries(
    Object.entries(texts).map(([what, text]) => [
      what,
      [create(maps, configMap("a", { data: { text } })), get(`${maps}/a`, { accept: yaml })],
    ]),
  ),
);

const some = [create(maps, configMap("a", { data: { a: "1", "10": "x", "9": "y", no: "z" } }))];

export const yamlForms: readonly Sequence[] = rows(
  "YAML",
  {
    "a list": get(maps, { accept: yaml }),
    "an empty list": get("/api/v1/namespaces/{ns}/secrets", { accept: yaml }),
    "a refusal": get(`${maps}/nothing`, { accept: yaml }),
    "a refusal with causes": { ...create(maps, configMap("A")), accept: yaml },
    "a table": get("/api/v1/namespaces/{ns}/limitranges", { accept: `${yaml};as=Table;v=v1;g=meta.k8s.io` }),
    "a refused table": get(`${maps}/nothing`, { accept: `${yaml};as=Table;v=v1;g=meta.k8s.io` }),
    metadata: get(`${maps}/a`, { accept: `${yaml};as=PartialObjectMetadata;v=v1;g=meta.k8s.io` }),
    "rather than JSON": get(`${maps}/a`, { accept: `application/json;q=0.4,${yaml};q=0.6` }),
    "less than JSON": get(`${maps}/a`, { accept: `${yaml};q=0.4,application/json;q=0.6` }),
    "of a patch": { ...patch(`${maps}/a`, "application/merge-patch+json", { data: { b: "2" } }), accept: yaml },
    "of a deletion": { send: `DELETE ${maps}/a`, accept: yaml },
    references: [
      create("/api/v1/namespaces/{ns}/serviceaccounts", { metadata: { name: "b" }, secrets: [{ name: "x" }] }),
      get("/api/v1/namespaces/{ns}/serviceaccounts/b", { accept: yaml }),
    ],
    "numbers and lists": [
      create("/api/v1/namespaces/{ns}/endpoints", {
        metadata: { name: "e" },
        subsets: [{ addresses: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }], ports: [{ name: "web", port: 80 }] }],
      }),
      get("/api/v1/namespaces/{ns}/endpoints/e", { accept: yaml }),
    ],
  },
  some,
);

const sent = (body: string, type = yaml) => ({ send: `POST ${maps}`, body, type });

export const sentYaml: readonly Sequence[] = rows("sent as YAML", {
  "a map": sent("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: '1'\n"),
  "in the form of JSON": sent('{"metadata":{"name":"a"}}'),
  "answered as a table": { ...sent("metadata: {name: a}\ndata: {x: '1'}\n"), accept: table },
  "answered as YAML": { ...sent("metadata: {name: a}\ndata: {x: '1'}\n"), accept: yaml },
  "with a charset": sent("metadata: {name: a}\n", `${yaml}; charset=utf-8`),
  "with a comment": sent("# a comment\nmetadata: {name: a}\n"),
  "of a type that is not there": sent("metadata: {name: a}\n", "text/yaml"),
  "as plain text": sent("metadata: {name: a}\n", "text/plain"),
});

import { describe, expect, it } from "vitest";
import type { JSONSchemaProps } from "../../api/index.ts";
import type { JsonValue } from "../../patches/json-value.ts";
import { fieldErrorText } from "../errors/field-error.ts";
import { parseSchema } from "../schema/schema-node.ts";
import { escapeName, unescapeName } from "./escaped-names.ts";
import { ruleTree } from "./rule-tree.ts";
import { ruleErrors } from "./rule-validator.ts";

const schema: JSONSchemaProps = {
  type: "object",
  properties: {
    s: { type: "string" },
    n: { type: "integer" },
    d: { type: "number" },
    l: { type: "array", items: { type: "string" } },
    set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    m: { type: "object", additionalProperties: { type: "integer" } },
    time: { type: "string", format: "date-time" },
    span: { type: "string", format: "duration" },
    bytes: { type: "string", format: "byte" },
    any: { "x-kubernetes-int-or-string": true },
    "dash-ed": { type: "string" },
  },
};

const value: JsonValue = {
  s: "wörld 😀",
  n: 7,
  d: 2.5,
  l: ["x", "y"],
  set: ["p", "q"],
  m: { one: 1 },
  time: "2024-02-29T12:34:56Z",
  span: "1h30m",
  bytes: "aGk=",
  any: "50%",
  "dash-ed": "d",
};

function errorsOf(rule: string): string[] {
  const tree = ruleTree(parseSchema({ ...schema, "x-kubernetes-validations": [{ rule }] }), false);
  return tree === undefined ? [] : ruleErrors(tree, value, undefined, "spec").map(fieldErrorText);
}

describe("a rule", () => {
  it.each([
    "self.n + 1 == 8 && self.d * 2.0 == 5.0 && self.n > self.d",
    "self.l.all(x, x.size() == 1) && self.l.exists(i, v, i == 1 && v == 'y')",
    "self.l.map(x, x + '!') == ['x!', 'y!'] && self.l.filter(x, x != 'x') == ['y']",
    "self.s.size() == 7 && self.s.charAt(1) == 'ö' && self.s.substring(6) == '😀'",
    "self.s.matches('^w.r') && self.s.find('[a-z]+') == 'w'",
    "self.set == ['q', 'p'] && sets.equivalent(self.set, ['q', 'p'])",
    "self.m.one == 1 && 'one' in self.m && !('two' in self.m) && self.m[?'two'].orValue(9) == 9",
    "self.time.getFullYear() == 2024 && self.time + duration('1s') > self.time",
    "self.span == duration('90m') && self.bytes == b'hi'",
    "type(self.any) == string && self.any.endsWith('%')",
    "self.dash__dash__ed == 'd'",
    "quantity('1Gi').isGreaterThan(quantity('1G')) && ip('::1').isLoopback() && cidr('10.0.0.0/8').containsIP('10.1.1.1')",
    "url('https://a.b:80/c').getPort() == '80' && semver('1.2.3').minor() == 2",
    "!format.dns1123Label().validate('a-b').hasValue()",
    "'%s=%d'.format(['n', self.n]) == 'n=7'",
    "int('x' + 'y') == 1 || true",
    "[3, 1, 2].sort() == [1, 2, 3] && [1, 1].distinct() == [1] && lists.range(2) == [0, 1]",
  ])("holds: %s", (rule) => {
    expect(errorsOf(rule)).toEqual([]);
  });

  it.each([
    ["self.n > 8", "spec: Invalid value: failed rule: self.n > 8"],
    ["self.m.two == 1", 'spec: Invalid value: "object": no such key: two evaluating rule: self.m.two == 1'],
    ["self.l[5] == ''", "spec: Invalid value: \"object\": index out of bounds: 5 evaluating rule: self.l[5] == ''"],
    ["self.n / 0 == 1", 'spec: Invalid value: "object": division by zero evaluating rule: self.n / 0 == 1'],
    [
      "self.any > 5",
      "spec: Invalid value: \"object\": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.any > 5",
    ],
  ])("does not hold: %s", (rule, error) => {
    expect(errorsOf(rule)).toEqual([error]);
  });

  it.each([
    ["self.x == 1", "ERROR: <input>:1:5: undefined field 'x'\n | self.x == 1\n | ....^"],
    [
      "self.s == 1",
      "ERROR: <input>:1:8: found no matching overload for '_==_' applied to '(string, int)'\n | self.s == 1\n | .......^",
    ],
    ["self.n", "cel expression must evaluate to a bool"],
    ["foo(1)", "ERROR: <input>:1:4: undeclared reference to 'foo' (in container '')\n | foo(1)\n | ...^"],
  ])("cannot be used: %s", (rule, problem) => {
    expect(errorsOf(rule)[0]).toContain(problem);
  });
});

describe("a name in a rule", () => {
  it.each([
    ["plain", "plain"],
    ["a-b.c/d", "a__dash__b__dot__c__slash__d"],
    ["a__b", "a__underscores__b"],
    ["namespace", "__namespace__"],
  ])("stands for the property %s", (name, escaped) => {
    expect(escapeName(name)).toBe(escaped);
    expect(unescapeName(escaped)).toBe(name);
  });

  it("cannot stand for a property that no escape can write", () => {
    expect(escapeName("1a")).toBeUndefined();
    expect(escapeName("ä")).toBeUndefined();
    expect(unescapeName("a__nope__b")).toBeUndefined();
  });
});

import type { JSONSchemaProps } from "@stowage/machinery";

/** A schema, and values for it: fitting, wrong and odd. */
export interface SchemaCase {
  readonly schema: JSONSchemaProps;
  readonly values: readonly unknown[];
}

const text = { type: "string" } as const;
const everyType: readonly unknown[] = ["text", "", 7, -1, 1.5, 0, true, false, null, [], [1, "a"], {}, { a: 1 }];

/** Every keyword that a structural schema can have, alone and with its neighbours. */
export const keywordCases: Readonly<Record<string, SchemaCase>> = {
  string: { schema: text, values: everyType },
  integer: { schema: { type: "integer" }, values: [...everyType, 9_007_199_254_740_991, 1e20, -2_147_483_649] },
  int32: {
    schema: { type: "integer", format: "int32" },
    values: [2_147_483_647, 2_147_483_648, -2_147_483_649, "1", 1.5],
  },
  int64: { schema: { type: "integer", format: "int64" }, values: [1, 1e19, -1e19, true, 0.5] },
  number: { schema: { type: "number" }, values: [...everyType, 1e300, -0.25] },
  float: { schema: { type: "number", format: "float" }, values: [1, 1.5, 1e39, "x", false] },
  double: { schema: { type: "number", format: "double" }, values: [1, 1.5, 1e39, {}, []] },
  boolean: { schema: { type: "boolean" }, values: everyType },
  array: { schema: { type: "array", items: text }, values: [...everyType, ["a", "b"], ["a", 1, null]] },
  emptyObject: { schema: { type: "object" }, values: everyType },
  nullable: { schema: { type: "string", nullable: true }, values: everyType },
  intOrString: { schema: { "x-kubernetes-int-or-string": true }, values: everyType },
  intOrStringLimited: {
    schema: {
      "x-kubernetes-int-or-string": true,
      anyOf: [{ type: "integer" }, { type: "string" }],
      pattern: "^[0-9]+%$",
      maximum: 10,
    },
    values: ["10%", "x", 10, 11, 1.5, true, null, {}],
  },
  intOrStringMore: {
    schema: {
      "x-kubernetes-int-or-string": true,
      allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { minimum: 3 }],
    },
    values: [2, 3, "2", 1.25, []],
  },
  free: { schema: { "x-kubernetes-preserve-unknown-fields": true }, values: [...everyType, { a: { b: [null, 1] } }] },
  freeObject: {
    schema: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: {
        known: { type: "object", properties: { a: text } },
        list: { type: "array", items: { type: "object" } },
      },
    },
    values: [{ x: { y: 1 } }, { known: { a: "a", b: "b" }, x: null }, { list: [{ a: 1 }, {}] }, { known: null }],
  },
  limits: {
    schema: { type: "integer", minimum: 2, maximum: 10, multipleOf: 2 },
    values: [1, 2, 3, 4, 10, 11, 12, 1.5, 11.5, "x"],
  },
  exclusiveLimits: {
    schema: { type: "number", minimum: 1.5, exclusiveMinimum: true, maximum: 2_500_000, exclusiveMaximum: true },
    values: [1.5, 1.6, 2_500_000, 2_499_999.5, 3_000_000.25, 1],
  },
  fractionLimits: { schema: { type: "number", multipleOf: 0.1, maximum: 5 }, values: [0.3, 0.35, 5, 5.1, 7, 4.05] },
  floatLimitsOfInteger: { schema: { type: "integer", minimum: 1.5, maximum: 3.5 }, values: [1, 2, 3, 4] },
  lengths: {
    schema: { type: "string", minLength: 2, maxLength: 4 },
    values: ["", "a", "ab", "abcd", "abcde", "äöü", "😀", "😀😀😀😀", "😀😀😀😀😀"],
  },
  oneCharacter: { schema: { type: "string", maxLength: 1, minLength: 1 }, values: ["", "a", "ab"] },
  pattern: {
    schema: { type: "string", pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$" },
    values: ["a", "a-b", "-a", "A", "a\n", "a b", 'quote"d', "tab\t", "üñí", "\u0000", "\u2028"],
  },
  re2Pattern: {
    schema: { type: "string", pattern: "(?i)^[[:alpha:]]+\\Q.+\\E(?P<n>\\d{2,3})\\z" },
    values: ["ab.+12", "AB.+123", "ab+12", "ab.+1", "ab.+1234", "ä.+12", "ab.+12\n"],
  },
  unicodePattern: {
    schema: { type: "string", pattern: "^\\p{Lu}\\pL*[^\\W\\d]\\b$" },
    values: ["Äbc", "äbc", "Abc", "A1", "ABC_", "Ab c", ""],
  },
  multiLinePattern: {
    schema: { type: "string", pattern: "(?m)^b$|(?s:a.c)" },
    values: ["a\nb\nc", "a\nc", "xbx", "ab", "b"],
  },
  enum: { schema: { type: "string", enum: ["a", "b c", 'd"e'] }, values: ["a", "b c", 'd"e', "", "x", null, 5] },
  integerEnum: { schema: { type: "integer", enum: [1, 2, 30] }, values: [1, 30, 3, 1.5, "1"] },
  nullableEnum: { schema: { type: "string", nullable: true, enum: ["a", null] }, values: ["a", "b", null] },
  objectEnum: {
    schema: { type: "object", properties: { a: text }, enum: [{ a: "x" }, {}] },
    values: [{ a: "x" }, {}, { a: "y" }],
  },
  items: {
    schema: { type: "array", minItems: 1, maxItems: 2, items: { type: "integer", minimum: 5 } },
    values: [[], [5], [5, 6], [5, 6, 7], [1], [1, "a"], [null, 4]],
  },
  oneItem: { schema: { type: "array", maxItems: 1, items: text }, values: [["a"], ["a", "b"]] },
  set: {
    schema: { type: "array", "x-kubernetes-list-type": "set", items: text },
    values: [
      ["a", "b"],
      ["a", "a"],
      ["a", "b", "a", "b", "a"],
      [1, 1],
    ],
  },
  numberSet: {
    schema: { type: "array", "x-kubernetes-list-type": "set", items: { type: "number" } },
    values: [
      [1, 2, 1],
      [1.5, 1.5, 2],
    ],
  },
  objectSet: {
    schema: {
      type: "array",
      "x-kubernetes-list-type": "set",
      items: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: text, b: text } },
    },
    values: [
      [
        { a: "1", b: "2" },
        { b: "2", a: "1" },
      ],
      [{}, {}],
      [{ a: "1" }],
    ],
  },
  mapList: {
    schema: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", required: ["name"], properties: { name: text, value: { type: "integer" } } },
    },
    values: [
      [{ name: "a" }, { name: "b" }],
      [{ name: "a" }, { name: "a", value: 1 }, { name: "a" }],
      [{ value: 1 }, { value: 2 }],
      [null, null],
      ["a"],
    ],
  },
  twoKeys: {
    schema: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: {
        type: "object",
        required: ["port"],
        properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" } },
      },
    },
    values: [
      [{ port: 1 }, { port: 1, protocol: "UDP" }],
      [{ port: 1 }, { port: 1, protocol: "TCP" }],
      [{ protocol: "TCP" }, {}],
    ],
  },
  required: {
    schema: {
      type: "object",
      required: ["a", "b", "missing"],
      properties: { a: text, b: { type: "object", required: ["c"], properties: { c: text } }, missing: text },
    },
    values: [
      {},
      { a: "x" },
      { a: "x", b: {}, missing: "" },
      { a: null, b: { c: "c" }, missing: "m" },
      { a: 1, b: { c: 1 } },
    ],
  },
  properties: {
    schema: { type: "object", minProperties: 2, maxProperties: 3, properties: { a: text, b: text, c: text, d: text } },
    values: [{}, { a: "1" }, { a: "1", b: "2" }, { a: "1", b: "2", c: "3", d: "4" }, { x: "1", y: "2" }],
  },
  map: {
    schema: { type: "object", additionalProperties: { type: "integer", maximum: 3 }, maxProperties: 2 },
    values: [{ a: 1, b: 2 }, { a: 5, "b.c/d": "x" }, { a: 1, b: 2, c: 3 }, { a: null }, { "": 9 }],
  },
  mapOfObjects: {
    schema: { type: "object", additionalProperties: { type: "object", required: ["a"], properties: { a: text } } },
    values: [{ x: { a: "1", gone: 1 } }, { x: {}, y: { a: 1 } }, { x: null }, { x: [] }],
  },
  anyAdditional: {
    schema: { type: "object", additionalProperties: true },
    values: [{ a: 1, b: { c: 2 } }, { a: [{ b: 1 }] }, { a: null }],
  },
  noAdditional: { schema: { type: "object", additionalProperties: false }, values: [{}, { a: 1 }, { a: { b: 1 } }] },
  pruned: {
    schema: {
      type: "object",
      properties: {
        a: { type: "object", properties: { b: text } },
        list: { type: "array", items: { type: "object", properties: { c: text } } },
        deep: { type: "array", items: { type: "array", items: { type: "object", properties: { d: text } } } },
      },
    },
    values: [
      { a: { b: "x", gone: 1 }, gone: { too: 1 } },
      { list: [{ c: "x", gone: 1 }, { gone: 2 }], deep: [[{ d: "d", x: 1 }], []] },
      { a: { b: null }, list: [null, { c: null }] },
      { constructor: 1, toString: 2, hasOwnProperty: 3 },
    ],
  },
  defaults: {
    schema: {
      type: "object",
      properties: {
        plain: { type: "string", default: "yes" },
        zero: { type: "integer", default: 0 },
        off: { type: "boolean", default: false },
        nullable: { type: "string", nullable: true, default: "kept" },
        nested: {
          type: "object",
          default: { a: "from parent" },
          properties: { a: { type: "string", default: "own" }, b: { type: "string", default: "b" } },
        },
        notThere: { type: "object", properties: { a: { type: "string", default: "only inside" } } },
        list: {
          type: "array",
          items: { type: "object", properties: { a: { type: "string", default: "item" }, n: { type: "integer" } } },
        },
        map: {
          type: "object",
          additionalProperties: { type: "object", properties: { a: { type: "string", default: "value" } } },
        },
        texts: { type: "array", default: ["a", "b"], items: { type: "string" } },
      },
    },
    values: [
      {},
      { plain: null, zero: null, off: null, nullable: null },
      { nested: null, notThere: {}, list: [{}, { a: "x", gone: 1 }], map: { k: {}, l: { a: null } } },
      { nested: {}, notThere: null, list: [], map: {}, texts: [] },
      { nested: { a: "z", b: null }, plain: "", zero: 3 },
    ],
  },
  defaultedItems: {
    schema: {
      type: "object",
      properties: {
        texts: { type: "array", items: { type: "string", default: "d" } },
        map: { type: "object", additionalProperties: { type: "string", default: "d" } },
        nullables: { type: "array", items: { type: "string", nullable: true, default: "d" } },
      },
    },
    values: [{ texts: ["a", null] }, { map: { a: null, b: "b" } }, { nullables: [null] }],
  },
  anyOf: {
    schema: {
      type: "object",
      properties: { a: text, b: text, n: { type: "integer" } },
      anyOf: [
        { required: ["a"], properties: { n: { minimum: 5 } } },
        { required: ["b"], properties: { b: { pattern: "^x" } } },
      ],
    },
    values: [{}, { a: "a" }, { b: "y" }, { b: "x" }, { a: "a", n: 1 }, { n: 7 }],
  },
  oneOf: {
    schema: {
      type: "object",
      properties: { a: text, b: text, c: text },
      oneOf: [{ required: ["a"] }, { required: ["b"] }, { required: ["c"], properties: { c: { minLength: 3 } } }],
    },
    values: [{}, { a: "a" }, { a: "a", b: "b" }, { a: "", b: "", c: "ccc" }, { c: "c" }],
  },
  allOf: {
    schema: { type: "integer", allOf: [{ minimum: 5 }, { maximum: 10 }, { not: { enum: [7] } }] },
    values: [4, 5, 7, 10, 11],
  },
  allOfNone: {
    schema: { type: "string", allOf: [{ minLength: 3 }, { pattern: "^a" }] },
    values: ["abc", "bcd", "ab", "b"],
  },
  not: {
    schema: { type: "object", properties: { a: text, b: text }, not: { required: ["a", "b"] } },
    values: [{}, { a: "" }, { a: "", b: "" }],
  },
  nestedChoices: {
    schema: {
      type: "array",
      items: {
        type: "object",
        properties: { type: { type: "string" }, a: text, b: { type: "integer" } },
        oneOf: [
          { properties: { type: { enum: ["A"] } }, required: ["a"] },
          { properties: { type: { enum: ["B"] } }, required: ["b"], not: { required: ["a"] } },
        ],
      },
    },
    values: [[{ type: "A", a: "x" }], [{ type: "B", b: 1, a: "x" }], [{ type: "C" }, { type: "A" }], [{}]],
  },
  embedded: {
    schema: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    values: [
      {},
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a", labels: { a: "b" }, gone: 1, annotations: {} },
        spec: { x: 1 },
      },
      { apiVersion: "a/b/c", kind: "bad kind", metadata: { name: "UPPER", labels: { "-a": "b b" } } },
      { apiVersion: "", kind: "" },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "a/b", namespace: "Not OK", finalizers: ["-x"] } },
      { apiVersion: "v1", kind: "Pod", metadata: { ownerReferences: [{ name: "x" }], generateName: "b-" } },
    ],
  },
  embeddedWithProperties: {
    schema: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      properties: { spec: { type: "object", properties: { a: { type: "string", default: "d" } } } },
    },
    values: [
      { apiVersion: "v1", kind: "A", metadata: { name: "n" }, spec: { b: 1 }, gone: 1 },
      { apiVersion: "v1", kind: "A" },
    ],
  },
  metadataField: {
    schema: { type: "object", properties: { metadata: { type: "object", properties: { a: text } } } },
    values: [{ metadata: { a: "x", b: 1 }, kind: "x" }],
  },
};

const textFormats: Readonly<Record<string, readonly string[]>> = {
  date: ["2024-02-29", "2023-02-29", "2024-13-01", "24-01-01", "x"],
  "date-time": [
    "2024-02-29T12:00:00Z",
    "2024-02-29T12:00:00.5+01:00",
    "2024-02-29t12:00:00z",
    "2024-02-29 12:00:00Z",
    "2024-02-29T25:00:00Z",
    "now",
  ],
  duration: ["1h30m", "2 days", "1.5s", "5", "", "-1m", "three weeks", "3wk", "1h x"],
  email: ["a@b.c", "A B <a@b.c>", "a@", "@b", "a b@c", "", '"q q"@x.y'],
  hostname: ["a.example.com", "-a", "a..b", "a_b", "example", "ex-ample.co", "1.2.3.4"],
  ipv4: ["1.2.3.4", "01.2.3.4", "256.1.1.1", "::1", "::ffff:1.2.3.4", "1.2.3"],
  ipv6: ["::1", "2001:db8::1", "1.2.3.4", "::ffff:1.2.3.4", "1::2::3", "fe80::1%eth0", "g::"],
  cidr: ["10.0.0.0/8", "10.0.0.1/33", "::/0", "10.0.0.0", "2001:db8::/129", "1.2.3.4/08"],
  mac: ["00:00:5e:00:53:01", "0000.5e00.5301", "00-00-5e-00-53-01", "00:00:5e:00:53", "x", "00:00-5e:00:53:01"],
  uuid: ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "123", ""],
  uuid3: ["123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
  uuid4: ["123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-1456-426614174000"],
  uuid5: ["123e4567-e89b-52d3-a456-426614174000", "x"],
  uri: [
    "https://a.b/c?d=e",
    "/path",
    "relative",
    "",
    "http://[::1]:80/",
    "http://[::1",
    "mailto:a@b",
    "http://a b/",
    "%zz",
    "//host/p",
  ],
  byte: ["aGk=", "aGk", "", "####"],
  password: ["anything"],
  isbn: ["0321751043", "978-0321751041", "123"],
  isbn10: ["0321751043", "0321751044"],
  isbn13: ["978-0321751041", "9780321751042"],
  creditcard: ["4111111111111111", "4111-1111-1111-1111", "4111111111111112", "x"],
  ssn: ["111-11-1111", "111 11 1111", "111111111", "x"],
  hexcolor: ["#FFFFFF", "fff", "#ff", "#gggggg"],
  rgbcolor: ["rgb(1,2,3)", "rgb( 255 , 0,0 )", "rgb(256,0,0)", "rgb(1,2)"],
  bsonobjectid: ["507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901"],
  "k8s-short-name": ["a-b", "a.b", "A", ""],
  "k8s-long-name": ["a.b-c", "a..b", "-a"],
  unheardOf: ["anything"],
};

export const formatCases: Readonly<Record<string, SchemaCase>> = Object.fromEntries(
  Object.entries(textFormats).map(([format, values]) => [
    `format${format.replace(/[^a-z0-9]/gi, "")}`,
    { schema: { type: "string", format }, values: [...values, 5, [], true, {}] },
  ]),
);

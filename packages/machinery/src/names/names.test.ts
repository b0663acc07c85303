import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  fnv1a32,
  fnv1a64,
  generateName,
  hashedName,
  labelValueErrors,
  qualifiedNameErrors,
  randomSuffix,
  safeEncode,
} from "./index.ts";

const long = (length: number) => "a".repeat(length);

describe("a DNS label", () => {
  test.each(["a", "a-b", "0", "123-abc", long(63)])("may be %s", (value) => {
    expect(dns1123LabelErrors(value)).toEqual([]);
  });

  test.each([
    ["a.b", ["must not contain dots"]],
    [long(64), ["must be no more than 63 characters"]],
    [
      "A",
      [
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
  ])("may not be %s, in the words of Kubernetes", (value, errors) => {
    expect(dns1123LabelErrors(value)).toEqual(errors);
  });

  test.each(["", "-a", "a-", "a_b", "é", "a\n", `${long(64)}-`])("may not be %j", (value) => {
    expect(dns1123LabelErrors(value)).not.toEqual([]);
  });

  test("begins with a letter where RFC 1035 holds", () => {
    expect(dns1035LabelErrors("a-1")).toEqual([]);
    expect(dns1035LabelErrors("1-a")).toEqual([
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ]);
  });
});

describe("a DNS subdomain", () => {
  test.each(["a", "a.b", "a-b.c1", "1.2.3", long(253)])("may be %s", (value) => {
    expect(dns1123SubdomainErrors(value)).toEqual([]);
  });

  test("may not be longer than 253 or hold capitals", () => {
    expect(dns1123SubdomainErrors(long(254))).toEqual(["must be no more than 253 characters"]);
    expect(dns1123SubdomainErrors("My.name")).toEqual([
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ]);
  });

  test.each(["", ".a", "a.", "a..b", "a.-b"])("may not be %j", (value) => {
    expect(dns1123SubdomainErrors(value)).not.toEqual([]);
  });
});

describe("a label key", () => {
  test.each(["a", "A_b.c-d", "app.kubernetes.io/name", "1/2", `${long(253)}/${long(63)}`])("may be %s", (value) => {
    expect(qualifiedNameErrors(value)).toEqual([]);
  });

  const rule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  test.each([
    ["", ["name part must be non-empty", `name part ${rule}`]],
    ["/a", ["prefix part must be non-empty"]],
    [long(64), ["name part must be no more than 63 bytes"]],
    [`${long(254)}/a`, ["prefix part must be no more than 253 bytes"]],
    ["-a", [`name part ${rule}`]],
    ["a/b/c", [`a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]],
  ])("may not be %j, in the words of Kubernetes", (value, errors) => {
    expect(qualifiedNameErrors(value)).toEqual(errors);
  });
});

describe("a label value", () => {
  test.each(["", "a", "A_b.c-d", long(63)])("may be %j", (value) => {
    expect(labelValueErrors(value)).toEqual([]);
  });

  test("may not be longer than 63 bytes", () => {
    expect(labelValueErrors(long(64))).toEqual(["must be no more than 63 bytes"]);
    expect(labelValueErrors("é".repeat(32))).toContain("must be no more than 63 bytes");
  });

  test.each(["-a", "a b", "a/b", "_"])("may not be %j", (value) => {
    expect(labelValueErrors(value)).not.toEqual([]);
  });
});

describe("the FNV-1a hash", () => {
  test.each([
    ["", 0x811c9dc5, 0xcbf29ce484222325n],
    ["a", 0xe40c292c, 0xaf63dc4c8601ec8cn],
    ["foobar", 0xbf9cf968, 0x85944171f73967e8n],
  ])("of %j is as published", (text, hash32, hash64) => {
    expect(fnv1a32(text)).toBe(hash32);
    expect(fnv1a64(text)).toBe(hash64);
  });
});

describe("a hashed name", () => {
  test("is the parts joined, while they are short enough", () => {
    expect(hashedName(["pvc", "default", "data"], 63)).toBe("pvc-default-data");
  });

  test("never changes", () => {
    expect(hashedName(["snapshot", long(80)], 40)).toBe("snapshot-aaaaaaaaaaaaaa-b5b9832d0a6d6356");
  });

  test("tells apart parts that would join alike", () => {
    expect(hashedName(["a-b", long(70)], 63)).not.toBe(hashedName(["a", `b-${long(70)}`], 63));
  });

  test("is a valid label of at most the length asked for", () => {
    const part = fc.stringMatching(/^[a-c0-9]{1,40}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.integer({ min: 16, max: 63 }), (parts, max) => {
        const name = hashedName(parts, max);
        expect(name.length).toBeLessThanOrEqual(max);
        expect(dns1123LabelErrors(name)).toEqual([]);
      }),
    );
  });

  test("needs room for the hash", () => {
    expect(() => hashedName([long(20)], 15)).toThrow(RangeError);
  });
});

describe("a generated name", () => {
  test("is the base and five letters", () => {
    expect(generateName("pod-", () => 0)).toBe("pod-bbbbb");
    expect(generateName("pod-", () => 0.999_999)).toBe("pod-99999");
    expect(generateName("pod-", Math.random)).toMatch(/^pod-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test("has at most 63 characters, whatever the base", () => {
    expect(generateName(long(100), () => 0)).toBe(`${long(58)}bbbbb`);
  });

  test("can have a suffix of another length", () => {
    expect(randomSuffix(() => 0.5, 8)).toHaveLength(8);
  });

  test("spells a hash as Kubernetes does", () => {
    expect(safeEncode("1234567890")).toBe("56789bcdf4");
  });
});

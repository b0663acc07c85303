import { describe, expect, it } from "vitest";
import { isSameStatus } from "./status-equality.ts";
import { templateHash } from "./template-hash.ts";

const template = { metadata: { labels: { a: "1", b: "2" } }, spec: { containers: [{ name: "main" }] } };

describe("the hash of a template", () => {
  it("is the same for what means the same", () => {
    const other = { spec: { volumes: [], containers: [{ name: "main" }] }, metadata: { labels: { b: "2", a: "1" } } };
    expect(templateHash(other, undefined)).toBe(templateHash(template, undefined));
  });

  it("is another for another template, and after a collision", () => {
    const changed = { ...template, spec: { containers: [{ name: "other" }] } };
    const hashes = [templateHash(template, undefined), templateHash(changed, undefined), templateHash(template, 1)];
    expect(new Set(hashes).size).toBe(3);
  });

  it("never changes: another value would roll out all workloads anew", () => {
    expect(templateHash(template, undefined)).toBe("6d878bdc8b");
  });
});

describe("two statuses", () => {
  it("are the same when only zeros and empty lists are left out", () => {
    expect(isSameStatus({ replicas: 1, readyReplicas: 0, conditions: [] }, { replicas: 1 })).toBe(true);
    expect(isSameStatus({ replicas: 1 }, { replicas: 2 })).toBe(false);
    expect(isSameStatus(undefined, { replicas: 0 })).toBe(true);
  });
});

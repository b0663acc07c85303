import { describe, expect, it } from "vitest";
import { type DecoderOptions, GoDecoder } from "./go-decoder.ts";

function read(type: string, object: object, options: DecoderOptions = {}) {
  const decoder = new GoDecoder(options);
  return { object: decoder.struct(type, object as never), problem: decoder.problem, unknown: decoder.unknownFields };
}

describe("an object read by the types of the original", () => {
  it("loses what is empty and no pointer, and keeps what is a pointer", () => {
    const spec = { replicas: 0, paused: false, minReadySeconds: 0, selector: null };
    expect(read("apps/v1.DeploymentSpec", spec).object).toMatchObject({ replicas: 0, selector: null });
    expect(read("apps/v1.DeploymentSpec", spec).object).not.toHaveProperty("paused");
    expect(read("core/v1.PodSpec", { hostNetwork: false, containers: [] }).object).toEqual({ containers: [] });
  });

  it("has its amounts, times and bytes in the one way of writing them that there is", () => {
    const claim = { resources: { requests: { storage: "1024Mi" } } };
    expect(read("core/v1.PersistentVolumeClaimSpec", claim).object).toEqual({
      resources: { requests: { storage: "1Gi" } },
    });
    const metadata = { deletionTimestamp: "2026-01-01T02:00:00.5+02:00", creationTimestamp: null };
    expect(read("meta/v1.ObjectMeta", metadata).object).toEqual({ deletionTimestamp: "2026-01-01T00:00:00Z" });
  });

  it.each([
    ["core/v1.ConfigMap", { data: "x" }, "string into Go struct field ConfigMap.data of type map[string]string"],
    ["core/v1.ConfigMap", { data: { a: 1 } }, "number into Go struct field ConfigMap.data of type string"],
    ["core/v1.ConfigMap", { metadata: [] }, "array into Go struct field ConfigMap.metadata of type v1.ObjectMeta"],
    [
      "core/v1.Pod",
      { spec: { containers: [{ ports: [{ containerPort: 1.5 }] }] } },
      "number 1.5 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32",
    ],
  ])("of the type %s says where %j is of another", (type, object, problem) => {
    expect(read(type, object).problem).toBe(`json: cannot unmarshal ${problem}`);
  });

  it("has other words for what was merged", () => {
    const merged = { isMerged: true };
    expect(read("apps/v1.Deployment", { spec: [] }, merged).problem).toBe("cannot restore struct from: slice");
    expect(read("core/v1.ConfigMap", { data: { a: 1 } }, merged).problem).toBe("cannot convert int64 to string");
  });

  it("ends with what its own type cannot read, though something else was of another type before", () => {
    const container = { name: 1, resources: { limits: { cpu: "x y" } } };
    expect(read("core/v1.PodSpec", { containers: [container] }).problem).toMatch(/^quantities must match/);
    const rolling = { name: 1, maxSurge: 1.5 };
    expect(read("apps/v1.RollingUpdateDeployment", rolling).problem).toBe(
      "json: cannot unmarshal number 1.5 into Go struct field RollingUpdateDeployment.maxSurge of type int32",
    );
    expect(read("apps/v1.RollingUpdateDeployment", rolling, { isMerged: true }).problem).toBe(
      "json: cannot unmarshal number 1.5 into Go value of type int32",
    );
  });

  it("refuses bytes that are none, and whole numbers that were not written so", () => {
    expect(read("core/v1.Secret", { data: { a: "bad!" } }).problem).toBe("illegal base64 data at input byte 3");
    const oddNumbers = new Map([["generation", "1e2"]]);
    expect(read("meta/v1.ObjectMeta", { generation: 100 }, { oddNumbers }).problem).toMatch(
      /^json: .* number 1e2 into/,
    );
  });
});

import { systemClock } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { ApiError } from "../answers/index.ts";
import { ResourceRegistry } from "../resources/index.ts";
import { refusalEncoding } from "./answer-encoding.ts";
import { outputFor } from "./negotiation.ts";

const maps = new ResourceRegistry().find({ group: "", version: "v1", plural: "configmaps" });
if (maps === undefined) throw new TypeError("there are no maps");
const resource = maps;
const object = '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}';
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";

/** The type, and the kind of what is sent; or why nothing is. */
function answered(accept: string, { verb = "get", query = "", userAgent = "test" } = {}): string {
  try {
    const request = { accept, userAgent, query: new URLSearchParams(query), verb, resource, subresource: undefined };
    const { formOf, contentType, encoded } = outputFor(systemClock, request);
    const [kind = ""] = /(?<=kind"?: ?"?)\w+/.exec(encoded(formOf(resource).object(object))) ?? [];
    return `${contentType} ${kind}`;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.status.code} ${error.status.message}`;
  }
}

describe("what a client accepts", () => {
  it.each([
    ["", "application/json ConfigMap"],
    ["*/*", "application/json ConfigMap"],
    ["application/yaml", "application/yaml ConfigMap"],
    ["application/json;q=0.1,application/yaml", "application/yaml ConfigMap"],
    [table, "application/json Table"],
    [`${table},application/json`, "application/json Table"],
    ["application/json;as=Table;v=v2;g=meta.k8s.io,application/json", "application/json ConfigMap"],
    ["application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", "application/json PartialObjectMetadata"],
    ["application/vnd.kubernetes.protobuf,application/json", "application/json ConfigMap"],
  ])("%s is answered by %s", (accept, answer) => {
    expect(answered(accept)).toBe(answer);
  });

  it("is refused where it cannot be met", () => {
    expect(answered("text/plain")).toBe(
      "406 406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
    expect(answered("application/json;as=Chair;v=v1;g=meta.k8s.io")).toBe(
      "406 only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    );
    expect(answered("application/yaml", { verb: "watch" })).toBe(
      "406 only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
    );
  });

  it("is not said to include protobuf when protobuf was refused", () => {
    expect(answered("application/vnd.kubernetes.protobuf")).toBe(
      "406 only the following media types are accepted: application/json, application/yaml",
    );
  });

  it("is refused where an object is no list, and a list no object", () => {
    expect(answered("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")).toBe(
      "406 you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
    );
    expect(answered("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", { verb: "list" })).toBe(
      "406 you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
    );
  });

  it("is refused where nobody knows what to include", () => {
    expect(answered(table, { query: "includeObject=Some" })).toBe(
      "400 Unable to convert to Table as requested: includeObject: Invalid value: \"Some\": must be 'Metadata', 'Object', 'None', or empty",
    );
  });
});

describe("a refusal", () => {
  const told = (accept: string, query = "", userAgent = "test") =>
    refusalEncoding({ accept, userAgent, query: new URLSearchParams(query) }).encoded('{"a":{},"b":[1e25,"\\"{"]}');

  it("is laid out for people where the client wants nothing plain, or looks like one", () => {
    const pretty = '{\n  "a": {},\n  "b": [\n    1e25,\n    "\\"{"\n  ]\n}';
    expect([told(table), told("*/*", "pretty=1"), told("*/*", "", "curl/8")]).toEqual([pretty, pretty, pretty]);
  });

  it("is as the client wants it otherwise", () => {
    expect(told(`${table},application/json`)).toBe('{"a":{},"b":[1e25,"\\"{"]}\n');
    expect(told("application/yaml")).toBe("a: {}\nb:\n- 1e+25\n- '\"{'\n");
    expect(told("*/*", "pretty=false", "curl/8")).toContain('{"a":{}');
  });
});

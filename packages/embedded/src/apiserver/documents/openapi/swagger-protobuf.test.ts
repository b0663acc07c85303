import { expect, it } from "vitest";
import { bytesOf } from "../../protobuf/wire-reader.ts";
import { swaggerProtobuf } from "./swagger-protobuf.ts";

/** What is in the field of that number, and in the field of the next number in there. */
function within(message: Uint8Array, ...path: readonly number[]): Buffer {
  return path.reduce<Buffer>((inner, number) => bytesOf(inner, number), Buffer.from(message));
}

it("writes schemas as Go clients read them", () => {
  const boat = {
    description: "A boat.",
    type: "object",
    required: ["spec"],
    properties: { spec: { $ref: "#/definitions/Spec" } },
    "x-kubernetes-group-version-kind": [{ group: "harbour.test", version: "v1", kind: "Boat" }],
  };
  const bytes = swaggerProtobuf({ swagger: "2.0", definitions: { Boat: boat } });
  expect(within(bytes, 1).toString()).toBe("2.0");
  const definition = [9, 1];
  expect(within(bytes, ...definition, 1).toString()).toBe("Boat");
  const schema = [...definition, 2];
  expect(within(bytes, ...schema, 4).toString()).toBe("A boat.");
  expect(within(bytes, ...schema, 19).toString()).toBe("spec");
  expect(within(bytes, ...schema, 22, 1).toString()).toBe("object");
  expect(within(bytes, ...schema, 25, 1, 1).toString()).toBe("spec");
  expect(within(bytes, ...schema, 25, 1, 2, 1).toString()).toBe("#/definitions/Spec");
  expect(within(bytes, ...schema, 31, 1).toString()).toBe("x-kubernetes-group-version-kind");
  expect(within(bytes, ...schema, 31, 2, 2).toString()).toBe('[{"group":"harbour.test","version":"v1","kind":"Boat"}]');
});

it("writes parameters by where they stand", () => {
  const written = (parameter: object) =>
    within(swaggerProtobuf({ paths: { "/a": { get: { parameters: [parameter] } } } }), 8, 2, 2, 2, 8, 1, 2);
  const query = written({ name: "watch", in: "query", type: "boolean", uniqueItems: true });
  expect(within(query, 3, 4).toString()).toBe("watch");
  expect(within(query, 3, 6).toString()).toBe("boolean");
  const path = written({ name: "name", in: "path", type: "string", required: true });
  expect(within(path, 4, 4).toString()).toBe("name");
  expect(within(path, 4, 5).toString()).toBe("string");
});

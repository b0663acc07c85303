import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CreateVolumeRequestSchema,
  file_csi,
  ListVolumesResponseSchema,
  NodeGetInfoResponseSchema,
  NodePublishVolumeRequestSchema,
  ProbeResponseSchema,
  VolumeCapability_AccessMode_Mode,
} from "../generated/csi_pb.js";
import { isSecret, REDACTED, redact, stripSecrets } from "./redaction.ts";
import { maskSecrets, secretValues } from "./secret-values.ts";

/** Cannot be part of anything that is not secret below. */
const MARK = "§TOP-SECRET§";

/** A message with all of its fields set, the secrets marked and the rest filled with the given text. */
function filled(schema: DescMessage, text: string, depth = 0): Message {
  const message = reflect(schema, create(schema));
  for (const field of schema.fields) fill(message, field, { text, depth });
  return message.message;
}

function fill(
  message: ReturnType<typeof reflect>,
  field: DescField,
  { text, depth }: { text: string; depth: number },
): void {
  if (field.fieldKind === "map") {
    message.get(field).set(isSecret(field) ? "key" : text, isSecret(field) ? MARK : text);
  } else if (field.fieldKind === "list" && field.listKind === "message") {
    message.get(field).add(reflect(field.message, filled(field.message, text, depth + 1)));
  } else if (field.fieldKind === "list") {
    message.get(field).add(field.listKind === "enum" ? 1 : text);
  } else if (field.fieldKind === "message") {
    message.set(field, reflect(field.message, filled(field.message, text, depth + 1)));
  } else if (field.fieldKind === "enum") {
    message.set(field, 1);
  } else {
    message.set(field, scalarLike(message.get(field), text));
  }
}

function scalarLike(current: unknown, text: string): unknown {
  if (typeof current === "bigint") return 9_007_199_254_740_993n;
  if (typeof current === "number") return 7;
  return typeof current === "boolean" ? true : text;
}

describe("a message for logs", () => {
  it("has no secret, whatever the message", () => {
    const ordinary = fc.string({ unit: "grapheme", maxLength: 600 }).filter((text) => !text.includes("§"));
    fc.assert(
      fc.property(fc.constantFrom(...file_csi.messages), ordinary, (schema, text) => {
        const message = filled(schema, text);
        expect(JSON.stringify(redact(schema, message))).not.toContain(MARK);
        expect(JSON.stringify(stripSecrets(message))).not.toContain(MARK);
        expect(maskSecrets(`failed: ${MARK}`, secretValues(schema, message)).includes(MARK)).toBe(!hasSecret(schema));
      }),
      { numRuns: 400 },
    );
  });

  it("is checked against every field that is called a secret", () => {
    const requests = file_csi.messages.filter(hasSecret).map(({ name }) => name);
    const named = file_csi.messages.filter(({ fields }) => fields.some(({ name }) => name.includes("secret")));
    expect(requests).toEqual(named.map(({ name }) => name));
    expect(requests.length).toBeGreaterThan(15);
  });

  it("shows the rest by the names of the protocol", () => {
    const message = create(NodePublishVolumeRequestSchema, {
      volumeId: "v",
      targetPath: "/t",
      volumeCapability: {
        accessType: { case: "mount", value: { fsType: "xfs" } },
        accessMode: { mode: VolumeCapability_AccessMode_Mode.SINGLE_NODE_WRITER },
      },
      secrets: { user: "admin" },
      volumeContext: { pool: "p" },
    });
    expect(stripSecrets(message)).toEqual({
      volume_id: "v",
      target_path: "/t",
      volume_capability: { mount: { fs_type: "xfs" }, access_mode: { mode: "SINGLE_NODE_WRITER" } },
      secrets: REDACTED,
      volume_context: { pool: "p" },
    });
  });

  it("has int64 as text, since JSON would round it", () => {
    const message = create(NodeGetInfoResponseSchema, { maxVolumesPerNode: 9_007_199_254_740_993n });
    expect(redact(NodeGetInfoResponseSchema, message)).toEqual({ max_volumes_per_node: "9007199254740993" });
  });

  it("shows wrapped values, and enums of a later version by number", () => {
    expect(stripSecrets(create(ProbeResponseSchema, { ready: true }))).toEqual({ ready: { value: true } });
    const capability = { accessMode: { mode: 99 as never } };
    expect(stripSecrets(create(CreateVolumeRequestSchema, { volumeCapabilities: [capability] }))).toEqual({
      volume_capabilities: [{ access_mode: { mode: 99 } }],
    });
  });

  it("cuts long texts between characters, and long lists", () => {
    const named = redact(
      CreateVolumeRequestSchema,
      create(CreateVolumeRequestSchema, { name: `${"x".repeat(255)}😀y` }),
    );
    expect(named).toEqual({ name: `${"x".repeat(255)}… (3 more)` });
    const entries = Array.from({ length: 1000 }, (_, index) => ({ volume: { volumeId: `v${index}` } }));
    const listed = stripSecrets(create(ListVolumesResponseSchema, { entries })) as { entries: unknown[] };
    expect(listed.entries).toHaveLength(33);
    expect(listed.entries.at(-1)).toBe("(968 more)");
  });

  it("shows nothing of a message that is not of the protocol", () => {
    expect(stripSecrets({ $typeName: "other.Message", secret: "x" } as Message)).toBe(REDACTED);
  });
});

describe("secrets in the words of others", () => {
  it("are masked, the longest first", () => {
    const message = create(CreateVolumeRequestSchema, { secrets: { a: "pass", b: "password", c: "x" } });
    const secrets = secretValues(CreateVolumeRequestSchema, message);
    expect(secrets).toEqual(["password", "pass", "x"]);
    expect(maskSecrets("password pass x", secrets)).toBe(`${REDACTED} ${REDACTED} x`);
  });
});

function hasSecret(schema: DescMessage): boolean {
  return schema.fields.some(isSecret);
}

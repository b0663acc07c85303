import { expect, it } from "vitest";
import { moment, objectId, octets, wholeNumber } from "./der.ts";

it.each([
  ["00", "020100"],
  ["0007", "020107"],
  ["007f", "02017f"],
  ["80", "02020080"],
])("the number %s is written as %s", (bytes, encoded) => {
  expect(wholeNumber(Buffer.from(bytes, "hex")).toString("hex")).toBe(encoded);
});

it.each([
  [127, "047f"],
  [128, "048180"],
  [256, "04820100"],
  [70_000, "0483011170"],
])("a length of %i begins %s", (length, start) => {
  expect(octets(Buffer.alloc(length)).toString("hex").startsWith(start)).toBe(true);
});

it.each([
  ["2026-11-05T06:07:08.900Z", 0x17, "261105060708Z"],
  ["2049-12-31T23:59:59Z", 0x17, "491231235959Z"],
  ["2050-01-01T00:00:00Z", 0x18, "20500101000000Z"],
])("the moment %s is written as the standard asks", (time, tag, digits) => {
  const written = moment(Date.parse(time));
  expect([written[0], written.subarray(2).toString()]).toEqual([tag, digits]);
});

it("an object identifier has its first two parts in one byte and large parts in several", () => {
  expect(objectId("1.2.840.10045.4.3.2").toString("hex")).toBe("06082a8648ce3d040302");
});

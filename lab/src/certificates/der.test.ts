import { expect, it } from "vitest";
import { integer, objectIdentifier, octetString, utcTime } from "./der.ts";

it.each([
  ["00", "020100"],
  ["0007", "020107"],
  ["80", "02020080"],
])("the number %s is written as %s", (bytes, encoded) => {
  expect(integer(Buffer.from(bytes, "hex")).toString("hex")).toBe(encoded);
});

it("an object identifier has its first two parts in one byte and large parts in several", () => {
  expect(objectIdentifier("1.2.840.10045.4.3.2").toString("hex")).toBe("06082a8648ce3d040302");
});

it.each([
  [127, "047f"],
  [128, "048180"],
  [256, "04820100"],
])("a length of %i begins %s", (length, start) => {
  expect(octetString(Buffer.alloc(length)).toString("hex").startsWith(start)).toBe(true);
});

it("a time has two digits for the year", () => {
  expect(utcTime(new Date("2026-11-05T06:07:08.900Z")).subarray(2).toString()).toBe("261105060708Z");
});

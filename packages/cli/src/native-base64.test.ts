import { expect, it } from "vitest";
import "./native-base64.ts";

function decode(text: string, size: number) {
  const bytes = new Uint8Array(size);
  const target = bytes as Uint8Array & { setFromBase64(text: string): { read: number; written: number } };
  return { ...target.setFromBase64(text), bytes: [...bytes] };
}

it("decodes into the array and says how much it read and wrote", () => {
  expect(decode("AQID", 3)).toEqual({ read: 4, written: 3, bytes: [1, 2, 3] });
  expect(decode("AQ==", 2)).toEqual({ read: 4, written: 1, bytes: [1, 0] });
  expect(decode("", 0)).toEqual({ read: 0, written: 0, bytes: [] });
});

it("refuses what is not base64", () => {
  expect(() => decode("A?==", 4)).toThrow(SyntaxError);
});

it("is no property that shows when an array is looked through", () => {
  expect(Object.keys(Uint8Array.prototype)).toEqual([]);
});

import type { Change } from "../../store/index.ts";
import { withValue } from "./json-text.ts";
import type { ObjectForm } from "./object-form.ts";
import { ObjectView, type Selection } from "./selection.ts";

type EventType = "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";

/** An event as it is sent; the object is JSON already. */
export function eventLine(type: EventType, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}

/** One change, seen by many watchers: whatever is decoded or written for one of them is there for the others. */
export class ChangeView {
  readonly change: Change;
  readonly #before: ObjectView | undefined;
  readonly #now: ObjectView | undefined;
  readonly #lines = new Map<string, string>();

  constructor(change: Change) {
    const { key, text, previous } = change;
    this.change = change;
    this.#before = previous && new ObjectView(previous);
    this.#now = text === undefined ? undefined : new ObjectView({ key, text });
  }

  /** What it is to somebody who sees the selected objects only; undefined when it is nothing. */
  lineFor(selection: Selection, form: ObjectForm): string | undefined {
    const before = this.#before !== undefined && selection.matches(this.#before) ? this.#before : undefined;
    const now = this.#now !== undefined && selection.matches(this.#now) ? this.#now : undefined;
    if (now !== undefined) return this.#line(before === undefined ? "ADDED" : "MODIFIED", form, now);
    return before && this.#line("DELETED", form, before);
  }

  #line(type: EventType, form: ObjectForm, { text }: ObjectView): string {
    const id = `${type} ${form.id}`;
    const known = this.#lines.get(id);
    if (known !== undefined) return known;
    const line = eventLine(type, form.object(type === "DELETED" ? this.#lastText(text) : text));
    this.#lines.set(id, line);
    return line;
  }

  /** What was last, with the version of its going: a client goes on from there. */
  #lastText(text: string): string {
    return withValue(text, ["metadata", "resourceVersion"], `"${this.change.revision}"`);
  }
}

import { StowageError } from "@stowage/machinery";

/** By token, without the `${}`: `pvc.namespace`. */
export type TemplateValues = Readonly<Record<string, string>>;

// `${name}`, and `$name` as Go's os.Expand has it too; a lone `$` at the end stays as it is.
const TOKEN = /\$(?:\{(?<braced>[^}]*)\}|(?<plain>[A-Za-z_]\w*|[*#$@!?\-0-9]))/gu;

/** The template with its tokens replaced. Every token must be known: a name with a hole in it would be another Secret's. */
export function expandTemplate(template: string, values: TemplateValues): string {
  const unknown: string[] = [];
  const expanded = template.replaceAll(TOKEN, (_whole, braced?: string, plain?: string) => {
    const token = braced ?? plain ?? "";
    const value = Object.hasOwn(values, token) ? values[token] : undefined;
    if (value === undefined) unknown.push(token);
    return value ?? "";
  });
  if (unknown.length > 0) {
    throw new StowageError(
      "SECRET_TEMPLATE_INVALID",
      `${JSON.stringify(template)} has tokens that mean nothing here: ${unknown.map((token) => `\${${token}}`).join(", ")}`,
      {
        nextStep: `Use only ${
          Object.keys(values)
            .map((token) => `\${${token}}`)
            .join(", ") || "plain names"
        }.`,
      },
    );
  }
  return expanded;
}

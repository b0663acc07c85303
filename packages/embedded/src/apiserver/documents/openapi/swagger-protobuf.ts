import { ProtobufWriter } from "./protobuf-writer.ts";

/**
 * Version 2 of OpenAPI in the binary form that Go clients ask for: messages of gnostic's `openapi.v2`. Each table has what of a JSON
 * object goes into which field, and how.
 */
type Encode = (writer: ProtobufWriter, number: number, value: never) => void;
type Fields = Readonly<Record<string, readonly [number: number, encode: Encode]>>;
type Values = Readonly<Record<string, unknown>>;

const text: Encode = (writer, number, value: string) => writer.text(number, value);
const flag: Encode = (writer, number, value: boolean) => writer.integer(number, value ? 1 : 0);
const integer: Encode = (writer, number, value: number) => writer.integer(number, value);
const double: Encode = (writer, number, value: number) => writer.double(number, value);

/** A value that the form has no fields for is kept as YAML, which JSON is. */
const any: Encode = (writer, number, value: unknown) =>
  writer.message(number, (inner) => inner.text(2, JSON.stringify(value)));

const each =
  (encode: Encode): Encode =>
  (writer, number, values: readonly unknown[]) => {
    for (const value of values) encode(writer, number, value as never);
  };

const texts = each(text);

/** In a field of a message of its own, which is all that message has. */
const within =
  (inside: number, encode: Encode): Encode =>
  (writer, number, value) =>
    writer.message(number, (inner) => encode(inner, inside, value));

/** A map is a list of names with their values. */
const named =
  (encode: Encode): Encode =>
  (writer, number, values: Values) => {
    for (const [name, value] of Object.entries(values)) {
      writer.message(number, (inner) => {
        inner.text(1, name);
        encode(inner, 2, value as never);
      });
    }
  };

/** What begins with `x-` goes into the field of that number. */
const message =
  (fields: () => Fields, extensionNumber: number): Encode =>
  (writer, number, values: Values) =>
    writer.message(number, (inner) => writeFields(inner, values, { fields: fields(), extensionNumber }));

interface MessageForm {
  readonly fields: Fields;
  readonly extensionNumber: number;
}

function writeFields(writer: ProtobufWriter, values: Values, { fields, extensionNumber }: MessageForm): void {
  for (const [name, value] of Object.entries(values)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field !== undefined) field[1](writer, field[0], value as never);
    else if (name.startsWith("x-")) named(any)(writer, extensionNumber, { [name]: value } as never);
  }
}

const schema: Encode = (writer, number, value) => message(() => schemaFields, 31)(writer, number, value);

const additional: Encode = (writer, number, value: unknown) =>
  (typeof value === "boolean" ? within(2, flag) : within(1, schema))(writer, number, value as never);

const externalDocs = message(() => ({ description: [1, text], url: [2, text] }), 3);

const schemaFields: Fields = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  default: [5, any],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, flag],
  minimum: [9, double],
  exclusiveMinimum: [10, flag],
  maxLength: [11, integer],
  minLength: [12, integer],
  pattern: [13, text],
  maxItems: [14, integer],
  minItems: [15, integer],
  uniqueItems: [16, flag],
  maxProperties: [17, integer],
  minProperties: [18, integer],
  required: [19, texts],
  enum: [20, each(any)],
  additionalProperties: [21, additional],
  type: [22, within(1, text)],
  items: [23, within(1, schema)],
  properties: [25, within(1, named(schema))],
  externalDocs: [29, externalDocs],
  example: [30, any],
};

const bodyFields: Fields = {
  description: [1, text],
  name: [2, text],
  in: [3, text],
  required: [4, flag],
  schema: [5, schema],
};

const pathFields: Fields = {
  required: [1, flag],
  in: [2, text],
  description: [3, text],
  name: [4, text],
  type: [5, text],
  uniqueItems: [19, flag],
};

const queryFields: Fields = { ...pathFields, type: [6, text], uniqueItems: [20, flag] };

/** What is sent in the body is one kind of message, and each place in the URL another. */
const parameter: Encode = (writer, number, value: Values) => {
  const place = value["in"];
  if (place === "body")
    return within(
      1,
      within(
        1,
        message(() => bodyFields, 6),
      ),
    )(writer, number, value as never);
  const isPath = place === "path";
  const own = isPath ? message(() => pathFields, 22) : message(() => queryFields, 23);
  return within(1, within(2, within(isPath ? 4 : 3, own)))(writer, number, value as never);
};

const response = message(() => ({ description: [1, text], schema: [2, within(1, schema)] }), 5);

const operation = message(
  () => ({
    tags: [1, texts],
    description: [3, text],
    operationId: [5, text],
    produces: [6, texts],
    consumes: [7, texts],
    parameters: [8, each(parameter)],
    responses: [9, within(1, named(within(1, response)))],
    schemes: [10, texts],
  }),
  13,
);

const pathItem = message(
  () => ({
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, each(parameter)],
  }),
  10,
);

const info = message(() => ({ title: [1, text], version: [2, text] }), 7);
const keySecurity = message(() => ({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] }), 5);

const documentFields: Fields = {
  swagger: [1, text],
  info: [2, info],
  paths: [8, within(2, named(pathItem))],
  definitions: [9, within(1, named(schema))],
  security: [12, each(within(1, named(within(1, texts))))],
  securityDefinitions: [13, within(1, named(within(2, keySecurity)))],
};

export function swaggerProtobuf(document: object): Uint8Array {
  const writer = new ProtobufWriter();
  writeFields(writer, document as Values, { fields: documentFields, extensionNumber: 16 });
  return writer.bytes();
}

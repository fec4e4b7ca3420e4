import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Answer, type Call, freshAddress, type Http, methodOf } from '../load/http.js';

type Node = Record<string, unknown>;

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, object>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, object>> };
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The document with objects that have no members but those that it names. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (!isNode(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isClosed = value['type'] === 'object' && isNode(value['properties']) && !('additionalProperties' in value);
  return isClosed ? { ...copy, additionalProperties: false } : copy;
};

const pointer = (...names: readonly string[]): string =>
  `#/${names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;

const matches = (template: string, path: string): boolean => {
  const [parts, given] = [template.split('/'), path.split('/')];
  return parts.length === given.length && parts.every((part, index) => part.startsWith('{') || part === given[index]);
};

/** Holds answers to the OpenAPI document of the service that gave them. */
export class Documented {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(private readonly document: Document) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(closed(document) as object, 'document');
  }

  static async by(http: Http): Promise<Documented> {
    const { json } = await http.expect(200, { path: '/openapi.json', from: freshAddress() });
    return new Documented(json as unknown as Document);
  }

  /** Each as `GET /path`. */
  get operations(): readonly string[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** The answer, if the document describes it. */
  expect(call: Call, answer: Answer): Answer {
    expect([call.method, call.path, this.faultOf(call, answer)]).toEqual([call.method, call.path, undefined]);
    return answer;
  }

  /** What the document does not say of this answer. Undefined where it has nothing to say of the call. */
  faultOf(call: Call, answer: Answer): string | undefined {
    const method = methodOf(call);
    const [template, item] = this.itemOf(call.path.split('?', 1)[0] ?? call.path);
    const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    const response = item?.[verb]?.responses[String(answer.status)];
    if (item?.[verb] === undefined || template === undefined || answer.text === '') return undefined;
    if (response === undefined) return `${answer.status} ${answer.code ?? ''} is not documented`;
    const shared = response.$ref?.split('/').at(-1);
    if (shared !== undefined) return this.errorFault(shared, answer);
    return this.bodyFault(
      pointer('paths', template, verb, 'responses', String(answer.status)),
      answer,
      response.content,
    );
  }

  /** Billing is served with and without a version, and documented without. */
  private itemOf(path: string) {
    const plain = path.replace(/^\/api\/v1\/billing\//, '/billing/');
    const templates = Object.entries(this.document.paths).filter(([template]) => matches(template, plain));
    const exact = templates.find(([template]) => !template.includes('{'));
    return exact ?? templates[0] ?? [];
  }

  private errorFault(shared: string, answer: Answer): string | undefined {
    const response = this.document.components.responses[shared] as {
      readonly content: { readonly 'application/json': { readonly examples: object } };
    };
    const codes = Object.keys(response.content['application/json'].examples);
    if (!codes.includes(answer.code ?? '')) return `${answer.code} is not among the documented ${codes.join(', ')}`;
    return this.bodyFault(pointer('components', 'responses', shared), answer, response.content);
  }

  private bodyFault(at: string, answer: Answer, content: Readonly<Record<string, object>> = {}): string | undefined {
    const type = answer.header('content-type')?.split(';', 1)[0] ?? '';
    if (content[type] === undefined) return `a body of type ${type} is not documented`;
    if (type !== 'application/json' || (content[type] as { schema: { format?: string } }).schema.format === 'binary')
      return undefined;
    const $ref = `document${at}/content/application~1json/schema`;
    const validate = this.ajv.getSchema($ref) ?? this.ajv.compile({ $ref });
    return validate(answer.json) === true
      ? undefined
      : `${this.ajv.errorsText(validate.errors)}: ${answer.text.slice(0, 400)}`;
  }
}

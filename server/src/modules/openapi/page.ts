import { escapeHtml } from '../../core/escapeHtml.ts'
import { apiRoot } from '../../settings/runtimeSettings.ts'
import { describeCodes } from './refusals.ts'
import type { Json } from './schemas.ts'

/** The API document as a page without a script: everything on it is made of the document. */

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Json }>>
}
interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Json[]
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description?: string }>>
  readonly 'x-frames'?: Json
}
interface Document {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>> & { readonly servers?: unknown }>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly schemas: Readonly<Record<string, Json>>
    readonly securitySchemes: Readonly<
      Record<
        string,
        { readonly type: string; readonly scheme?: string; readonly in?: string; readonly description: string }
      >
    >
  }
}

export const pageStyle = `
nav{display:flex;flex-wrap:wrap;gap:4px 16px}nav a{padding:4px 0}
code,pre,td{overflow-wrap:anywhere}pre{max-height:480px;margin:8px 0;scroll-margin-top:64px}
@media(min-width:641px){th code{white-space:nowrap}}
h2{scroll-margin-top:16px}:target{outline:2px solid;outline-offset:4px;border-radius:2px}
summary{padding:4px 0;cursor:pointer}article>code{font-size:14px}article p{margin:8px 0 4px}
table{border-collapse:collapse;width:100%}th,td{text-align:start;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid #8884}
th{font-weight:600}thead th{border-top:0}
@media(max-width:640px){body{padding:16px}thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
tr{display:block;padding:8px 0;border-top:1px solid #8884}th,td{display:block;border:0;padding:1px 0}}`

const toId = (text: string): string => text.replace(/[^\w-]+/g, '-')

/** References become links to where the schema stands. */
const writeJson = (json: unknown): string =>
  escapeHtml(JSON.stringify(json, null, 2)).replace(
    /#\/components\/schemas\/([\w.-]+)/g,
    (all, name: string) => `<a href="#schema-${name}">${all}</a>`,
  )

const details = (label: string, html: string): string =>
  html === '' ? '' : `<details><summary>${escapeHtml(label)}</summary>${html}</details>`

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string => {
  const write = ([first, ...rest]: readonly string[]): string =>
    `<tr><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const head = titles.map((title) => `<th scope="col">${title}</th>`).join('')
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.map(write).join('')}</tbody></table>`
}
const code = (text: string): string => `<code>${escapeHtml(text)}</code>`

/** Words in backquotes are code, as in the tables of the code. */
const writeText = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

function writeContent({ content = {} }: Content): string {
  const byShape = Map.groupBy(Object.entries(content), ([, { schema }]) =>
    schema ? `<pre>${writeJson(schema)}</pre>` : '',
  )
  return [...byShape]
    .map(([shape, types]) => `<p>${types.map(([type]) => code(type)).join('<br>')}</p>${shape}`)
    .join('')
}

function writeType({ type, enum: values, $ref }: Json): string {
  if (Array.isArray(values)) return values.map((value) => code(String(value))).join(' ')
  return typeof $ref === 'string' ? writeJson($ref) : escapeHtml(String(type ?? ''))
}

function writeParameters({ components }: Document, { parameters = [] }: Operation): string {
  const rows = parameters.map((parameter) => {
    const found = '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1) ?? ''] : parameter
    if (!found) throw new Error('A parameter that the document does not have.')
    const { name, in: place, required, description = '', schema } = found
    return [
      code(name),
      `${place}${required ? ', needed' : ''}`,
      [writeType(schema), writeText(description)].filter(Boolean).join(' · '),
    ]
  })
  return rows.length === 0 ? '' : table(['name', 'in', 'what it is'], rows)
}

const writeSecurity = (security: readonly Json[]): string =>
  security
    .flatMap((one) => Object.keys(one))
    .map((name) => `<a href="#security-${name}">${name}</a>`)
    .join(' · ')

function writeOperation(document: Document, address: string, method: string, operation: Operation): string {
  const { summary, description, security, requestBody, responses } = operation
  const done = Object.entries(responses).filter(([status]) => /^[12]/.test(status))
  const answers = done.map(([status, response]) => {
    const content = writeContent(response)
    return content === '' ? '' : `<p>${status} ${escapeHtml(response.description ?? '')}</p>${content}`
  })
  const opened = writeSecurity(security)
  return [
    `<article><code><span class="method">${method.toUpperCase()}</span>${escapeHtml(address)}</code>`,
    `<p>${escapeHtml(summary)}<br><span class="quiet">${writeText(description)}</span></p>`,
    opened === '' ? '' : `<p class="quiet">Opened by ${opened}</p>`,
    details('Parameters', writeParameters(document, operation)),
    details('Body', requestBody ? writeContent(requestBody) : ''),
    details('Answer', answers.join('')),
    details('Frames', operation['x-frames'] ? `<pre>${writeJson(operation['x-frames'])}</pre>` : ''),
    '</article>',
  ].join('')
}

function listOperations(document: Document): { readonly tag: string; readonly html: string }[] {
  const ofPaths = Object.entries(document.paths).flatMap(([path, { servers, ...methods }]) =>
    Object.entries(methods as Readonly<Record<string, Operation>>).map(
      ([method, operation]) => [servers ? path : apiRoot + path, method, operation] as const,
    ),
  )
  const ofWebhooks = Object.entries(document.webhooks).flatMap(([name, methods]) =>
    Object.entries(methods).map(([method, operation]) => [name, method, operation] as const),
  )
  return [...ofPaths, ...ofWebhooks].map(([address, method, operation]) => ({
    tag: operation.tags[0] ?? '',
    html: writeOperation(document, address, method, operation),
  }))
}

const section = (id: string, title: string, html: string): string =>
  `<section><h2 id="${id}">${escapeHtml(title)}</h2>${html}</section>`

export function writePage(made: Json): string {
  const document = made as unknown as Document
  const operations = listOperations(document)
  const { components, tags } = document
  const links = [
    ['security', 'What opens calls'],
    ['refusals', 'Refusals'],
    ...tags.map(({ name }) => [toId(name), name]),
    ['schemas', 'Schemas'],
  ].map(([id, title]) => `<a href="#${id}">${title}</a>`)
  const opening = Object.entries(components.securitySchemes).map(([name, { type, scheme, in: place, description }]) => [
    `<code id="security-${name}">${name}</code>`,
    [type, scheme, place].filter(Boolean).join(' '),
    escapeHtml(description),
  ])
  const refusals = describeCodes().map(([name, { statuses, meaning, cure }]) => [
    code(name),
    statuses.join(', '),
    writeText(meaning),
    writeText(cure),
  ])
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    details(name, `<pre id="schema-${name}">${writeJson(schema)}</pre>`),
  )
  return [
    `<p>Every call, with what it takes, answers and refuses; for programs as <a href="${apiRoot}/openapi.json">OpenAPI 3.1</a>.</p>`,
    `<p>${escapeHtml(document.info.description)}</p><nav aria-label="Sections">${links.join('')}</nav>`,
    section('security', 'What opens calls', table(['name', 'type', 'what it is'], opening)),
    section('refusals', 'Refusals', table(['code', 'status', 'what it means', 'what helps'], refusals)),
    ...tags.map(({ name, description }) =>
      section(
        toId(name),
        name,
        (description === undefined ? '' : `<p>${escapeHtml(description)}</p>`) +
          operations
            .filter(({ tag }) => tag === name)
            .map(({ html }) => html)
            .join(''),
      ),
    ),
    section('schemas', 'Schemas', schemas.join('')),
  ].join('')
}

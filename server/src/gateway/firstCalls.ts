import { toApiAddress } from '@dmp/contract/apiAddress'
import { calls } from '@dmp/contract/calls'
import type { Needs } from '@dmp/contract/endpoint'
import type { Declaration, FirstCall } from '@dmp/contract/remote'
import type { RuntimeSettings } from '@dmp/contract/settings'
import { escapeHtml } from '../core/escapeHtml.ts'
import { readBrowserScript } from './readBrowserScript.ts'

/** What the page's script needs to know of a call that it makes. */
interface PageCall {
  readonly url: string
  /** Properties that are the viewer's organization, which only the browser knows. */
  readonly organization: readonly string[]
  readonly needs: Needs
  readonly unless?: FirstCall['unless']
}

const reads = new Map(calls.filter(({ definition: { method } }) => method === 'GET').map((call) => [call.name, call]))
const code = readBrowserScript(new URL('./firstCalls.browser.js', import.meta.url))

/**
 * The script that makes the first calls of an address before any script of a part has come: the screen takes over the
 * answers. Inline, by the page's nonce. Nothing where the address has no first call.
 */
export function firstCallsScript(
  nonce: string,
  firstCalls: readonly FirstCall[],
  address: string,
  settings: Pick<RuntimeSettings, 'apiRoot'>,
): readonly string[] {
  const asked = firstCalls.flatMap((declared) => toPageCall(declared, address, settings) ?? [])
  if (asked.length === 0) return []
  return [`<script nonce="${nonce}" data-calls="${escapeHtml(JSON.stringify(asked))}">${code}</script>`]
}

/** The first calls that these parts declare. */
export const listFirstCalls = (declarations: readonly (Declaration | undefined)[]): readonly FirstCall[] =>
  declarations.flatMap((declaration) => declaration?.firstCalls ?? [])

function toPageCall(
  declared: FirstCall,
  address: string,
  settings: Pick<RuntimeSettings, 'apiRoot'>,
): PageCall | undefined {
  const [path = '', search = ''] = address.split('?', 2)
  const call = reads.get(declared.call)
  const params = matchPath(declared.at, path)
  // A call that this server does not have: the remote was made for a newer one, and says so itself.
  if (call === undefined || params === undefined) return undefined
  const input = readInput(declared, params, new URLSearchParams(search))
  if (input === undefined) return undefined
  const { path: callPath, needs } = call.definition
  return {
    url: toApiAddress(settings, callPath) + (input.size === 0 ? '' : `?${input}`),
    organization: Object.entries(declared.input).flatMap(([name, source]) =>
      typeof source === 'object' && source.from === 'organization' ? [name] : [],
    ),
    needs,
    ...(declared.unless ? { unless: declared.unless } : {}),
  }
}

/** The parameters of a path, by name; undefined where the path is another one. Words match without regard to case. */
function matchPath(pattern: string, path: string): ReadonlyMap<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.replace(/(?<=.)\/$/, '').split('/')]
  if (wanted.length !== given.length) return undefined
  const params = new Map<string, string>()
  for (const [index, word] of wanted.entries()) {
    const value = given[index] ?? ''
    if (word.startsWith(':')) params.set(word.slice(1), decode(value))
    else if (word !== value.toLowerCase()) return undefined
  }
  return [...params.values()].includes('') ? undefined : params
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/**
 * Undefined where the address says more than the call takes, or what the screen would correct: the screen alone knows
 * what it will ask for.
 */
function readInput(
  { input }: FirstCall,
  params: ReadonlyMap<string, string>,
  query: URLSearchParams,
): URLSearchParams | undefined {
  const fromQuery = (name: string): boolean => {
    const source = Object.hasOwn(input, name) ? input[name] : undefined
    return typeof source === 'object' && source.from === 'query'
  }
  if ([...query].some(([name, value]) => value !== '' && !fromQuery(name))) return undefined
  const entries: [string, string][] = []
  for (const [name, source] of Object.entries(input)) {
    if (typeof source === 'object' && source.from === 'organization') continue
    const value = readValue(name, source, params, query)
    if (value === undefined) return undefined
    entries.push([name, value])
  }
  return new URLSearchParams(entries)
}

function readValue(
  name: string,
  source: FirstCall['input'][string],
  params: ReadonlyMap<string, string>,
  query: URLSearchParams,
): string | undefined {
  if (typeof source !== 'object') return String(source)
  if (source.from !== 'query') return params.get(name)
  const said = query.get(name)
  if ('default' in source) {
    if (said === null) return String(source.default)
    return /^[1-9]\d{0,5}$/.test(said) ? said : undefined
  }
  if (said === null) return String(source.oneOf[0])
  return source.oneOf.some((allowed) => String(allowed) === said) ? said : undefined
}

import { policyActions, type ModuleName } from '../../shared/contract/src/endpoint.ts'
import { rightsOfRole } from '../../shared/contract/src/policy.ts'
import type { Change, Kind, Syntax } from './faults.ts'

/** Words of the domain that mean the opposite, or the next in a row. */
const replacements: Record<Extract<Kind, 'status' | 'permission' | 'flag'>, Record<string, string>> = {
  status: {
    Activated: 'Deactivated',
    Deactivated: 'Activated',
    Approved: 'Rejected',
    Rejected: 'Approved',
    New: 'Approved',
    Enabled: 'Disabled',
    Created: 'Not Created',
  },
  permission: {
    List: 'Get',
    Get: 'List',
    Add: 'List',
    Update: 'Get',
    Activate: 'Update',
    DeActivate: 'Activate',
    Delete: 'List',
    Share: 'List',
    Approve: 'List',
    Reject: 'List',
    UpdateStatus: 'List',
    AssignLicenses: 'List',
    CreateDatastore: 'List',
    ResetTemporaryPassword: 'List',
    SendUpdatedTermsOfUse: 'List',
  },
  flag: { asc: 'desc', desc: 'asc' },
}

/** The meaning of an answer's status. */
const answers: Record<number, number> = {
  400: 409,
  401: 403,
  403: 401,
  404: 403,
  409: 400,
  410: 404,
  413: 400,
  415: 400,
  416: 400,
  422: 400,
  429: 400,
  503: 500,
  507: 503,
}

/** A wrong flag, word or number. */
export function literalFault(node: Syntax, parents: Syntax[], source: string, file: string): Change | undefined {
  const { start, end, value } = node
  const sourceText = source.slice(start, end)
  if (typeof value === 'boolean')
    return { kind: 'flag', start, end, text: String(!value), what: `${value} becomes ${!value}` }
  if (typeof value === 'number') return numberFault(node, value, parents, source, file)
  const [parent] = parents
  const call = parent?.type === 'CallExpression' ? String((parent.callee as { name?: unknown }).name) : ''
  if (parent && call === 'may') return permissionFault(node, (parent.arguments as Syntax[])[0]?.value)
  // Calls that read and write scans by DICOMweb ask for one module.
  if (call === 'scopeOf') return permissionFault(node, 'Scan')
  for (const kind of ['status', 'permission', 'flag'] as const) {
    const other =
      typeof value === 'string' && Object.hasOwn(replacements[kind], value) ? replacements[kind][value] : undefined
    if (other)
      return {
        kind: isName(parents[0]) ? 'flag' : kind,
        start,
        end,
        text: `'${other}'`,
        what: `${sourceText} becomes '${other}'`,
      }
  }
  return undefined
}

/**
 * `may('Scan', 'Get')`: another action, one that other roles have; with the same roles no test could tell.
 */
function permissionFault({ start, end, value }: Syntax, module: unknown): Change | undefined {
  if (typeof module !== 'string' || !Object.hasOwn(policyActions, module) || value === module) return undefined
  const holders = (action: string) =>
    Object.values(rightsOfRole)
      .map((rights) => ((rights as Record<string, readonly string[]>)[module] ?? []).includes(action))
      .join()
  const other = policyActions[module as ModuleName].find((action) => holders(action) !== holders(String(value)))
  return other
    ? { kind: 'permission', start, end, text: `'${other}'`, what: `'${String(value)}' becomes '${other}'` }
    : undefined
}

/** `title="Share"`, `name: 'List'`: what is read by people. */
const isName = (parent: Syntax | undefined): boolean =>
  parent?.type === 'JSXAttribute' ||
  (parent?.type === 'Property' && /^(?:name|title|label)$/.test(String((parent.key as { name?: unknown }).name)))

const comparing = new Set(['<', '<=', '>', '>=', '===', '!=='])

/** A number is a limit where it is compared, caps something or has a name; in sums, places and bits it is none. */
function numberFault(
  { start, end }: Syntax,
  value: number,
  [parent, above]: Syntax[],
  source: string,
  file: string,
): Change | undefined {
  const sourceText = source.slice(start, end)
  const callee =
    parent?.type === 'CallExpression' || parent?.type === 'NewExpression' ? (parent.callee as Syntax) : undefined
  const called = callee ? source.slice(callee.start, callee.end).replace(/^.*\./s, '') : ''
  const otherStatus = answers[value]
  if (called === 'Refusal')
    return otherStatus
      ? { kind: 'status', start, end, text: String(otherStatus), what: `${sourceText} becomes ${otherStatus}` }
      : undefined
  const isCap = /^(?:maxLength|minLength|maxValue|minValue|text|min|max)$/.test(called)
  const isCompared = parent?.type === 'BinaryExpression' && comparing.has(parent.operator as string)
  const name = findName(parent, above, source)
  // How hard is packed and how much is read ahead changes nothing that anybody gets.
  if (/^(?:level|highWaterMark)$/.test(name)) return undefined
  if (value < 1 || !(isCap || isCompared || name !== '' || /(?:^|\/)limits\.ts$/.test(file))) return undefined
  // One millisecond or one byte more is no fault that anybody could name: a time or a large size gets a zero too many.
  const other = value >= 1000 || /(?:ms|seconds|minutes|px|width|height)$/i.test(name) ? value * 10 : value + 1
  return { kind: 'limit', start, end, text: String(other), what: `${sourceText} becomes ${other}` }
}

/** `const answerMs = 600_000`, `{ deepest: 20 }`: the name that a number has. */
function findName(parent: Syntax | undefined, above: Syntax | undefined, source: string): string {
  const key =
    parent?.type === 'VariableDeclarator' && (above as { kind?: unknown } | undefined)?.kind === 'const'
      ? (parent.id as Syntax)
      : parent?.type === 'Property'
        ? (parent.key as Syntax)
        : undefined
  // `{ 200: … }`: there the number is itself the name.
  return key && /^[a-z]/i.test(source[key.start] ?? '') ? source.slice(key.start, key.end) : ''
}

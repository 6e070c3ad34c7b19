import { parseArgs } from 'node:util'
import { limits } from '@dmp/contract/limits'
import type { ReleaseRef } from '@dmp/contract/release'
import { parseBudgets } from './commands/figures.ts'

/** The command line after `npm run release --`, parsed and checked. */
export interface CommandLine {
  readonly command: string
  readonly part: string | undefined
  readonly json: boolean
  readonly stop: boolean
  readonly promote: boolean
  /** `--keep` and `--no-keep`; undefined without either. */
  readonly keep: boolean | undefined
  readonly reason: string | undefined
  readonly store: string | undefined
  /** The deployment that is asked instead of a store. */
  readonly to: string | undefined
  readonly by: string | undefined
  readonly percent: number | undefined
  readonly users: readonly string[]
  readonly releaseId: string | undefined
  /** Of `check` and `activate`: releases that move in the same move. */
  readonly others: readonly ReleaseRef[]
  /** The folder of a finished build. */
  readonly from: string | undefined
  readonly unchecked: string | undefined
  /** Of `preview`: for how many days, of which change, as Markdown, or to its end. */
  readonly days: number | undefined
  readonly change: string | undefined
  readonly summary: boolean
  readonly end: boolean
  /** Of `key`: its name, its public half, and the file for a new private one. */
  readonly name: string | undefined
  readonly publicKey: string | undefined
  readonly file: string | undefined
  /** Of `history`: the file to write, the one to check, and one of before. */
  readonly exportTo: string | undefined
  readonly verify: string | undefined
  readonly earlier: string | undefined
  /** Of `figures`. */
  readonly budget: string | undefined
  /** Of `notices`: `--on` and `--off`; undefined without either. */
  readonly on: boolean | undefined
  /** Of `trust`. */
  readonly trust: 'guest' | 'page' | undefined
  /** The sentence that says what is wrong; undefined when everything is understood. */
  readonly problem: string | undefined
}

const options = {
  json: { type: 'boolean' },
  stop: { type: 'boolean' },
  promote: { type: 'boolean' },
  keep: { type: 'boolean' },
  'no-keep': { type: 'boolean' },
  reason: { type: 'string' },
  store: { type: 'string' },
  to: { type: 'string' },
  by: { type: 'string' },
  percent: { type: 'string' },
  users: { type: 'string' },
  release: { type: 'string' },
  with: { type: 'string' },
  from: { type: 'string' },
  unchecked: { type: 'string' },
  days: { type: 'string' },
  change: { type: 'string' },
  summary: { type: 'boolean' },
  end: { type: 'boolean' },
  name: { type: 'string' },
  public: { type: 'string' },
  file: { type: 'string' },
  export: { type: 'string' },
  verify: { type: 'string' },
  earlier: { type: 'string' },
  budget: { type: 'string' },
  on: { type: 'boolean' },
  off: { type: 'boolean' },
  as: { type: 'string' },
} as const

/** Reads the arguments; options may stand anywhere. The caller checks that the command exists. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  // Tokens rather than strict parsing, so that problems are told in our own sentences.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const [command = '', part, ...rest] = toWords(positionals)
  const text = (name: keyof typeof options): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  const percent = text('percent')
  const days = text('days')
  return {
    command,
    part,
    json: values.json !== undefined,
    stop: values.stop !== undefined,
    promote: values.promote !== undefined,
    keep: values.keep !== undefined ? true : values['no-keep'] !== undefined ? false : undefined,
    reason: text('reason'),
    store: text('store'),
    to: text('to'),
    by: text('by'),
    percent: percent === undefined ? undefined : Number(percent),
    users: parseUsers(text('users') ?? ''),
    releaseId: text('release'),
    others: parseOthers(text('with')),
    from: text('from'),
    unchecked: text('unchecked'),
    days: days === undefined ? undefined : Number(days),
    change: text('change'),
    summary: values.summary !== undefined,
    end: values.end !== undefined,
    name: text('name'),
    publicKey: text('public'),
    file: text('file'),
    exportTo: text('export'),
    verify: text('verify'),
    earlier: text('earlier'),
    budget: text('budget'),
    on: values.on !== undefined ? true : values.off !== undefined ? false : undefined,
    trust: trustWords.find((word) => word === text('as')),
    problem:
      findOptionProblem(tokens) ??
      (rest.length > 0
        ? unexpected(rest[0]!)
        : (findPercentProblem(percent) ??
          findDaysProblem(days) ??
          findBudgetProblem(text('budget')) ??
          findTrustProblem(text('as')) ??
          findOthersProblem(command, part, text('with')))),
  }
}

/** A part alone is the usual wish: from source to live in one command. `key` and its verb are one command. */
function toWords([first = '', second, ...rest]: readonly string[]): string[] {
  const further = second === undefined ? [] : [second, ...rest]
  if (/^(?:host|viewer|remote-.*)$/.test(first)) return ['activate', first, ...further]
  return first === 'key' && second !== undefined ? [`key ${second}`, ...rest] : [first, ...further]
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]

function findOptionProblem(tokens: readonly Token[]): string | undefined {
  for (const token of tokens) {
    if (token.kind === 'option-terminator') return unexpected('--')
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (!Object.hasOwn(options, name)) return `Unknown option ${rawName}.`
    const { type } = options[name as keyof typeof options]
    const isMissing = value === undefined || (!inlineValue && value.startsWith('--'))
    if (type === 'string' && isMissing) return `${rawName} needs a value.`
    if (type === 'boolean' && value !== undefined) return `${rawName} takes no value.`
  }
  return undefined
}

function findPercentProblem(percent: string | undefined): string | undefined {
  return percent === undefined || (Number(percent) > 0 && Number(percent) <= 100)
    ? undefined
    : '--percent needs a number above 0 and up to 100.'
}

function findDaysProblem(days: string | undefined): string | undefined {
  return days === undefined || (/^[1-9]\d?$/.test(days) && Number(days) <= limits.previewMaxDays)
    ? undefined
    : `--days needs a whole number from 1 to ${limits.previewMaxDays}.`
}

function findBudgetProblem(budget: string | undefined): string | undefined {
  try {
    if (budget !== undefined) parseBudgets(budget)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const trustWords = ['guest', 'page'] as const

const findTrustProblem = (word: string | undefined): string | undefined =>
  word === undefined || trustWords.some((known) => known === word) ? undefined : '--as is guest or page.'

const otherPattern = /^(host|viewer|remote-[a-z0-9-]+)@([0-9a-f]{16})$/

const parseOthers = (list = ''): ReleaseRef[] =>
  list.split(',').flatMap((word) => {
    const [, name, releaseId] = otherPattern.exec(word) ?? []
    return name === undefined || releaseId === undefined ? [] : [{ name, releaseId }]
  })

function findOthersProblem(command: string, part: string | undefined, list: string | undefined): string | undefined {
  if (list === undefined) return undefined
  if (command !== 'check' && command !== 'activate') return '--with is for check and activate.'
  const named = [part, ...parseOthers(list).map(({ name }) => name)]
  return named.length === list.split(',').length + 1 && new Set(named).size === named.length
    ? undefined
    : '--with needs other parts with their releases: remote-scan@0123456789abcdef,remote-user@…'
}

const unexpected = (argument: string): string => `Unexpected argument ${argument}.`

const parseUsers = (list: string): string[] =>
  list
    .split(',')
    .map((user) => user.trim().toLowerCase())
    .filter(Boolean)

import type { BucketAccess } from '@dmp/bucket'
import { activateCommand } from './commands/activate.ts'
import { canaryCommand } from './commands/canary.ts'
import { checkCommand } from './commands/check.ts'
import type { Command, Preflight, CommandOptions } from './commands/command.ts'
import { diffCommand } from './commands/diff.ts'
import { historyCommand } from './commands/history.ts'
import { baselineCommand } from './commands/baseline.ts'
import { publishCommand } from './commands/publish.ts'
import { rollbackCommand } from './commands/rollback.ts'
import { statusCommand } from './commands/status.ts'
import { ReleaseRefused } from './move.ts'
import { RegistryConflict } from './store/ReleaseStore.ts'
import { openStore } from './store/openStore.ts'

const commands: Readonly<Record<string, Command>> = {
  check: checkCommand,
  publish: publishCommand,
  activate: activateCommand,
  canary: canaryCommand,
  rollback: rollbackCommand,
  status: statusCommand,
  history: historyCommand,
  diff: diffCommand,
  keep: baselineCommand,
}

/** What a pipeline decides by. */
export const exitCodes = { done: 0, failed: 1, notUnderstood: 2, refused: 3, conflict: 4 } as const

const help = `npm run release -- remote-scan                     from source to live in one command
npm run release -- <command> [part] [--reason "…"] [options]

${Object.values(commands)
  .map(({ usage, about }) => `  ${usage.padEnd(24)} ${about}`)
  .join('\n')}

  --release <id>   a release that is in the store already, in place of this checkout's
  --json           one line of JSON: {"command", "ok": true, …} or {"command", "ok": false, "error", "refusals"}
  --store <place>  a folder, or s3://bucket/prefix with endpoint and keys of DMP_S3_…;
                   without it DMP_RELEASES, or ${'${DMP_DATA_DIR:-.data}'}/releases
  --by <name>      who does it, for the history
  --unchecked "…"  go live without the trial in a browser, and why; stands in the history

Exit codes: 0 done · 1 failed, nothing changed · 2 not understood · 3 refused, with reason and cure
            4 others moved the registry at the same time`

const withValue = ['reason', 'store', 'by', 'percent', 'users', 'release', 'unchecked'] as const
const alone = ['json', 'stop', 'promote'] as const

export interface Defaults {
  /** Folder or bucket of the releases, where `--store` names none. */
  readonly store: string
  readonly access?: BucketAccess | undefined
  readonly by: string
  /** Tries a candidate in a browser before it can become live. */
  readonly preflight?: Preflight
}

/**
 * `npm run release -- …`. Answers the exit code.
 *
 * @param typed what was typed after the command's name
 */
export async function release(typed: readonly string[], place: Defaults): Promise<number> {
  const read = optionsOf(typed)
  // A part alone is the usual wish: from source to live in one command.
  const [name = '', part, ...more] = /^(?:host|viewer|remote-.*)$/.test(read.plain[0] ?? '')
    ? ['activate', ...read.plain]
    : read.plain
  const isJson = read.alone.has('json')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const percent = read.values.percent === undefined ? undefined : Number(read.values.percent)
  const isOdd = percent !== undefined && !(percent > 0 && percent <= 100)
  const problem =
    read.problem ??
    (command === undefined
      ? name === ''
        ? ''
        : `There is no "${name}".`
      : more.length > 0
        ? `"${more[0]}" is too much.`
        : isOdd
          ? '--percent is a number above 0 and up to 100.'
          : undefined)
  if (command === undefined || problem !== undefined) {
    if (isJson) write(JSON.stringify({ command: name, ok: false, error: problem || 'Name a command.', refusals: [] }))
    else console.error([problem, help].filter(Boolean).join('\n\n'))
    return exitCodes.notUnderstood
  }
  try {
    const { reason, store = place.store, by = place.by, users, release: releaseId } = read.values
    const words: CommandOptions = {
      part,
      store: openStore(store, place.access),
      author: { by, ...(reason === undefined ? {} : { reason }) },
      percent,
      users:
        users
          ?.split(',')
          .map((user) => user.trim().toLowerCase())
          .filter(Boolean) ?? [],
      isStop: read.alone.has('stop'),
      isPromote: read.alone.has('promote'),
      releaseId: releaseId,
      preflight: place.preflight,
      unchecked: read.values.unchecked,
    }
    const { json, text } = await command.run(words)
    write(isJson ? JSON.stringify({ command: name, ok: true, ...json }) : text)
    return exitCodes.done
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (isJson)
      write(
        JSON.stringify({
          command: name,
          ok: false,
          error: message,
          ...(error instanceof ReleaseRefused
            ? { refusals: error.incompatibilities, verdict: error.verdict ?? null }
            : { refusals: [] }),
        }),
      )
    else console.error(message)
    return error instanceof ReleaseRefused
      ? exitCodes.refused
      : error instanceof RegistryConflict
        ? exitCodes.conflict
        : exitCodes.failed
  }
}

type Values = Partial<Record<(typeof withValue)[number], string>>

/** Options may stand anywhere; one that is not known is not passed over, because it was meant. */
function optionsOf(typed: readonly string[]): {
  plain: string[]
  values: Values
  alone: Set<string>
  problem?: string
} {
  const [plain, values, flags]: [string[], Values, Set<string>] = [[], {}, new Set()]
  const rest = [...typed]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const option = word.startsWith('--') ? word.slice(2) : undefined
    if (option === undefined) plain.push(word)
    else if (isOne(alone, option)) flags.add(option)
    else if (!isOne(withValue, option)) return { plain, values, alone: flags, problem: `There is no option ${word}.` }
    else if (rest[0] === undefined || rest[0].startsWith('--'))
      return { plain, values, alone: flags, problem: `${word} wants a value.` }
    else values[option] = rest.shift()!
  }
  return { plain, values, alone: flags }
}

const isOne = <T extends string>(list: readonly T[], text: string): text is T =>
  (list as readonly string[]).includes(text)

const write = (text: string): void => void process.stdout.write(`${text}\n`)

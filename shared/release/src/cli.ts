import type { BucketAccess } from '@dmp/bucket'
import { parseCommandLine, type CommandLine } from './commandLine.ts'
import { activateCommand } from './commands/activate.ts'
import { baselineCommand } from './commands/baseline.ts'
import { canaryCommand } from './commands/canary.ts'
import { checkCommand } from './commands/check.ts'
import type { Command, CommandOptions, CommandResult, Preflight } from './commands/command.ts'
import { diffCommand } from './commands/diff.ts'
import { errorsCommand } from './commands/errors.ts'
import { figuresCommand } from './commands/figures.ts'
import { historyCommand } from './commands/history.ts'
import { keyAddCommand, keyListCommand, keyNewCommand, keyRevokeCommand } from './commands/keys.ts'
import { namesCommand } from './commands/names.ts'
import { noticesCommand } from './commands/notices.ts'
import { previewCommand } from './commands/preview.ts'
import { publishCommand } from './commands/publish.ts'
import { rollbackCommand } from './commands/rollback.ts'
import { sbomCommand } from './commands/sbom.ts'
import { statusCommand } from './commands/status.ts'
import { trustCommand } from './commands/trust.ts'
import { openDoor } from './door/doorClient.ts'
import { doorCommands } from './door/doorCommands.ts'
import { ReleaseRefused } from './ReleaseRefused.ts'
import type { Signer } from './signing/keyPair.ts'
import { openStore } from './store/openStore.ts'
import { RegistryConflict, StoreError } from './store/ReleaseStore.ts'

const commands: Readonly<Record<string, Command>> = {
  check: checkCommand,
  publish: publishCommand,
  preview: previewCommand,
  activate: activateCommand,
  canary: canaryCommand,
  rollback: rollbackCommand,
  status: statusCommand,
  errors: errorsCommand,
  figures: figuresCommand,
  notices: noticesCommand,
  history: historyCommand,
  diff: diffCommand,
  names: namesCommand,
  sbom: sbomCommand,
  baseline: baselineCommand,
  trust: trustCommand,
  'key new': keyNewCommand,
  'key add': keyAddCommand,
  'key list': keyListCommand,
  'key revoke': keyRevokeCommand,
}

/** Earlier names that still work. */
const aliases: Readonly<Record<string, Command>> = { keep: baselineCommand }

/** The exit codes, by which a pipeline decides. */
export const exitCodes = { done: 0, failed: 1, notUnderstood: 2, refused: 3, conflict: 4 } as const

/** What a team without a store can do is shown to it alone, with its own part as the example. */
function help({ invocation = 'npm run release --', part = 'remote-scan', store }: Defaults): string {
  const shown = Object.entries(commands).filter(
    ([name]) => store !== undefined || name === 'key new' || Object.hasOwn(doorCommands, name),
  )
  const lines = shown.map(([, { usage, about }]) => [usage.replace('remote-scan', part), about] as const)
  const width = Math.max(...lines.map(([usage]) => usage.length))
  return `${invocation} ${part}                     from source to live in one command
${invocation} <command> [part] [--reason "…"] [options]

${lines.map(([usage, about]) => `  ${usage.padEnd(width)} ${about}`).join('\n')}

  --release <id>     use this release from the store instead of building this checkout
  --with <part>@<id>,…  with check and activate: other parts that move in the same move, such as all that are built for
                     another React
  --from <folder>    use this finished build instead of building: of any bundler with Module Federation 2
  --keep, --no-keep  with activate and canary: no server withdraws this release by itself, or may again
  --json             print one line of JSON: {"command", "ok": true, …} or {"command", "ok": false, "error", "refusals"}
  --store <location> a folder, or s3://bucket/prefix with endpoint and keys from DMP_S3_…;
                     without it DMP_RELEASES, or ${'${DMP_DATA_DIR:-.data}'}/releases
  --to <address>     a deployment instead of a store, with the API token in DMP_RELEASE_TOKEN; without it
                     DMP_RELEASE_TO. For publish, preview, check, activate, canary, rollback, status,
                     errors, figures and notices
  --by <name>        who makes the change, for the history
  --unchecked "…"    go live without the browser checks; the reason is recorded in the history
  --days <number>    with preview: how long it lasts, 7 without it, 30 at most
  --users a@x,b@y    with canary and preview: the people; at a deployment a preview is for those that the API token
                     names where this is left out
  --change <name>    with preview: of which change, such as pr-17; its next preview keeps the address
  --summary          with preview: print Markdown for a comment on the change
  --end              with preview: end those of --release or --change, or all of the part
  --name <name>      with key: what a key is called, such as ci-2027
  --public <key>     with key add: the public half that key new printed; without it that of DMP_RELEASE_KEY
  --file <path>      with key new: where the private half is written (mode 0600) instead of printed
  --export <path>    with history and a part: writes its moves with keys and signatures
  --verify <path>    with history: checks such a file by itself; with --earlier <path> against one of before,
                     with --public <key> for a key of the part that it has to have
  --as guest|page    with trust: in a frame of its own, or in everybody's page
  --budget <pairs>   with figures: the most that three in four pages may need, such as start=1500,inp=200; or none
  --on, --off        with notices: goes on with mails and webhooks, or ends them
  --help             this text

The team's private key is read from DMP_RELEASE_KEY, or from the file that DMP_RELEASE_KEY_FILE names; it
signs every release that is published.

Exit codes: 0 done · 1 failed, nothing changed · 2 not understood · 3 refused, with reason and cure
            4 others kept changing the registry at the same time`
}

/** A line that could not be understood; nothing was done. */
class NotUnderstood extends Error {}

/** Opened where neither a store nor a deployment is needed; nothing is read or written there. */
const nowhere = '.releases'

const helpHint = (invocation = 'npm run release --'): string => `${invocation} --help lists what there is.`

/** The defaults of the command line, and the preflight that only the caller can provide. */
export interface Defaults {
  /** Folder or bucket of the releases; undefined where a command has to name a deployment or a store. */
  readonly store: string | undefined
  readonly access?: BucketAccess | undefined
  readonly by: string
  /** Tries a candidate in a browser before it can go live. */
  readonly preflight?: Preflight
  /** Reads the team's key, which signs what is published; throws where it is none. */
  readonly readSigner?: () => Signer | undefined
  /** The part that is meant where none is named: the only one of the repository. */
  readonly part?: string
  /** The deployment that is asked instead of a store where the command line names neither, and the token for it. */
  readonly door?: { readonly to: string | undefined; readonly readToken: () => string | undefined }
  /** The address of the deployment that reads the store, for what is opened there. */
  readonly address?: string
  /** How the command is called, for its help; `npm run release --` where left out. */
  readonly invocation?: string
}

/**
 * Runs `npm run release -- …` and returns the exit code.
 *
 * @param args the words after the `--`
 */
export async function release(args: readonly string[], defaults: Defaults): Promise<number> {
  if (args.some((word) => word === '--help' || word === '-h')) {
    print(help(defaults))
    return exitCodes.done
  }
  const line = parseCommandLine(args)
  const command = findCommand(line.command)
  const problem = line.problem ?? (line.command === '' ? 'Name a command.' : `Unknown command ${line.command}.`)
  if (command === undefined || line.problem !== undefined) {
    if (line.json) printJson({ command: line.command, ok: false, error: problem, refusals: [] })
    else console.error(args.length === 0 ? help(defaults) : `${problem}\n${helpHint(defaults.invocation)}`)
    return exitCodes.notUnderstood
  }
  try {
    const { json, text } = await run(command, line, defaults)
    if (line.json) printJson({ command: line.command, ok: true, ...json })
    else print(text)
    return exitCodes.done
  } catch (error) {
    reportFailure(line, error)
    return toExitCode(error)
  }
}

/** Against a deployment where one is named, and the command does not name a store. */
function run(command: Command, line: CommandLine, defaults: Defaults): Promise<CommandResult> {
  const to = line.to ?? (line.store === undefined ? defaults.door?.to : undefined)
  const options = toOptions(line, defaults)
  // What needs neither store nor deployment works anywhere.
  if (line.command === 'key new' || line.verify !== undefined) return command.run(options)
  if (to === undefined) {
    if (line.store === undefined && defaults.store === undefined)
      throw new NotUnderstood('Name the deployment: DMP_RELEASE_TO, or --to https://… (or a store: --store <folder>).')
    return command.run(options)
  }
  const atDoor = Object.hasOwn(doorCommands, line.command) ? doorCommands[line.command] : undefined
  if (atDoor === undefined) throw new StoreError(sayNeedsStore(`${line.command} needs`, line, defaults))
  if (line.others.length > 0) throw new StoreError(sayNeedsStore('Several parts at once need', line, defaults))
  const token = defaults.door?.readToken()
  if (token === undefined)
    throw new StoreError('Put the API token into DMP_RELEASE_TOKEN. Whoever runs the platform makes one for your part.')
  return atDoor(openDoor(to, token), options)
}

/** A team with a repository of its own has no store; who has one may have named a deployment by the variable. */
function sayNeedsStore(what: string, { to }: CommandLine, { store }: Defaults): string {
  const cure =
    store === undefined
      ? 'ask them for it, with the part and what it is for'
      : to === undefined
        ? 'unset DMP_RELEASE_TO, or name the store with --store'
        : 'leave --to out'
  return `${what} the store, which the platform's team has: ${cure}.`
}

const findCommand = (name: string): Command | undefined =>
  [commands, aliases].find((names) => Object.hasOwn(names, name))?.[name]

function toOptions(line: CommandLine, defaults: Defaults): CommandOptions {
  const { part = defaults.part, percent, users, stop, promote, keep, releaseId, others, from, unchecked, reason } = line
  const { name, publicKey, file, days, change, summary, end, exportTo, verify, earlier, budget, on, trust } = line
  return {
    part,
    store: openStore(line.store ?? defaults.store ?? nowhere, defaults.access),
    author: { by: line.by ?? defaults.by, ...(reason === undefined ? {} : { reason }) },
    percent,
    users,
    isStop: stop,
    isPromote: promote,
    isKept: keep,
    releaseId,
    others,
    from,
    signer: defaults.readSigner?.(),
    key: { name, publicKey, file },
    preflight: defaults.preflight,
    unchecked,
    days,
    change,
    isSummary: summary,
    isEnd: end,
    exportTo,
    verify,
    earlier,
    budget,
    isOn: on,
    trust,
    address: defaults.address,
  }
}

function reportFailure({ command, json }: CommandLine, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  if (!json) return console.error(message)
  const reasons =
    error instanceof ReleaseRefused
      ? { refusals: error.incompatibilities, verdict: error.verdict ?? null }
      : { refusals: [] }
  printJson({ command, ok: false, error: message, ...reasons })
}

function toExitCode(error: unknown): number {
  if (error instanceof NotUnderstood) return exitCodes.notUnderstood
  if (error instanceof ReleaseRefused) return exitCodes.refused
  return error instanceof RegistryConflict ? exitCodes.conflict : exitCodes.failed
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const printJson = (value: unknown): void => print(JSON.stringify(value))

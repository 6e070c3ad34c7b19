import { promoteCanary, startCanary, stopCanary } from '../canary.ts'
import { StoreError } from '../store/ReleaseStore.ts'
import {
  assertFits,
  toAuthor,
  summarize,
  getLive,
  summarizeMove,
  getRelease,
  type Command,
  type CommandResult,
  type CommandOptions,
} from './command.ts'
import { formatAudience } from './format.ts'

/** Starts, grows or stops a canary; `--promote` without `--percent` goes to the next of 1, 10, 50 and 100. */
export const canaryCommand: Command = {
  usage: 'canary   remote-scan',
  about: '--percent 1 | --users a@x.org,b@x.org: to some people first; then --promote (1, 10, 50, 100), or --stop',
  run: async (words) => {
    if (words.isStop) return stop(words)
    return words.isPromote ? promote(words) : start(words)
  },
}

async function start(words: CommandOptions): Promise<CommandResult> {
  const { store, users } = words
  const percent = words.percent ?? (users.length > 0 ? 0 : 1)
  const release = await getRelease(words)
  const seen = await assertFits(words, release)
  const registry = await startCanary(store, release, { percent, users }, toAuthor(words))
  return {
    json: { release: summarize(release), verdict: seen.verdict, ...summarizeMove(registry) },
    text: [
      seen.text,
      `${release.name} ${release.releaseId} goes to ${formatAudience({ percent, users })}, from the next page that they open.`,
      next(release.name),
    ].join('\n'),
  }
}

async function promote(words: CommandOptions): Promise<CommandResult> {
  const { store, part, percent } = words
  const name = await named(store, part)
  const canary = (await getLive(store)).registry.canaries?.find((one) => one.name === name)
  // Another part may have gone live since it was tried.
  if (canary) await assertFits(words, canary)
  const registry = await promoteCanary(store, name, {
    ...toAuthor(words),
    ...(percent === undefined ? {} : { percent }),
  })
  const now = registry.canaries?.find((canary) => canary.name === name)
  return {
    json: summarizeMove(registry),
    text: now
      ? `${name} ${now.releaseId} goes to ${formatAudience(now)} now.\n${next(name)}`
      : `${name} is live for everybody now.\nIf it is bad: npm run release -- rollback ${name} --reason "…"`,
  }
}

async function stop({ store, part, author }: CommandOptions): Promise<CommandResult> {
  const name = await named(store, part)
  return {
    json: summarizeMove(await stopCanary(store, name, author)),
    text: `The canary of ${name} is stopped: the next page that anybody opens has the live release.`,
  }
}

/** The part may be left out where there is only one canary. */
async function named(store: CommandOptions['store'], part: string | undefined): Promise<string> {
  const canaries = (await getLive(store)).registry.canaries ?? []
  const name = part ?? (canaries.length === 1 ? canaries[0]!.name : undefined)
  if (name === undefined)
    throw new StoreError(
      canaries.length === 0
        ? 'There is no canary.'
        : `Name the part: ${canaries.map((canary) => canary.name).join(', ')}.`,
    )
  return name
}

const next = (name: string): string =>
  `Next: npm run release -- status; then canary ${name} --promote, or canary ${name} --stop`

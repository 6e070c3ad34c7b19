import { promoteCanary, startCanary, stopCanary } from '../canary.ts'
import { StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'
import {
  assertFits,
  getLive,
  getRelease,
  markKept,
  summarize,
  summarizeMove,
  toAuthor,
  type Command,
  type CommandOptions,
  type CommandResult,
} from './command.ts'
import { formatAudience } from './format.ts'

/** Starts, grows or stops a canary; `--promote` without `--percent` goes to the next of 1, 10, 50 and 100. */
export const canaryCommand: Command = {
  usage: 'canary   remote-scan',
  about: 'start with --percent 1 or --users a@x.org,b@x.org; then --promote (1, 10, 50, 100) or --stop',
  run: async (options) => {
    if (options.isStop) return stop(options)
    return options.isPromote ? promote(options) : start(options)
  },
}

async function start(options: CommandOptions): Promise<CommandResult> {
  const { store, users } = options
  const percent = options.percent ?? (users.length > 0 ? 0 : 1)
  const release = await getRelease(options)
  const report = await assertFits(options, release)
  const marked = await markKept(options, release)
  const registry = await startCanary(store, release, { percent, users }, toAuthor(options))
  const audience = formatAudience({ percent, users })
  return {
    json: { release: summarize(release), verdict: report.verdict, ...summarizeMove(registry) },
    text: [
      report.text,
      `${release.name} ${release.releaseId} goes to ${audience}, with the next page that they open.`,
      ...marked,
      nextSteps(release.name),
    ].join('\n'),
  }
}

async function promote(options: CommandOptions): Promise<CommandResult> {
  const { store, percent } = options
  const part = await getCanaryPart(store, options.part)
  const canary = (await getLive(store)).registry.canaries?.find(({ name }) => name === part)
  // Another part may have gone live since the last preflight.
  if (canary) await assertFits(options, canary)
  const registry = await promoteCanary(store, part, {
    ...toAuthor(options),
    ...(percent === undefined ? {} : { percent }),
  })
  const grown = registry.canaries?.find(({ name }) => name === part)
  return {
    json: summarizeMove(registry),
    text: grown
      ? `${part} ${grown.releaseId} now goes to ${formatAudience(grown)}.\n${nextSteps(part)}`
      : `${part} is now live for everyone.\nTo undo: npm run release -- rollback ${part} --reason "…"`,
  }
}

async function stop({ store, part: partName, author }: CommandOptions): Promise<CommandResult> {
  const part = await getCanaryPart(store, partName)
  return {
    json: summarizeMove(await stopCanary(store, part, author)),
    text: `Stopped the canary of ${part}: every page opened from now on has the live release.`,
  }
}

/** The part may be left out while there is only one canary. */
async function getCanaryPart(store: ReleaseStore, partName: string | undefined): Promise<string> {
  const canaries = (await getLive(store)).registry.canaries ?? []
  const part = partName ?? (canaries.length === 1 ? canaries[0]!.name : undefined)
  if (part !== undefined) return part
  throw new StoreError(
    canaries.length === 0
      ? 'No part has a canary.'
      : `Several parts have a canary. Name one: ${canaries.map(({ name }) => name).join(', ')}.`,
  )
}

const nextSteps = (part: string): string =>
  `Next: npm run release -- status; then canary ${part} --promote, or canary ${part} --stop`

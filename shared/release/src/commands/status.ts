import { partsOf } from '../move.ts'
import { findCanaryStart, findActivation } from '../history.ts'
import { readRelease, listReleases } from '../store/ReleaseStore.ts'
import { summarize, getLive, type Command, type CommandOptions } from './command.ts'
import { formatAudience, formatKilobytes, formatTime, formatTable } from './format.ts'

export const statusCommand: Command = {
  usage: 'status',
  about: 'what is live and what is a canary, since when, by whom',
  run: async ({ store }) => {
    const status = await statusOf(store)
    const { parts, canaries } = status
    const live = formatTable(
      ['PART', 'RELEASE', 'VERSION', 'LIVE SINCE', 'BY', 'SIZE', 'COMMIT'],
      parts.map((part) => [
        part.name,
        part.releaseId,
        part.version,
        formatTime(part.liveSince),
        part.by ?? '–',
        formatKilobytes(part.brotliBytes),
        part.commit,
      ]),
    )
    const tried = formatTable(
      ['CANARY', 'RELEASE', 'VERSION', 'SINCE', 'BY', 'GOES TO'],
      canaries.map((canary) => [
        canary.name,
        canary.releaseId,
        canary.version,
        formatTime(canary.since),
        canary.by ?? '–',
        formatAudience(canary),
      ]),
    )
    return {
      json: status,
      text: [
        live,
        ...(canaries.length === 0 ? [] : ['', tried, '', 'Next: canary <part> --promote, or canary <part> --stop']),
      ].join('\n'),
    }
  },
}

async function statusOf(store: CommandOptions['store']) {
  const { registry, live } = await getLive(store)
  const { version, live: snapshot, history, canaries = [] } = registry
  const parts = partsOf(live).map(async ({ name, releaseId, previous }) => {
    const since = findActivation(history, name)
    return {
      ...summarize(await readRelease(store, name, releaseId)),
      previous: previous ?? null,
      liveSince: since?.at ?? null,
      by: since?.by ?? null,
      known: (await listReleases(store, name)).length,
    }
  })
  const tried = canaries.map(async ({ name, releaseId, percent, users }) => {
    const since = findCanaryStart(history, { name, releaseId })
    return {
      ...summarize(await readRelease(store, name, releaseId)),
      percent,
      users,
      since: since?.at ?? null,
      by: since?.by ?? null,
    }
  })
  return { version, snapshot, parts: await Promise.all(parts), canaries: await Promise.all(tried) }
}

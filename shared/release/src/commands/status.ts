import { partsOf } from '../move.ts'
import { canarySince, liveSince } from '../since.ts'
import { readRelease, releasesOf } from '../store.ts'
import { briefly, liveOf, type Command, type Words } from './command.ts'
import { audience, kilobytes, moment, table } from './words.ts'

export const statusCommand: Command = {
  usage: 'status',
  about: 'what is live and what is a canary, since when, by whom',
  run: async ({ store }) => {
    const status = await statusOf(store)
    const { parts, canaries } = status
    const live = table(
      ['PART', 'RELEASE', 'VERSION', 'LIVE SINCE', 'BY', 'SIZE', 'COMMIT'],
      parts.map((part) => [
        part.name,
        part.releaseId,
        part.version,
        moment(part.liveSince),
        part.by ?? '–',
        kilobytes(part.brotliBytes),
        part.commit,
      ]),
    )
    const tried = table(
      ['CANARY', 'RELEASE', 'VERSION', 'SINCE', 'BY', 'GOES TO'],
      canaries.map((canary) => [
        canary.name,
        canary.releaseId,
        canary.version,
        moment(canary.since),
        canary.by ?? '–',
        audience(canary),
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

async function statusOf(store: Words['store']) {
  const { registry, live } = await liveOf(store)
  const { version, live: snapshot, history, canaries = [] } = registry
  const parts = partsOf(live).map(async ({ name, releaseId, previous }) => {
    const since = liveSince(history, name)
    return {
      ...briefly(await readRelease(store, name, releaseId)),
      previous: previous ?? null,
      liveSince: since?.at ?? null,
      by: since?.by ?? null,
      known: (await releasesOf(store, name)).length,
    }
  })
  const tried = canaries.map(async ({ name, releaseId, percent, users }) => {
    const since = canarySince(history, { name, releaseId })
    return {
      ...briefly(await readRelease(store, name, releaseId)),
      percent,
      users,
      since: since?.at ?? null,
      by: since?.by ?? null,
    }
  })
  return { version, snapshot, parts: await Promise.all(parts), canaries: await Promise.all(tried) }
}

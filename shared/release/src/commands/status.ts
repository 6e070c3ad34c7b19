import { findKept } from '../kept.ts'
import { findActivation, findCanaryStart } from '../moveHistory.ts'
import { listReleaseRefs } from '../move.ts'
import { readOrigin } from '../provenance.ts'
import { findTrust } from '../signing/signatures.ts'
import { listReleases, readRelease, type ReleaseStore } from '../store/ReleaseStore.ts'
import { getLive, summarize, type Command } from './command.ts'
import { formatSigner, toSignature } from './signature.ts'
import { formatAudience, formatKilobytes, formatTime, formatTable } from './format.ts'

export const statusCommand: Command = {
  usage: 'status',
  about: 'show what is live and each canary, since when, by whom',
  run: async ({ store }) => {
    const status = await readStatus(store)
    const { parts, canaries } = status
    const refused = [...parts, ...canaries].flatMap(({ signature }) => signature.problem ?? [])
    const kept = [...parts, ...canaries].filter((release) => release.kept !== null)
    const guests = parts.filter(({ guest }) => guest !== null)
    const partTable = formatTable(
      ['PART', 'RELEASE', 'VERSION', 'LIVE SINCE', 'BY', 'SIGNED BY', 'SIZE', 'PACKAGES', 'COMMIT'],
      parts.map((part) => [
        part.name,
        part.releaseId,
        part.version,
        formatTime(part.liveSince),
        part.by ?? '–',
        formatSigner(part.signature),
        formatKilobytes(part.brotliBytes),
        part.packages ?? '–',
        part.commit,
      ]),
    )
    const canaryTable = formatTable(
      ['CANARY', 'RELEASE', 'VERSION', 'SINCE', 'BY', 'SIGNED BY', 'GOES TO'],
      canaries.map((canary) => [
        canary.name,
        canary.releaseId,
        canary.version,
        formatTime(canary.since),
        canary.by ?? '–',
        formatSigner(canary.signature),
        formatAudience(canary),
      ]),
    )
    return {
      json: status,
      text: [
        partTable,
        ...(canaries.length === 0
          ? []
          : ['', canaryTable, '', 'Next: canary <part> --promote, or canary <part> --stop']),
        ...(refused.length === 0 ? [] : ['', 'Refused, so servers go on with what was live before:']),
        ...refused.map((sentence) => `  ${sentence}`),
        ...(guests.length === 0
          ? []
          : ['', 'Guests, each in a frame of its own until the platform trusts it (trust <part> --as page):']),
        ...guests.map(({ name, guest }) =>
          guest === 'release' ? `  ${name}: its live release asks for it` : `  ${name}: the registry holds it as one`,
        ),
        ...(kept.length === 0 ? [] : ['', 'Kept, so that no server withdraws them by itself:']),
        ...kept.map(({ name, releaseId, kept: mark }) =>
          [`  ${name} ${releaseId} by ${mark?.by}, ${formatTime(mark?.at ?? null)}`, mark?.reason]
            .filter(Boolean)
            .join(': '),
        ),
      ].join('\n'),
    }
  },
}

async function readStatus(store: ReleaseStore) {
  const { registry, live } = await getLive(store)
  const { version, live: snapshot, history, canaries = [] } = registry
  const parts = listReleaseRefs(live).map(async ({ name, releaseId, previous }) => {
    const activation = await findActivation(store, { history }, name)
    const release = await readRelease(store, name, releaseId)
    const trust = await findTrust(store, release)
    return {
      ...summarize(release),
      ...(await readOrigin(store, release, trust.by === 'key' ? trust.statement : undefined)),
      signature: toSignature(trust),
      previous: previous ?? null,
      liveSince: activation?.at ?? null,
      by: activation?.by ?? null,
      kept: (await findKept(store, { name, releaseId })) ?? null,
      guest: release.declaration?.trust === 'guest' ? 'release' : live.guests?.includes(name) ? 'registry' : null,
      known: (await listReleases(store, name)).length,
    }
  })
  const summaries = canaries.map(async ({ name, releaseId, percent, users }) => {
    const start = findCanaryStart(history, { name, releaseId })
    const release = await readRelease(store, name, releaseId)
    return {
      ...summarize(release),
      signature: toSignature(await findTrust(store, release)),
      percent,
      users,
      since: start?.at ?? null,
      by: start?.by ?? null,
      kept: (await findKept(store, { name, releaseId })) ?? null,
    }
  })
  return { version, snapshot, parts: await Promise.all(parts), canaries: await Promise.all(summaries) }
}

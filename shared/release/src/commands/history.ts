import type { RegistryMove, ReleaseRef } from '@dmp/contract/release'
import { listReleaseRefs } from '../move.ts'
import { findTrust } from '../signing/signatures.ts'
import { readRelease, readSnapshot, StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'
import { getLive, type Command } from './command.ts'
import { formatAudience, formatTime, formatTable } from './format.ts'

export const historyCommand: Command = {
  usage: 'history',
  about: 'list every move of the registry, newest first',
  run: async ({ store }) => {
    const { history } = (await getLive(store)).registry
    const moves = await addSigners(store, history)
    const rows = moves.map(({ version, at, change, parts, canary, by, signedBy, reason }) => [
      version,
      formatTime(at),
      canary && change !== 'stop' ? `${change}: ${formatAudience(canary)}` : change,
      formatParts(parts),
      by,
      formatSigners(Object.values(signedBy)),
      reason ?? '',
    ])
    return { json: { moves }, text: formatTable(['MOVE', 'AT', 'CHANGE', 'PARTS', 'BY', 'SIGNED BY', 'REASON'], rows) }
  },
}

/** The keys that signed the releases of each move, by part; null where none did. */
async function addSigners(store: ReleaseStore, history: readonly RegistryMove[]) {
  const signers = new Map<string, Promise<string | null>>()
  const findSigner = ({ name, releaseId }: ReleaseRef): Promise<string | null> => {
    const key = `${name}/${releaseId}`
    const signer = signers.get(key) ?? readSignerName(store, name, releaseId)
    signers.set(key, signer)
    return signer
  }
  return Promise.all(
    history.map(async (move) => {
      const refs = [...(move.canary ? [move.canary] : []), ...(await listRefs(store, move.snapshot))]
      const entries = move.parts.map(async (part) => {
        const ref = refs.find(({ name }) => name === part)
        return [part, ref ? await findSigner(ref) : null] as const
      })
      return { ...move, signedBy: Object.fromEntries(await Promise.all(entries)) }
    }),
  )
}

/** What is damaged or altered by now has no signer; the history is shown all the same. */
async function readSignerName(store: ReleaseStore, name: string, releaseId: string): Promise<string | null> {
  const trust = await readRelease(store, name, releaseId)
    .then((release) => findTrust(store, release))
    .catch(unlessDamaged)
  return trust?.by === 'key' ? trust.key.name : null
}

const listRefs = async (store: ReleaseStore, snapshot: string): Promise<ReleaseRef[]> => {
  const refs = await readSnapshot(store, snapshot).then(listReleaseRefs).catch(unlessDamaged)
  return refs ?? []
}

function unlessDamaged(error: unknown): undefined {
  if (error instanceof StoreError) return undefined
  throw error
}

const formatSigners = (signers: readonly (string | null)[]): string =>
  [...new Set(signers.map((signer) => signer ?? '–'))].join(' ')

/** The first move names every part; later ones name one or two. */
const formatParts = (parts: readonly string[]): string =>
  parts.length <= 3 ? parts.join(' ') : `${parts.slice(0, 2).join(' ')} and ${parts.length - 2} more`

import { readFileSync, writeFileSync } from 'node:fs'
import type { RegistryMove, ReleaseRef } from '@dmp/contract/release'
import { checkHistory, exportHistory, parseHistory, type HistoryFile } from '../historyFile.ts'
import { listReleaseRefs } from '../move.ts'
import { findTrust } from '../signing/signatures.ts'
import { readRelease, readSnapshot, StoreError, unlessDamaged, type ReleaseStore } from '../store/ReleaseStore.ts'
import { ReleaseRefused } from '../ReleaseRefused.ts'
import { getLive, type Command, type CommandResult } from './command.ts'
import { formatAudience, formatTime, formatTable } from './format.ts'

export const historyCommand: Command = {
  usage: 'history [part]',
  about:
    'list every move of the registry, newest first; of a part --export <file>, and --verify <file> without a store',
  run: async ({ store, part, exportTo, verify, earlier, key }) => {
    if (verify !== undefined) return verifyFile(verify, { earlier, publicKey: key?.publicKey })
    if (exportTo !== undefined) return exportFile(store, part, exportTo)
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

async function exportFile(store: ReleaseStore, part: string | undefined, path: string): Promise<CommandResult> {
  if (part === undefined) throw new StoreError('Name the part whose history is exported, such as remote-scan.')
  const file = await exportHistory(store, part)
  writeFileSync(path, `${JSON.stringify(file, null, 1)}\n`)
  const { moves, others, head } = await checkHistory(file)
  return {
    json: { part, file: path, moves, others, head },
    text: `${path} has ${count(moves, 'move')} of ${part}. Keep its head where nobody can write to the store:\n${head}\nTo check it anywhere: history --verify ${path}`,
  }
}

async function verifyFile(
  path: string,
  { earlier, publicKey }: { readonly earlier: string | undefined; readonly publicKey: string | undefined },
): Promise<CommandResult> {
  const read = (name: string): HistoryFile => parseHistory(readText(name), name)
  const checked = await checkHistory(read(path), {
    publicKey,
    earlier: earlier === undefined ? undefined : read(earlier),
  })
  const { part, problems, moves, others, unchained, head, releases } = checked
  if (problems.length > 0)
    throw new ReleaseRefused(
      problems.map((reason) => ({
        parties: [part, 'history'],
        reason,
        cure: 'Do not rely on this history. Find out who writes to the store, and compare with an earlier export.',
      })),
    )
  const signers = [...new Set(releases.flatMap(({ signedBy }) => signedBy ?? []))]
  return {
    json: { history: checked },
    text: [
      `${count(moves, 'move')} of ${part} and ${others} of other parts fit; ${count(releases.length, 'release')}, signed by ${signers.join(', ') || 'no key'}.`,
      ...(unchained > 0
        ? [`Of ${unchained} nothing proves what was before: older than the chain, or beside moves that are not kept.`]
        : []),
      `Head: ${head}`,
    ].join('\n'),
  }
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StoreError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
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

const formatSigners = (signers: readonly (string | null)[]): string =>
  [...new Set(signers.map((signer) => signer ?? '–'))].join(' ')

/** The first move names every part; later ones name one or two. */
const formatParts = (parts: readonly string[]): string =>
  parts.length <= 3 ? parts.join(' ') : `${parts.slice(0, 2).join(' ')} and ${parts.length - 2} more`

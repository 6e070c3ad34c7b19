import { listReleaseRefs } from '../move.ts'
import { readRelease, StoreError } from '../store/ReleaseStore.ts'
import { setTrust } from '../trust.ts'
import { getLive, summarizeMove, type Command } from './command.ts'

export const trustCommand: Command = {
  usage: 'trust remote-scan',
  about: 'with --as guest: the part runs in a frame of its own; with --as page: in everybody’s page again',
  run: async ({ store, part, author, trust }) => {
    if (part === undefined || !part.startsWith('remote-'))
      throw new StoreError('Name a remote: npm run release -- trust remote-report --as guest')
    if (trust === undefined) throw new StoreError('Say how: --as guest, or --as page.')
    const { live } = await getLive(store)
    const ref = listReleaseRefs(live).find(({ name }) => name === part)
    const declared = ref && (await readRelease(store, part, ref.releaseId)).declaration?.trust
    if (trust === 'page' && declared === 'guest')
      throw new StoreError(
        `The live release of ${part} asks to be a guest. Make one live without "trust" in its remote.json first: it stays a guest until you say otherwise here.`,
      )
    const registry = await setTrust(store, { part, isGuest: trust === 'guest' }, withReason(author, trust))
    return {
      json: summarizeMove(registry),
      text:
        trust === 'guest'
          ? `${part} is a guest: every page opened from now on runs it in a frame of its own, whatever its releases declare.`
          : `${part} runs in the page again: its code reaches what a person’s session reaches.`,
    }
  },
}

const withReason = (
  author: { by: string; reason?: string },
  trust: 'guest' | 'page',
): { by: string; reason: string } => ({
  by: author.by,
  reason: [trust === 'guest' ? 'a guest from now on' : 'trusted with the page', author.reason]
    .filter(Boolean)
    .join(': '),
})

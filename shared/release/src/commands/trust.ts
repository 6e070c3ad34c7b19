import { StoreError } from '../store/ReleaseStore.ts'
import { setTrust } from '../trust.ts'
import { getLive, summarizeMove, type Command } from './command.ts'

export const trustCommand: Command = {
  usage: 'trust remote-scan',
  about: 'with --as guest: the part runs in a frame of its own; with --as page: in everybody’s page again',
  run: async ({ store, part, author, trust }) => {
    if (part === undefined || !part.startsWith('remote-'))
      throw new StoreError('Name a remote: npm run release -- trust remote-report --as guest')
    if (trust === undefined) throw new StoreError('Say how: --as guest, or --as page.')
    await getLive(store)
    const registry = await setTrust(store, { part, isGuest: trust === 'guest' }, author)
    return {
      json: summarizeMove(registry),
      text:
        trust === 'guest'
          ? `${part} is a guest: every page opened from now on runs it in a frame of its own, whatever its releases declare.`
          : `${part} runs in the page again: its code reaches what a person’s session reaches.`,
    }
  },
}

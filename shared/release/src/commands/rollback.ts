import { rollback } from '../activate.ts'
import { getLive, summarizeMove, type Command } from './command.ts'

export const rollbackCommand: Command = {
  usage: 'rollback [remote-scan]',
  about: 'return to what was live before: everything, or one part',
  run: async ({ store, part, author }) => {
    await getLive(store)
    const registry = await rollback(store, { ...author, ...(part === undefined ? {} : { part }) })
    const parts = (registry.history[0]?.parts ?? []).join(', ')
    return {
      json: summarizeMove(registry),
      text: [
        `Rolled back ${parts}: every page opened from now on has the earlier release, and open pages are offered it.`,
        'Rolling back again returns to the release you came from.',
      ].join('\n'),
    }
  },
}

import { rollback } from '../activate.ts'
import { getLive, summarizeMove, type Command } from './command.ts'

export const rollbackCommand: Command = {
  usage: 'rollback [remote-scan]',
  about: 'back to what was live before, all of it or one part',
  run: async ({ store, part, author }) => {
    await getLive(store)
    const registry = await rollback(store, { ...author, ...(part === undefined ? {} : { part }) })
    return {
      json: summarizeMove(registry),
      text: `${(registry.history[0]?.parts ?? []).join(', ')} went back: the next page that anybody opens has the release before. Open pages are offered it.\nRolling back again returns to where you were.`,
    }
  },
}

import { liveOf, type Command } from './command.ts'
import { audience, moment, table } from './words.ts'

export const historyCommand: Command = {
  usage: 'history',
  about: 'every move of the registry, newest first',
  run: async ({ store }) => {
    const { history } = (await liveOf(store)).registry
    const rows = history.map(({ version, at, change, parts, canary, by, reason }) => [version, moment(at), canary && change !== 'stop' ? `${change}: ${audience(canary)}` : change, parts.join(' '), by, reason ?? ''])
    return { json: { moves: history }, text: table(['MOVE', 'AT', 'CHANGE', 'PARTS', 'BY', 'REASON'], rows) }
  },
}

import { getLive, type Command } from './command.ts'
import { formatAudience, formatTime, formatTable } from './format.ts'

export const historyCommand: Command = {
  usage: 'history',
  about: 'every move of the registry, newest first',
  run: async ({ store }) => {
    const { history } = (await getLive(store)).registry
    const rows = history.map(({ version, at, change, parts, canary, by, reason }) => [
      version,
      formatTime(at),
      canary && change !== 'stop' ? `${change}: ${formatAudience(canary)}` : change,
      shortened(parts),
      by,
      reason ?? '',
    ])
    return { json: { moves: history }, text: formatTable(['MOVE', 'AT', 'CHANGE', 'PARTS', 'BY', 'REASON'], rows) }
  },
}

/** A first start names every part; the others one or two. */
const shortened = (parts: readonly string[]): string =>
  parts.length <= 3 ? parts.join(' ') : `${parts.slice(0, 2).join(' ')} and ${parts.length - 2} more`

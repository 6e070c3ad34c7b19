import { getLive, type Command } from './command.ts'
import { formatAudience, formatTime, formatTable } from './format.ts'

export const historyCommand: Command = {
  usage: 'history',
  about: 'list every move of the registry, newest first',
  run: async ({ store }) => {
    const { history } = (await getLive(store)).registry
    const rows = history.map(({ version, at, change, parts, canary, by, reason }) => [
      version,
      formatTime(at),
      canary && change !== 'stop' ? `${change}: ${formatAudience(canary)}` : change,
      formatParts(parts),
      by,
      reason ?? '',
    ])
    return { json: { moves: history }, text: formatTable(['MOVE', 'AT', 'CHANGE', 'PARTS', 'BY', 'REASON'], rows) }
  },
}

/** The first move names every part; later ones name one or two. */
const formatParts = (parts: readonly string[]): string =>
  parts.length <= 3 ? parts.join(' ') : `${parts.slice(0, 2).join(' ')} and ${parts.length - 2} more`

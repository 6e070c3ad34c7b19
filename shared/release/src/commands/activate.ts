import { activate } from '../activate.ts'
import { assertFits, briefly, liveOf, moved, releaseAt, type Command } from './command.ts'

export const activateCommand: Command = {
  usage: 'activate remote-scan',
  about: 'build, publish, check and make it live for everybody, in one step',
  run: async (words) => {
    const { store, author } = words
    const release = await releaseAt(words)
    const { version } = (await liveOf(store)).registry
    const seen = await assertFits(words, release)
    const registry = await activate(store, { parts: [release] }, author)
    const news = registry.version === version ? `${release.name} ${release.releaseId} was live already; nothing was changed.` : `${release.name} ${release.releaseId} is live: the next page that anybody opens has it.`
    return {
      json: { release: briefly(release), seen: seen ?? null, ...moved(registry) },
      text: [...(seen === undefined ? [] : [seen]), news, `If it is bad: npm run release -- rollback ${release.name} --reason "…"`].join('\n'),
    }
  },
}

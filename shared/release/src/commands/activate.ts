import { activate } from '../activate.ts'
import { assertFits, toAuthor, summarize, getLive, summarizeMove, getRelease, type Command } from './command.ts'

export const activateCommand: Command = {
  usage: 'activate remote-scan',
  about: 'build, publish, check and make it live for everybody, in one step',
  run: async (words) => {
    const { store } = words
    const release = await getRelease(words)
    const { version } = (await getLive(store)).registry
    const seen = await assertFits(words, release)
    const registry = await activate(store, { parts: [release] }, toAuthor(words))
    const news =
      registry.version === version
        ? `${release.name} ${release.releaseId} was live already; nothing was changed.`
        : `${release.name} ${release.releaseId} is live: the next page that anybody opens has it.`
    return {
      json: { release: summarize(release), verdict: seen.verdict, ...summarizeMove(registry) },
      text: [seen.text, news, `If it is bad: npm run release -- rollback ${release.name} --reason "…"`].join('\n'),
    }
  },
}

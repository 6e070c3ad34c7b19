import { activate } from '../activate.ts'
import {
  assertFits,
  getLive,
  getRelease,
  markKept,
  summarize,
  summarizeMove,
  toAuthor,
  type Command,
} from './command.ts'

export const activateCommand: Command = {
  usage: 'activate remote-scan',
  about: 'build, publish and check it, then make it live for everyone, in one step',
  run: async (options) => {
    const { store } = options
    const release = await getRelease(options)
    const { version } = (await getLive(store)).registry
    const report = await assertFits(options, release)
    const marked = await markKept(options, release)
    const registry = await activate(store, { parts: [release] }, toAuthor(options))
    const news =
      registry.version === version
        ? `${release.name} ${release.releaseId} was live already; nothing changed.`
        : `${release.name} ${release.releaseId} is live: every page opened from now on has it.`
    return {
      json: { release: summarize(release), verdict: report.verdict, ...summarizeMove(registry) },
      text: [report.text, news, ...marked, `To undo: npm run release -- rollback ${release.name} --reason "…"`].join(
        '\n',
      ),
    }
  },
}

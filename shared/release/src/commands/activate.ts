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
    const { others = [] } = options
    const registry = await activate(store, { parts: [release, ...others] }, toAuthor(options))
    const named = [release, ...others].map(({ name, releaseId }) => `${name} ${releaseId}`).join(', ')
    const news =
      registry.version === version
        ? `${named} was live already; nothing changed.`
        : others.length === 0
          ? `${named} is live: every page opened from now on has it.`
          : `${named} are live, in one move: every page opened from now on has all of them.`
    // What moved together goes back together: alone it may not fit what stays.
    const undo = `npm run release -- rollback${others.length === 0 ? ` ${release.name}` : ''} --reason "…"`
    return {
      json: { release: summarize(release), verdict: report.verdict, ...summarizeMove(registry) },
      text: [report.text, news, ...marked, `To undo: ${undo}`].join('\n'),
    }
  },
}

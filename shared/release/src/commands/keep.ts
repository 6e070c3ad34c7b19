import { keep, keptFolder } from '../kept.ts'
import { partsOf } from '../move.ts'
import { StoreError } from '../store.ts'
import { briefly, liveOf, type Command } from './command.ts'
import { kilobytes, table } from './words.ts'

export const keepCommand: Command = {
  usage: 'keep     [remote-scan]',
  about: 'copy what is live into shared/release/previous, to be committed: CI composes later changes with it',
  run: async ({ store, part, release }) => {
    const all = partsOf((await liveOf(store)).live).filter(({ name }) => name !== 'viewer')
    const wanted = part === undefined ? all : all.filter(({ name }) => name === part)
    if (wanted.length === 0)
      throw new StoreError(`${part} is not live. Live are ${all.map(({ name }) => name).join(', ')}.`)
    const kept = []
    for (const { name, releaseId } of wanted) kept.push(briefly(await keep(store, name, release ?? releaseId)))
    const rows = kept.map(({ name, releaseId, version, commit, publishedAt, brotliBytes }) => [
      name,
      releaseId,
      version,
      commit,
      publishedAt.slice(0, 10),
      kilobytes(brotliBytes),
    ])
    return {
      json: { kept, folder: keptFolder },
      text: `${table(['KEPT', 'RELEASE', 'VERSION', 'COMMIT', 'BUILT', 'SIZE'], rows)}\nNext: commit shared/release/previous`,
    }
  },
}

import { saveBaseline, baselineFolder } from '../baseline.ts'
import { partsOf } from '../move.ts'
import { StoreError } from '../store/ReleaseStore.ts'
import { summarize, getLive, type Command } from './command.ts'
import { formatKilobytes, formatTable } from './format.ts'

export const baselineCommand: Command = {
  usage: 'keep     [remote-scan]',
  about: 'copy what is live into shared/release/baseline, to be committed: CI composes later changes with it',
  run: async ({ store, part, releaseId }) => {
    const all = partsOf((await getLive(store)).live).filter(({ name }) => name !== 'viewer')
    const wanted = part === undefined ? all : all.filter(({ name }) => name === part)
    if (wanted.length === 0)
      throw new StoreError(`${part} is not live. Live are ${all.map(({ name }) => name).join(', ')}.`)
    const kept = []
    for (const { name, releaseId: liveId } of wanted)
      kept.push(summarize(await saveBaseline(store, name, releaseId ?? liveId)))
    const rows = kept.map(({ name, releaseId, version, commit, publishedAt, brotliBytes }) => [
      name,
      releaseId,
      version,
      commit,
      publishedAt.slice(0, 10),
      formatKilobytes(brotliBytes),
    ])
    return {
      json: { kept, folder: baselineFolder },
      text: `${formatTable(['KEPT', 'RELEASE', 'VERSION', 'COMMIT', 'BUILT', 'SIZE'], rows)}\nNext: commit shared/release/baseline`,
    }
  },
}

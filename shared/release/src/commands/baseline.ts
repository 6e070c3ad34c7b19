import { baselineFolder, saveBaseline } from '../baseline.ts'
import { listReleaseRefs } from '../move.ts'
import { StoreError } from '../store/ReleaseStore.ts'
import { getLive, summarize, type Command } from './command.ts'
import { formatKilobytes, formatTable } from './format.ts'

/** Also typed as `keep`, its earlier name. */
export const baselineCommand: Command = {
  usage: 'baseline [remote-scan]',
  about: 'copy what is live into shared/release/baseline, to be committed: skew tests run later changes against it',
  run: async ({ store, part, releaseId }) => {
    const liveParts = listReleaseRefs((await getLive(store)).live).filter(({ name }) => name !== 'viewer')
    const selectedParts = part === undefined ? liveParts : liveParts.filter(({ name }) => name === part)
    if (selectedParts.length === 0)
      throw new StoreError(
        `${part} is not live, so there is nothing to copy. Live are ${liveParts.map(({ name }) => name).join(', ')}.`,
      )
    const summaries = []
    for (const live of selectedParts)
      summaries.push(summarize(await saveBaseline(store, live.name, releaseId ?? live.releaseId)))
    const rows = summaries.map(({ name, releaseId, version, commit, publishedAt, brotliBytes }) => [
      name,
      releaseId,
      version,
      commit,
      publishedAt.slice(0, 10),
      formatKilobytes(brotliBytes),
    ])
    const table = formatTable(['PART', 'RELEASE', 'VERSION', 'COMMIT', 'BUILT', 'SIZE'], rows)
    return { json: { kept: summaries, folder: baselineFolder }, text: `${table}\nNext: commit shared/release/baseline` }
  },
}

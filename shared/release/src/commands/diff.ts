import type { Release } from '@dmp/contract/release'
import { listReleaseRefs } from '../move.ts'
import { readRelease } from '../store/ReleaseStore.ts'
import { getLive, getRelease, summarize, type Command } from './command.ts'
import { formatKilobytes, formatTable } from './format.ts'

export const diffCommand: Command = {
  usage: 'diff     remote-scan',
  about: 'compare what is live with this checkout',
  run: async (options) => {
    const here = await getRelease(options)
    const ref = listReleaseRefs((await getLive(options.store)).live).find(({ name }) => name === here.name)
    const live = ref && (await readRelease(options.store, ref.name, ref.releaseId))
    const files = changedFiles(live, here)
    const needs = changedNeeds(live, here)
    const json = { live: live ? summarize(live) : null, here: summarize(here), files, needs }
    if (live?.releaseId === here.releaseId)
      return { json, text: `${here.name} ${here.releaseId} is live already; the two are identical.` }
    const rows = [live, here].map((release, index) => [
      index === 0 ? 'live' : 'here',
      release?.releaseId ?? '–',
      release?.commit ?? '–',
      release ? formatKilobytes(summarize(release).brotliBytes) : '–',
    ])
    const text = [
      formatTable(['', 'RELEASE', 'COMMIT', 'SIZE'], rows),
      '',
      formatTable(
        ['FILE', 'LIVE', 'HERE'],
        files.map((file) => [file.path, file.live ?? '–', file.here ?? '–']),
      ),
      ...needs.map((need) => `needs ${need.module}: ${need.live ?? 'nothing'} → ${need.here ?? 'nothing'}`),
    ]
    return { json, text: [...text, '', `Next: npm run release -- check ${here.name}`].join('\n') }
  },
}

/** Files whose content differs between the two releases, with their compressed sizes. */
function changedFiles(live: Release | undefined, here: Release) {
  const liveFiles = new Map((live?.files ?? []).map((file) => [file.path, file]))
  const hereFiles = new Map(here.files.map((file) => [file.path, file]))
  const paths = [...new Set([...liveFiles.keys(), ...hereFiles.keys()])]
    .filter((path) => liveFiles.get(path)?.integrity !== hereFiles.get(path)?.integrity)
    .sort()
  return paths.map((path) => ({
    path,
    live: liveFiles.get(path)?.brotli ?? null,
    here: hereFiles.get(path)?.brotli ?? null,
  }))
}

function changedNeeds(live: Release | undefined, here: Release) {
  const [liveNeeds, hereNeeds] = [live?.consumes ?? {}, here.consumes]
  return [...new Set([...Object.keys(liveNeeds), ...Object.keys(hereNeeds)])]
    .filter((module) => liveNeeds[module] !== hereNeeds[module])
    .map((module) => ({ module, live: liveNeeds[module] ?? null, here: hereNeeds[module] ?? null }))
}

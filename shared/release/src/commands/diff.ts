import type { Release } from '@dmp/contract/release'
import { partsOf } from '../move.ts'
import { readRelease } from '../store/ReleaseStore.ts'
import { summarize, getLive, getRelease, type Command } from './command.ts'
import { formatKilobytes, formatTable } from './format.ts'

export const diffCommand: Command = {
  usage: 'diff     remote-scan',
  about: 'what is live beside what this checkout would make live',
  run: async (words) => {
    const here = await getRelease(words)
    const ref = partsOf((await getLive(words.store)).live).find(({ name }) => name === here.name)
    const live = ref && (await readRelease(words.store, ref.name, ref.releaseId))
    const files = changedFiles(live, here)
    const needs = changedNeeds(live, here)
    const json = { live: live ? summarize(live) : null, here: summarize(here), files, needs }
    if (live?.releaseId === here.releaseId)
      return { json, text: `${here.name} ${here.releaseId} is live already: there is no difference.` }
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
        files.map(({ path, live: before, here: after }) => [path, before ?? '–', after ?? '–']),
      ),
      ...needs.map(
        ({ module, live: before, here: after }) => `needs ${module}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`,
      ),
    ]
    return { json, text: [...text, '', `Next: npm run release -- check ${here.name}`].join('\n') }
  },
}

/** Files of which one release has another content than the other, with their sizes as they travel. */
function changedFiles(live: Release | undefined, here: Release) {
  const [before, after] = [live, here].map(
    (release) => new Map((release?.files ?? []).map((file) => [file.path, file])),
  ) as [Map<string, Release['files'][number]>, Map<string, Release['files'][number]>]
  const paths = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path)?.integrity !== after.get(path)?.integrity)
    .sort()
  return paths.map((path) => ({ path, live: before.get(path)?.brotli ?? null, here: after.get(path)?.brotli ?? null }))
}

function changedNeeds(live: Release | undefined, here: Release) {
  const [before, after] = [live?.consumes ?? {}, here.consumes]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((module) => before[module] !== after[module])
    .map((module) => ({ module, live: before[module] ?? null, here: after[module] ?? null }))
}

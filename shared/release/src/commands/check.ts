import type { ReleaseRef } from '@dmp/contract/release'
import { assertFits, getRelease, summarize, type Command } from './command.ts'

const join = (refs: readonly ReleaseRef[]): string => refs.map(({ name, releaseId }) => `${name}@${releaseId}`).join()

export const checkCommand: Command = {
  usage: 'check    remote-scan',
  about: 'build and publish it, then check it in a browser beside what is live',
  run: async (options) => {
    const release = await getRelease(options)
    const { others = [], releaseId } = options
    // Where it was named, its sources may be elsewhere.
    const toWords = ({ name }: ReleaseRef): string =>
      releaseId === undefined ? name : `${name} --release ${releaseId}`
    const report = await assertFits({ ...options, unchecked: undefined }, release, true)
    return {
      json: { release: summarize(release), verdict: report.verdict },
      text: [
        report.text,
        ...(others.length === 0
          ? [
              `${release.name} ${release.releaseId} can go live.`,
              `Next: npm run release -- canary ${toWords(release)} --percent 1, or activate ${toWords(release)}`,
            ]
          : [
              `${release.name} ${release.releaseId} can go live together with ${join(others)}.`,
              `Next: npm run release -- activate ${release.name} --release ${release.releaseId} --with ${join(others)}`,
            ]),
      ].join('\n'),
    }
  },
}

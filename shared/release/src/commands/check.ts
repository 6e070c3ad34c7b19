import { assertFits, getRelease, summarize, type Command } from './command.ts'

export const checkCommand: Command = {
  usage: 'check    remote-scan',
  about: 'build and publish it, then check it in a browser beside what is live',
  run: async (options) => {
    const release = await getRelease(options)
    const report = await assertFits({ ...options, unchecked: undefined }, release, true)
    return {
      json: { release: summarize(release), verdict: report.verdict },
      text: [
        report.text,
        `${release.name} ${release.releaseId} can go live.`,
        `Next: npm run release -- canary ${release.name} --percent 1, or activate ${release.name}`,
      ].join('\n'),
    }
  },
}

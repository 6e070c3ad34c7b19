import { assertFits, summarize, getRelease, type Command } from './command.ts'

export const checkCommand: Command = {
  usage: 'check    remote-scan',
  about: 'build and publish it, then try beside what is live whether it could become so',
  run: async (words) => {
    const release = await getRelease(words)
    const seen = await assertFits({ ...words, unchecked: undefined }, release, true)
    return {
      json: { release: summarize(release), verdict: seen.verdict },
      text: [
        seen.text,
        `${release.name} ${release.releaseId} could become live now.`,
        `Next: npm run release -- canary ${release.name} --percent 1, or activate ${release.name}`,
      ].join('\n'),
    }
  },
}

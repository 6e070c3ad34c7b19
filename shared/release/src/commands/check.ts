import { assertFits, briefly, releaseAt, type Command } from './command.ts'

export const checkCommand: Command = {
  usage: 'check    remote-scan',
  about: 'build and publish it, then say whether it could become live now',
  run: async (words) => {
    const release = await releaseAt(words)
    const seen = await assertFits(words, release)
    return {
      json: { release: briefly(release), verdict: 'could become live now', seen: seen ?? null },
      text: [`${release.name} ${release.releaseId} could become live now.`, ...(seen === undefined ? [] : [seen]), `Next: npm run release -- canary ${release.name} --percent 1, or activate ${release.name}`].join('\n'),
    }
  },
}

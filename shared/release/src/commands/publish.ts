import { summarize, getRelease, type Command } from './command.ts'
import { formatKilobytes } from './format.ts'

export const publishCommand: Command = {
  usage: 'publish  remote-scan',
  about: 'build it and put the release into the store; nothing becomes live',
  run: async (words) => {
    const release = summarize(await getRelease(words))
    return {
      json: { release },
      text: `${release.name} ${release.releaseId} is in the store (${release.files} files, ${formatKilobytes(release.brotliBytes)}).\nNext: npm run release -- activate ${release.name}, or canary ${release.name} --percent 1`,
    }
  },
}

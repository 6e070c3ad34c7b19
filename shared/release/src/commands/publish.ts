import { getRelease, summarize, type Command } from './command.ts'
import { formatKilobytes } from './format.ts'

export const publishCommand: Command = {
  usage: 'publish  remote-scan',
  about: 'build it and put the release into the store; nothing goes live',
  run: async (options) => {
    const release = summarize(await getRelease(options))
    const { name, releaseId, files, brotliBytes } = release
    return {
      json: { release },
      text: [
        `${name} ${releaseId} is in the store (${files} files, ${formatKilobytes(brotliBytes)}).`,
        `Next: npm run release -- activate ${name}, or canary ${name} --percent 1`,
      ].join('\n'),
    }
  },
}

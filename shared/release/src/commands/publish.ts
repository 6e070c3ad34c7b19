import { getRelease, summarize, type Command } from './command.ts'
import { findTrust } from '../signing/signatures.ts'
import { formatKilobytes } from './format.ts'
import { formatSigner, toSignature } from './signature.ts'

export const publishCommand: Command = {
  usage: 'publish  remote-scan',
  about: 'build it and put the release into the store; nothing goes live',
  run: async (options) => {
    const published = await getRelease(options)
    const signature = toSignature(await findTrust(options.store, published))
    const release = summarize(published)
    const { name, releaseId, files, brotliBytes } = release
    return {
      json: { release, signature },
      text: [
        `${name} ${releaseId} is in the store (${files} files, ${formatKilobytes(brotliBytes)}).`,
        ...(signature.by === 'nobody' ? [] : [signature.problem ?? `Signed by: ${formatSigner(signature)}.`]),
        `Next: npm run release -- activate ${name}, or canary ${name} --percent 1`,
      ].join('\n'),
    }
  },
}

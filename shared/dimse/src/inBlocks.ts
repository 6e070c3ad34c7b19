import { dimseLimits } from './limits.ts'

/**
 * Short fragments in blocks: a partner may send each byte by itself, and by itself each would take a hundred times its
 * size. Those that are no shorter than a block go on as they are.
 */
export async function* inBlocks(fragments: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let block: Buffer | undefined
  let used = 0
  for await (const fragment of fragments) {
    if (block && used + fragment.length > block.length) {
      yield block.subarray(0, used)
      block = undefined
    }
    if (fragment.length >= dimseLimits.blockBytes) {
      yield fragment
      continue
    }
    if (!block) {
      block = Buffer.allocUnsafeSlow(dimseLimits.blockBytes)
      used = 0
    }
    used += fragment.copy(block, used)
  }
  if (block) yield block.subarray(0, used)
}

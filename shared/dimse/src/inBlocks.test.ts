import { inBlocks } from './inBlocks.ts'
import { dimseLimits } from './limits.ts'

async function* of(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

const collect = async (pieces: readonly Buffer[]): Promise<Buffer[]> => {
  const blocks: Buffer[] = []
  for await (const block of inBlocks(of(pieces))) blocks.push(block)
  return blocks
}

const { blockBytes } = dimseLimits
const numbered = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => at % 251))

it('hands short fragments on together, in their order [P18]', async () => {
  const all = numbered(3 * blockBytes + 5)
  const blocks = await collect([...all].map((byte) => Buffer.of(byte)))
  expect(blocks).toHaveLength(4)
  expect(Buffer.concat(blocks).equals(all)).toBe(true)
})

it('hands long fragments on as they are, behind the short ones before them', async () => {
  const [short, long] = [numbered(10), numbered(blockBytes)]
  expect(await collect([short, short, long, short])).toEqual([Buffer.concat([short, short]), long, short])
  expect(await collect([])).toEqual([])
})

import { readShortLines } from './shortLines.ts'

const linesOf = async (chunks: readonly string[], most: number): Promise<(string | undefined)[]> => {
  const lines: (string | undefined)[] = []
  for await (const line of readShortLines(
    (async function* () {
      yield* chunks
    })(),
    most,
  ))
    lines.push(line)
  return lines
}

describe('the lines of a text', () => {
  it('are as long as they may be, and those that are longer are told as such, at its end too', async () => {
    expect(await linesOf(['12345\n123456\n1\n'], 5)).toStrictEqual(['12345', undefined, '1'])
    expect(await linesOf(['12345\n123456'], 5)).toStrictEqual(['12345', undefined])
    expect(await linesOf(['\n\nx'], 5)).toStrictEqual(['', '', 'x'])
    expect(await linesOf([], 5)).toStrictEqual([])
  })

  it('are the same however the text comes in pieces, and one that was too long is forgotten', async () => {
    expect(await linesOf(['12', '34', '5\n12', '3456', '78\n', 'ab'], 5)).toStrictEqual(['12345', undefined, 'ab'])
    const long = 'x'.repeat(20_000)
    expect(await linesOf([`${long}\n${long}y`], 20_000)).toStrictEqual([long, undefined])
  })
})

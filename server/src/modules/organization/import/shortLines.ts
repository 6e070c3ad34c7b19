import { setImmediate } from 'node:timers/promises'

/** The lines of a text, each in memory only as long as it is short; undefined stands for one that is too long. */
export async function* readShortLines(
  text: AsyncIterable<string>,
  mostChars: number,
): AsyncGenerator<string | undefined> {
  let line = ''
  let isTooLong = false
  for await (const chunk of inPieces(text)) {
    const [first = '', ...rest] = chunk.split('\n')
    for (const [index, part] of [first, ...rest].entries()) {
      if (index > 0) {
        yield isTooLong ? undefined : line
        line = ''
        isTooLong = false
      }
      if (line.length + part.length > mostChars) isTooLong = true
      line = isTooLong ? '' : line + part
    }
  }
  if (isTooLong) yield undefined
  else if (line !== '') yield line
}

/** A piece may hold nothing but ends of lines: others have their turn after each. */
async function* inPieces(text: AsyncIterable<string>): AsyncGenerator<string> {
  const most = 8192
  for await (const chunk of text)
    for (let at = 0; at < chunk.length; at += most) {
      yield chunk.slice(at, at + most)
      await setImmediate()
    }
}

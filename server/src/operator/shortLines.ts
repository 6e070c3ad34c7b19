import { createReadStream } from 'node:fs'

/** The lines of a file, each in memory only as long as it is short; undefined stands for one that is too long. */
export async function* readShortLines(path: string, mostChars: number): AsyncGenerator<string | undefined> {
  let line = ''
  let isTooLong = false
  // A piece may hold nothing but ends of lines: others have their turn after each.
  const pieces = createReadStream(path, { encoding: 'utf8', highWaterMark: 8192 }) as AsyncIterable<string>
  for await (const chunk of pieces) {
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

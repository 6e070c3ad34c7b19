import { createReadStream } from 'node:fs'

/** The lines of a file, each in memory only as long as it is short; undefined stands for one that is too long. */
export async function* readShortLines(path: string, mostChars: number): AsyncGenerator<string | undefined> {
  let line = ''
  let isTooLong = false
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
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

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Stop } from './stop.ts'

/** Whether a person sits in front of it. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Asks a question; the input to a hidden one is not shown. */
export async function ask(question: string, isHidden = false): Promise<string> {
  let isQuiet = false
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isQuiet) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const interrupted = new Promise<never>((_resolve, reject) =>
    lines.once('SIGINT', () => reject(new Stop('Stopped.', 130))),
  )
  try {
    const typedLine = lines.question(question)
    isQuiet = isHidden
    return await Promise.race([typedLine, interrupted])
  } finally {
    isQuiet = false
    if (isHidden) process.stderr.write('\n')
    lines.close()
  }
}

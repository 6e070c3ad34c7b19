import type { OperatorLine } from './operatorCommands.ts'

const megabyte = 2 ** 20
const width = 30

/** Names of files and organizations come from others: none moves the cursor, or writes a line as ours. */
export const toOneLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

/** Writes sentences; progress is a line that is drawn again on a terminal, and one every tenth of the way elsewhere. */
export function hearOnTerminal(): (line: OperatorLine) => void {
  const began = performance.now()
  let tenth = 0
  let isDrawing = false
  return (line) => {
    if ('text' in line) {
      process.stdout.write(`${isDrawing ? '\n' : ''}${toOneLine(line.text)}\n`)
      isDrawing = false
    }
    if (!('progress' in line)) return
    const { done, total, bytes } = line.progress
    const filled = total === 0 ? width : Math.round((done / total) * width)
    const speed = bytes / megabyte / Math.max(0.001, (performance.now() - began) / 1000)
    const drawn = `[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${done}/${total} files, ${speed.toFixed(1)} MB/s`
    if (process.stdout.isTTY) {
      process.stdout.write(`\r${drawn}`)
      isDrawing = true
    } else if (Math.floor((done / total) * 10) > tenth) {
      tenth = Math.floor((done / total) * 10)
      process.stdout.write(`${drawn}\n`)
    }
  }
}

import { PassThrough } from 'node:stream'
import { ask, isInteractive } from './prompt.ts'

const { stdin } = process
const seats = { stdin: stdin.isTTY, stderr: process.stderr.isTTY }
afterEach(() => {
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
  Object.assign(stdin, { isTTY: seats.stdin })
  Object.assign(process.stderr, { isTTY: seats.stderr })
  jest.restoreAllMocks()
})

/** Answers the question as a person at a keyboard would; says what came to stand on the screen. */
async function typed(
  words: string,
  question: (ask_: typeof ask) => Promise<string>,
): Promise<{ answer: string; screen: string }> {
  const keyboard = new PassThrough()
  Object.defineProperty(process, 'stdin', { value: keyboard, configurable: true })
  let screen = ''
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    screen += String(text)
    return true
  })
  const asked = question(ask)
  keyboard.write(`${words}\r`)
  return { answer: await asked, screen }
}

describe('what the uploader asks', () => {
  it('is shown while it is typed [2.41]', async () => {
    const { answer, screen } = await typed('123456', (put) => put('Code from the mail: '))
    expect(answer).toBe('123456')
    expect(screen).toContain('Code from the mail: ')
    expect(screen).toContain('123456')
  })

  it('is not shown where it is a password [2.41, P23]', async () => {
    const { answer, screen } = await typed('canary', (put) => put('Password of a@b.example: ', true))
    expect(answer).toBe('canary')
    expect(screen).toContain('Password of a@b.example: ')
    expect(screen).not.toMatch(/c.?a.?n.?a.?r.?y/s)
  })

  it.each([
    [true, true, true],
    [true, undefined, false],
    [undefined, true, false],
  ])('is asked only where somebody can read and type (keys %s, screen %s) [2.41]', (keys, screen, expected) => {
    Object.assign(process.stdin, { isTTY: keys })
    Object.assign(process.stderr, { isTTY: screen })
    expect(isInteractive()).toBe(expected)
  })
})

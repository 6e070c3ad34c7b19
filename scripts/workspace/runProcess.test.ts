import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { node, runProcess } from './runProcess.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a program that is ended before it is done', () => {
  it('ends, also one that hears the order and goes on, as the compiler of TypeScript does', async () => {
    const file = join(folder, 'pid')
    const program = `
      process.on('SIGTERM', () => undefined)
      setInterval(() => undefined, 1000)
      require('node:fs').writeFileSync(${JSON.stringify(`${file}.new`)}, String(process.pid))
      require('node:fs').renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)})`
    const ending = new AbortController()
    const running = runProcess(node, ['-e', program], { isQuiet: true, signal: ending.signal })
    while (!existsSync(file)) await pause(10)
    const pid = Number(readFileSync(file, 'utf8'))
    expect(isAlive(pid)).toBe(true)
    ending.abort()
    expect((await running).code).not.toBe(0)
    while (isAlive(pid)) await pause(10)
  })
})

it('a program has ended also where something that it left behind holds its output open', async () => {
  const program = `
    const left = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit', detached: true })
    console.log(left.pid)
    process.exit(3)`
  const { code, text } = await runProcess(node, ['-e', program], { isQuiet: true })
  expect([code, isAlive(Number(text))]).toEqual([3, true])
  process.kill(Number(text), 'SIGKILL')
})

it('a program that says that it does not end is ended a while later, and has failed', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
  const program = `
    console.log(process.pid + ' I did not exit.')
    setInterval(() => undefined, 1000)`
  const lines: string[] = []
  const heard = jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  const running = runProcess(node, ['-e', program], { stuck: 'did not exit' })
  while (!lines.join('').includes('not exit')) await new Promise(setImmediate)
  heard.mockRestore()
  const pid = Number.parseInt(lines.join(''), 10)
  jest.advanceTimersByTime(59_000)
  expect(isAlive(pid)).toBe(true)
  jest.advanceTimersByTime(1000)
  expect((await running).code).not.toBe(0)
  jest.useRealTimers()
})

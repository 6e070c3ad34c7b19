import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const patienceMs = 120_000
const saved = 'remote-complaint/src/list/ComplaintListScreen.tsx'

/**
 * `npm test -- --watch` in a committed copy of the checkout: a saved file of a remote runs tests of that remote, and of
 * no other, and the command leaves nothing behind. Returns what went wrong.
 */
export async function watchTestsOnce(folder: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const child = spawn('npm', ['test', '--', '--watch'], { cwd: folder, env, detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const sees = async (words: RegExp): Promise<boolean> => {
    for (const end = Date.now() + patienceMs; Date.now() < end; await new Promise((again) => setTimeout(again, 100)))
      if (words.test(said)) return true
    return false
  }
  const file = join(folder, saved)
  const text = readFileSync(file, 'utf8')
  try {
    if (!(await sees(/that differ from the last commit: now, and again with each save/)))
      return `It does not say what it runs.\n${said}`
    // The tests of screens, and those that run in Node.
    if (!(await sees(/(?:No tests found related to files changed[^]*){2}/)))
      return `It does not wait for a save.\n${said}`
    said = ''
    writeFileSync(file, `${text}\n// Saved.\n`)
    if (!(await sees(/Ran all test suites related to changed files/))) return `A save runs no tests.\n${said}`
    const ran = [...said.matchAll(/^(PASS|FAIL) \S+ ([^/\s]+)\//gm)].map(([, outcome, part]) => `${outcome} ${part}`)
    const others = ran.filter((each) => each !== 'PASS remote-complaint')
    if (ran.length === 0 || others.length > 0) return `It ran ${ran.join(', ') || 'nothing'}.\n${said}`
    return undefined
  } finally {
    writeFileSync(file, text)
    // As Ctrl+C does.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
    await ended
  }
}

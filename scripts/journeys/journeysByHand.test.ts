import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../workspace/files.ts'
import { journeys } from './findBrowser.ts'

// Playwright starts in two seconds; a busy machine is no failure.
jest.setTimeout(300_000)

/** Playwright empties it first, and the journeys of another stage may be writing theirs. */
const output = mkdtempSync(join(tmpdir(), 'dmp-by-hand-'))

/** As an editor or `npx playwright test` does: without anything that `npm run e2e` prepares. */
function playwright(options: readonly string[], env: Record<string, string> = {}) {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:E2E_|BASE_URL|JEST_)/.test(name))
  const { status, stdout, stderr } = spawnSync(process.execPath, [...journeys, ...options, '--output', output], {
    cwd: root,
    encoding: 'utf8',
    env: { ...Object.fromEntries(own), ...env },
  })
  return { status, said: stdout + stderr }
}

describe('Playwright that was started by hand', () => {
  it('lists the journeys', () => {
    const { status, said } = playwright(['--list', 'smoke/host'])
    expect([status, said]).toEqual([0, expect.stringContaining('Total: ')])
  })

  it('says before any journey what is missing, and how to mend it', () => {
    const { status, said } = playwright(['errors.e2e.ts', '--reporter', 'line'], { E2E_BROWSER: '/nowhere/chrome' })
    expect(status).toBe(1)
    expect(said).toContain('E2E_BROWSER names /nowhere/chrome, but nothing is there. Correct it, or unset it')
    expect(said).toContain('The journeys could not be prepared; the lines above say why.')
  })
})

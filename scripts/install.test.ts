import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureInstalled } from './install.mjs'

const previousPath = process.env.PATH
let root: string

/** `npx` as the install finds it: notes each call and runs the steps of the test in the checkout. */
function fakeNpx(steps: string): void {
  write('bin/npx', `#!/bin/sh\necho "$@" >> npx.log\n${steps}\n`)
  chmodSync(join(root, 'bin/npx'), 0o755)
}

const installNode = (version: string): string =>
  `mkdir -p node_modules/node/bin && printf '#!/bin/sh\\necho v${version}\\n' > node_modules/node/bin/node && chmod +x node_modules/node/bin/node`

const callCount = (): number => (existsSync(join(root, 'npx.log')) ? read('npx.log').trim().split('\n').length : 0)
const lock = (): string => join(root, '.cache/install.lock')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dmp-install-'))
  write('package.json', JSON.stringify({ devDependencies: { node: '24.21.0' } }))
  write('shared/contract/package.json', '{}')
  process.env.PATH = [join(root, 'bin'), previousPath].join(delimiter)
  jest.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(() => {
  process.env.PATH = previousPath
  rmSync(root, { recursive: true, force: true })
})

describe('the install before every command', () => {
  it('runs once, and again when a package.json changed', async () => {
    fakeNpx(installNode('24.21.0'))
    expect(await ensureInstalled(root)).toBeUndefined()
    expect(await ensureInstalled(root)).toBeUndefined()
    expect(callCount()).toBe(1)
    expect(read('npx.log')).toContain('install --frozen-lockfile')
    write('shared/contract/package.json', '{ "name": "changed" }')
    expect(await ensureInstalled(root)).toBeUndefined()
    expect(callCount()).toBe(2)
    expect(existsSync(lock())).toBe(false)
  })

  it('starts over when the first attempt left another Node', async () => {
    fakeNpx(`if [ -e tried ]; then ${installNode('24.21.0')}; else touch tried; ${installNode('18.0.0')}; fi`)
    expect(await ensureInstalled(root)).toBeUndefined()
    expect(callCount()).toBe(2)
  })

  it('says so when the project’s Node does not run on this platform', async () => {
    fakeNpx(installNode('18.0.0'))
    expect(await ensureInstalled(root)).toContain(`Node 24 exists for this platform (${process.platform}`)
  })

  it.each([
    ['getaddrinfo ENOTFOUND registry', 'the npm registry does not respond'],
    [
      'npm error code E404\nnpm error 404 Not Found - GET https://npm.example/pnpm - not found',
      'The npm registry answers 404 to a request for https://npm.example/pnpm. Check that `npm config get registry`',
    ],
    [
      'ERR_PNPM_FETCH_403  GET https://ann:secret@npm.example/react/-/react-19.tgz: Forbidden - 403',
      'The npm registry answers 403 to a request for https://npm.example/react/-/react-19.tgz. Check',
    ],
    ['ENOSPC: no space left', 'The disk is full'],
    [
      'Failed to write cafs: Failed to write to file at "a/b": No\n      space left on device (os error 28)',
      'The disk is full',
    ],
    ['Failed to create directory: Permission\n      denied (os error 13)', 'cannot be written to (EACCES)'],
    ['EACCES: permission denied', 'cannot be written to (EACCES)'],
    ['ERR_PNPM_OUTDATED_LOCKFILE', 'pnpm-lock.yaml does not match a package.json'],
    ['something else entirely', 'The last output of pnpm@'],
  ])('turns "%s" into a sentence with a cure, and leaves no lock', async (output, sentence) => {
    fakeNpx(`echo "${output}" >&2; exit 1`)
    expect(await ensureInstalled(root)).toContain(sentence)
    expect(existsSync(lock())).toBe(false)
    expect(existsSync(join(root, 'node_modules/.dmp-install'))).toBe(false)
  })

  it('says that npx is missing where there is none', async () => {
    process.env.PATH = join(root, 'nowhere')
    expect(await ensureInstalled(root)).toContain('`npx` was not found')
  })
})

describe('two installs at once', () => {
  it('wait for each other', async () => {
    fakeNpx(installNode('24.21.0'))
    await ensureInstalled(root)
    const marker = read('node_modules/.dmp-install')
    rmSync(join(root, 'node_modules/.dmp-install'))
    write('.cache/install.lock', String(process.pid))
    const waiting = ensureInstalled(root)
    await pause(100)
    write('node_modules/.dmp-install', marker)
    expect(await waiting).toBeUndefined()
    expect(callCount()).toBe(1)
  })

  it('clear what an interrupted one left, because its process is gone', async () => {
    fakeNpx(installNode('24.21.0'))
    write('.cache/install.lock', '4194999')
    write('node_modules/half/package.json', '{}')
    write('shared/contract/node_modules/half/package.json', '{}')
    expect(await ensureInstalled(root)).toBeUndefined()
    expect(existsSync(join(root, 'node_modules/half'))).toBe(false)
    expect(existsSync(join(root, 'shared/contract/node_modules/half'))).toBe(false)
    expect(existsSync(lock())).toBe(false)
  })
})

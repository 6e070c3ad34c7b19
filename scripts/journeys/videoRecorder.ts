import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { installDebianPackage } from '../workspace/debianPackage.ts'
import { root } from '../workspace/files.ts'

/** The ffmpeg of Playwright, which downloads it from an address that not every network reaches. */
const names: Partial<Record<NodeJS.Platform, string>> = { linux: 'ffmpeg-linux', darwin: 'ffmpeg-mac' }

/**
 * The environment in which Playwright records videos with the machine's ffmpeg, or Debian's: in the folder that it
 * looks in, a link under the name that it looks for. Browsers are named by their paths and not looked for there.
 * Undefined where no ffmpeg can be had.
 */
export async function prepareVideoRecorder(folder: string): Promise<Record<string, string> | undefined> {
  const name = names[process.platform]
  if (name === undefined) return {}
  if (!onPath()) {
    console.log('No ffmpeg here yet; getting one (once) …')
    await installDebianPackage('ffmpeg')
  }
  const ffmpeg = onPath()
  if (!ffmpeg) {
    console.log(
      'No ffmpeg could be had: failures are kept without a film. Install one with your package manager (Debian: apt-get install ffmpeg).',
    )
    return undefined
  }
  const place = join(folder, 'browsers', `ffmpeg-${revision()}`)
  mkdirSync(place, { recursive: true })
  symlinkSync(ffmpeg, join(place, name))
  return { PLAYWRIGHT_BROWSERS_PATH: join(folder, 'browsers') }
}

const onPath = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'ffmpeg'))
    .find((path) => existsSync(path))

function revision(): string {
  const fromRunner = createRequire(createRequire(join(root, 'e2e', 'package.json')).resolve('playwright/package.json'))
  const list = join(dirname(fromRunner.resolve('playwright-core/package.json')), 'browsers.json')
  const { browsers } = JSON.parse(readFileSync(list, 'utf8')) as { browsers: { name: string; revision: string }[] }
  const recorder = browsers.find(({ name }) => name === 'ffmpeg')
  if (!recorder) throw new Error(`Playwright names no ffmpeg in ${list} any more: see where this version looks for it.`)
  return recorder.revision
}

import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { node } from './runProcess.ts'
import { root } from './files.ts'
import { staleUploaders } from '../../uploader/targets.ts'

/**
 * Makes the uploader's executables beside the running demo, so that the link in the footer (2.41) leads somewhere; what
 * is there and new enough stays.
 */
export async function buildDemoUploader(): Promise<void> {
  // One after the other: without a network the one for this machine is made all the same.
  for (const platform of staleUploaders()) {
    const failure = await buildFor(platform)
    if (failure !== undefined)
      console.error(
        `The uploader for ${platform} was not made (${failure}). Its link says so until you run: npm run build:uploader -- ${platform}`,
      )
  }
}

/** Returns nothing when it was made, else why not. Users of the demo come first meanwhile. */
function buildFor(platform: string): Promise<string | undefined> {
  const child = spawn(
    node,
    ['--disable-warning=ExperimentalWarning', join(root, 'scripts/commands/build-uploader.ts'), platform],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  if (child.pid !== undefined) setPriority(child.pid, 15)
  const end = (): boolean => child.kill()
  process.once('exit', end)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code) => {
      process.off('exit', end)
      resolve(code === 0 ? undefined : (said.trim().split('\n').at(-1) ?? 'no reason given'))
    })
  })
}

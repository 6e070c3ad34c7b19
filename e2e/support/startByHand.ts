import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/**
 * For `npx playwright test` and the Playwright extension of an editor, which have neither a browser nor a deployment:
 * what `npm run e2e` prepares, by the project's own Node. It ends with this process: reports are written after
 * Playwright's own teardown, and an editor runs one journey after the other.
 */
export default async function startByHand(): Promise<void> {
  const node = at(`node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`)
  if (!existsSync(node)) throw new Error('The packages are not installed yet. Run npm start or npm test once.')
  const child = fork(at('scripts/journeys/journeysByHand.ts'), {
    execPath: node,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [variables] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('The journeys could not be prepared; the lines above say why.')
    }),
  ])) as [Record<string, string>]
  Object.assign(process.env, variables)
  child.unref()
  child.channel?.unref()
}

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the package that a test belongs to. */
const findPackage = (folder) => (existsSync(join(folder, 'package.json')) ? folder : findPackage(dirname(folder)))

/**
 * The records of a package's screens (`recordScreens` of `@dmp/kit/records`), which lie in its folder `records`. Tests
 * of screens have no files of their own.
 */
export function recordsOf(testPath) {
  const root = findPackage(dirname(testPath))
  const folder = join(root, 'records')
  return {
    isAccepting: process.env.TEST_ACCEPT_RECORDS === '1',
    declaration: () => JSON.parse(readFileSync(join(root, 'remote.json'), 'utf8')),
    list: () => (existsSync(folder) ? readdirSync(folder) : []),
    read: (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : ''),
    remove: (name) => rmSync(join(folder, name)),
    write(name, text) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, name), text)
    },
    /** One turn of Node's loop, in which the platform's own work goes on. */
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

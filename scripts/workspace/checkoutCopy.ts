import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFiles, root } from './files.ts'

/**
 * Copies the sources of this checkout to a folder where they may be edited, with the packages that are installed here.
 *
 * @param isNeeded says of a path from the root whether it is copied
 */
export function copyCheckout(to: string, isNeeded: (file: string) => boolean): void {
  const files = listFiles().filter(isNeeded)
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(root, file), join(to, file))
  }
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'), 'junction')
  const packages = files.filter((file) => file.endsWith('/package.json')).map((file) => dirname(file))
  // Links to packages of the workspace lead to where they lead from the copy: to its own.
  for (const folder of packages.filter((each) => existsSync(join(root, each, 'node_modules'))))
    cpSync(join(root, folder, 'node_modules'), join(to, folder, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !/[\\/]node_modules[\\/]\.(?!pnpm)/.test(file),
    })
}

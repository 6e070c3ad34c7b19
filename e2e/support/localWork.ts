import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** A copy of a remote's sources, to be edited. */
export function copyRemote(remote: string): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'dmp-local-')), remote)
  cpSync(join(root, remote), copy, { recursive: true, filter: (file) => !/[\\/](?:node_modules|dist)$/.test(file) })
  symlinkSync(join(root, remote, 'node_modules'), join(copy, 'node_modules'), 'junction')
  return copy
}

/** `npm run dev -- <remote>`: returns the link that it prints. */
export async function serveRemote(
  remote: string,
  folder: string,
  host: string,
): Promise<{ link: string; address: string; process: ChildProcess }> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'scripts/commands/dev.ts'),
      remote,
      '--host',
      host,
      '--folder',
      folder,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  const link = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        output += text.toString()
        const match = /http\S+\?dmp-override=\S+/.exec(output)?.[0]
        if (match) resolve(match)
      })
    child.on('exit', () => reject(new Error(`The development server ended: ${output}`)))
  })
  return { link, address: link.split('@')[1] ?? '', process: child }
}

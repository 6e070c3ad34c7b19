import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright/test'

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

/** Resolves once a page is told of the server's updates: what is saved before that is in it already, or reloads it. */
export async function hearsUpdates(page: Page, address: string): Promise<void> {
  const socket = await page.waitForEvent('websocket', (opened) => opened.url().includes(new URL(address).host))
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"ok"'))
}

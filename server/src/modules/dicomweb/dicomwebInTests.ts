import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { sampleObjects } from '../../dicom/sampleObjects.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

export let server: TestServer
export let staff: SignedIn
export let south: SignedIn
export let provider: SignedIn
export let northId: string

export const file = (name: string): Buffer =>
  readFileSync(sampleObjects().find((path) => basename(path) === name) ?? '')
export const json = (raw: { body: string }): Record<string, { vr: string; Value?: unknown[] }>[] => JSON.parse(raw.body)
export const get = (who: SignedIn, path: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: `/dicom-web${path}`, headers: { ...who.headers, ...headers } })
export const value = (dataset: Record<string, { Value?: unknown[] }> | undefined, tag: string): unknown =>
  dataset?.[tag]?.Value?.[0]

export const xa = {
  study: '1.3.12.2.1107.5.4.3.123456789012345.19950922.121803.6',
  series: '1.3.12.2.1107.5.4.3.123456789012345.19950922.121803.8',
}

export async function startWithSamples(): Promise<void> {
  server = await startServer()
  ;[staff, south, provider] = await Promise.all([
    server.signIn('staff'),
    server.signIn('admin@south.example'),
    server.signIn('super_admin'),
  ])
  northId = await server.organizationOf(staff)
  const objects = sampleObjects()
    .filter((path) => !path.includes('papaya'))
    .map((path) => readFileSync(path))
  await stow(server, staff, objects)
}

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { sampleObjects } from '../../dicom/sampleObjects.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

export let server: TestServer
export let staff: SignedIn
export let south: SignedIn
export let provider: SignedIn
export let northId: string

export const file = (name: string): Buffer =>
  readFileSync(sampleObjects().find((path) => basename(path) === name) ?? '')
export const get = (who: SignedIn, path: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: `/dicom-web${path}`, headers: { ...who.headers, ...headers } })
export const value = (dataset: Record<string, { Value?: unknown[] }> | undefined, tag: string): unknown =>
  dataset?.[tag]?.Value?.[0]

export async function startWithCallers(): Promise<void> {
  server = await startServer()
  ;[staff, south, provider] = await Promise.all([
    server.signIn('staff'),
    server.signIn('admin@south.example'),
    server.signIn('super_admin'),
  ])
  northId = await server.organizationOf(staff)
}

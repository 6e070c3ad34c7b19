import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { createAuthority, writeKmipFiles, type Authority } from './certificates.ts'
import { FakeKmip } from './FakeKmip.ts'

export interface KmipInTests {
  readonly service: FakeKmip
  readonly authority: Authority
  /** Where its files are. */
  readonly folder: string
  /** Settings that lead a server to the service, with a certificate that it knows. */
  readonly variables: Record<string, string>
  close(): void
}

export async function startFakeKmip(more: TlsOptions = {}): Promise<KmipInTests> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-kmip-'))
  const authority = await createAuthority('Tests')
  const service = new FakeKmip({ ca: authority.cert, ...(await authority.issue()), ...more })
  const port = await service.listen()
  const client = await authority.issue({ name: 'dmp', purpose: 'clientAuth' })
  const variables = {
    DMP_ENCRYPTION_KEY: 'kmip:master',
    DMP_KMIP_ADDRESS: `localhost:${port}`,
    ...writeKmipFiles(folder, authority.cert, client),
  }
  const close = (): void => {
    service.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { service, authority, folder, variables, close }
}

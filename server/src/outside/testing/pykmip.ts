import { execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Authority } from './certificates.ts'

/** Keys as an administrator of the service makes them, with the client that belongs to it. */
const makeKeys = `
import os, sys
from kmip.core.enums import CryptographicAlgorithm as A, CryptographicUsageMask as M, RevocationReasonCode as R
from kmip.pie.client import ProxyKmipClient
from kmip.pie.objects import SymmetricKey
port, cert, key, ca = sys.argv[1:]
with ProxyKmipClient(
    hostname='127.0.0.1', port=int(port), cert=cert, key=key, ca=ca, ssl_version='PROTOCOL_TLSv1_2'
) as client:
    def add(name, uid, is_active=True):
        if is_active: client.activate(uid)
        print(name, uid)
    create = lambda: client.create(A.AES, 256, cryptographic_usage_mask=[M.ENCRYPT, M.DECRYPT])
    add('master', create())
    add('next', create())
    add('inactive', create(), is_active=False)
    add('decryptOnly', client.register(SymmetricKey(A.AES, 256, os.urandom(32), masks=[M.DECRYPT])))
    ended = create()
    add('ended', ended)
    client.revoke(R.CESSATION_OF_OPERATION, ended)
`
const names = ['master', 'next', 'inactive', 'decryptOnly', 'ended'] as const

export interface Pykmip {
  readonly port: number
  readonly keys: Readonly<Record<(typeof names)[number], string>>
  close(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** A real KMIP server, PyKMIP as Debian packs it, whose keys belong to the client `dmp`; its files are in `folder`. */
export async function startPykmip(folder: string, authority: Authority): Promise<Pykmip> {
  const [port, own] = [await freePort(), await authority.issue()]
  const admin = await authority.issue({ name: 'dmp', purpose: 'clientAuth' })
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  mkdirSync(join(folder, 'policies'))
  const configuration = {
    hostname: '127.0.0.1',
    port,
    certificate_path: file('kmip.pem', own.cert),
    key_path: file('kmip.key', own.key),
    ca_path: file('authority.pem', authority.cert),
    auth_suite: 'TLS1.2',
    policy_path: join(folder, 'policies'),
    enable_tls_client_auth: 'True',
    database_path: join(folder, 'kmip.db'),
  }
  const lines = Object.entries(configuration).map(([name, value]) => `${name}=${value}`)
  const settings = file('server.conf', ['[server]', ...lines, ''].join('\n'))
  // It has processes of its own, which end with it as a group.
  const child = spawn('pykmip-server', ['-f', settings, '-l', join(folder, 'server.log')], {
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error('PyKMIP has ended.')))
  })
  ended.catch(() => undefined)
  const close = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended.catch(() => undefined)
  }
  try {
    await Promise.race([ended, untilUp(port)])
    const files = [file('admin.pem', admin.cert), file('admin.key', admin.key), configuration.ca_path]
    const { stdout } = await promisify(execFile)('/usr/bin/python3', [
      '-W',
      'ignore',
      '-c',
      makeKeys,
      `${port}`,
      ...files,
    ])
    const keys = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')),
    ) as Pykmip['keys']
    return { port, keys, close }
  } catch (cause) {
    await close()
    throw cause
  }
}

async function untilUp(port: number): Promise<void> {
  const isUp = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })
  while (!(await isUp())) await pause(100)
}

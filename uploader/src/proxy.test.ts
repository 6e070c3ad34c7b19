import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startUploader } from './processesInTests.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-proxy-'))
  mkdirSync(path.join(folder, 'scans'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sendBy = async (proxy: string, server: string) =>
  startUploader(['--state', path.join(folder, 'state'), path.join(folder, 'scans')], folder, {
    HOME: folder,
    UPLOADER_SERVER: server,
    UPLOADER_API_TOKEN: `dmp_${'a'.repeat(49)}`,
    HTTPS_PROXY: proxy,
    // As the program has it inside.
    NODE_USE_ENV_PROXY: '1',
  }).end

describe('a proxy that is at fault', () => {
  it('is named where it does not respond, without its user and password [P28]', async () => {
    const proxy = createServer()
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const { port } = proxy.address() as AddressInfo
    await new Promise((done) => proxy.close(done))
    const { code, said } = await sendBy(`http://scanner:secret@127.0.0.1:${port}`, 'https://dmp.clinic.example')
    expect([code, said]).toEqual([1, expect.stringContaining(`The proxy 127.0.0.1:${port} does not respond.`)])
    expect(said).not.toMatch(/dmp\.clinic\.example does not respond|secret/)
  })

  it('is named where it refuses, with its answer [P28]', async () => {
    const proxy = createServer()
    proxy.on('connect', (_asked, socket) => socket.end('HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\n\r\n'))
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
    const { port } = proxy.address() as AddressInfo
    const { code, said } = await sendBy(`http://127.0.0.1:${port}`, 'https://dmp.clinic.example')
    expect([code, said]).toEqual([1, expect.stringContaining(`The proxy 127.0.0.1:${port} refused (501).`)])
    proxy.close()
  })

  it('is not blamed for a server that does not respond and is not behind it [P28]', async () => {
    const { said } = await sendBy('http://127.0.0.1:4399', 'http://127.0.0.1:9')
    expect(said).toContain('127.0.0.1:9 does not respond')
  })
})

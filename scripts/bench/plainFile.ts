import { spawn } from 'node:child_process'
import { node } from '../workspace/runProcess.ts'

export interface PlainFileServer {
  readonly url: string
  readonly pid: number
  stop(): void
}

/** What a file server of Node's does at least: a file is read in pieces and sent, with its length. */
const program = `
const { createReadStream, statSync } = require('node:fs')
const file = process.argv[1]
const server = require('node:http').createServer((request, response) => {
  response.writeHead(200, { 'content-length': statSync(file).size })
  createReadStream(file, { highWaterMark: 256 * 1024 }).pipe(response)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

/** Serves one file, in a process of its own. */
export async function startPlainFileServer(file: string): Promise<PlainFileServer> {
  const child = spawn(node, ['-e', program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The plain file server ended with ${code}.`)))
  })
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid ?? 0, stop: () => void child.kill() }
}

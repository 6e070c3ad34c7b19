import { WebSocket } from 'ws'
import { startServer } from '../../testing/server.ts'

it('an upgrade at any other address is refused before it happens, and its address stays out of the log [P23]', async () => {
  const server = await startServer()
  try {
    const url = (await server.listen()).replace('http', 'ws')
    for (const path of ['/scan/detail/Mustermann?secret=abc', '/api/Scan/list?secret=abc', '/nothing?secret=abc']) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const socket = new WebSocket(url + path)
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
        socket.on('open', () => reject(new Error(`${path} was upgraded`)))
        socket.on('error', () => undefined)
      })
      expect([path, status !== undefined && status >= 400 && status < 500]).toEqual([path, true])
    }
    expect(server.logs.join('')).not.toMatch(/Mustermann|secret=abc/)
  } finally {
    await server.close()
  }
})

import { randomUUID } from 'node:crypto'
import { openLive } from '../../testing/live.ts'
import { startServer } from '../../testing/server.ts'

it('reads nothing of what comes behind a frame that ended the line [P11, P18]', async () => {
  const server = await startServer()
  try {
    const { clientId } = server.deps.settings
    const line = await openLive(await server.listen(), { clientId, sessionId: randomUUID() })
    const mark = `mark-${randomUUID()}`
    const parse = jest.spyOn(JSON, 'parse')
    for (let frame = 0; frame < 50; frame += 1) line.sendRaw(JSON.stringify({ type: mark }))
    expect((await line.closed).code).toBe(1008)
    expect(parse.mock.calls.filter(([text]) => String(text).includes(mark))).toHaveLength(1)
  } finally {
    jest.restoreAllMocks()
    await server.close()
  }
})

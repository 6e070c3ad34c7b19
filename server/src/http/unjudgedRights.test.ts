import { once } from 'node:events'
import { request as send } from 'node:http'
import Fastify from 'fastify'
import { createLocalBus } from '../db/bus.ts'
import { registerRightsUnderWay } from './rightsUnderWay.ts'

describe('a right that nobody can judge at the moment [P11]', () => {
  it('is judged once the database answers again, and ends then', async () => {
    const app = Fastify()
    const bus = createLocalBus()
    registerRightsUnderWay(app, bus)
    const goesOn = jest.fn<Promise<boolean>, []>().mockRejectedValueOnce(new Error('away')).mockResolvedValue(false)
    const { promise: isUnderWay, resolve: begin } = Promise.withResolvers<void>()
    app.get('/', (request) => {
      request.standOn?.({ isAbout: () => true, goesOn })
      begin()
      return new Promise(() => undefined)
    })
    const request = send(await app.listen(), { agent: false })
    const cut = once(request, 'error')
    request.end()
    await isUnderWay
    bus.publish({ kind: 'missed' })
    await cut
    expect(goesOn).toHaveBeenCalledTimes(2)
    await app.close()
  })
})

import { connect } from 'node:net'
import { account, businessUser } from '@dmp/contract'
import { tooManyOfAll } from '../core/errors.ts'
import { TooManyWaiting } from '../core/fairTurns.ts'
import { penaltyPoints, type Penalties } from '../core/penalties.ts'
import { DatabaseAway } from '../db/patience.ts'
import { manyItems } from '../testing/attackObjects.ts'
import { stow, stowBody } from '../testing/stow.ts'
import { dicomFile } from '../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

let server: TestServer
let port: number
let staff: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer({ DMP_LIMIT_FACTOR: '1' })
  port = Number(new URL(await server.listen()).port)
  staff = await server.signIn('staff')
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

/** Sends the beginning of an upload and hangs up; resolves with what that cost whom. */
async function breakOff(path = '/dicom-web/studies'): Promise<unknown[] | undefined> {
  const charge = jest.spyOn(server.deps.penalties, 'charge')
  const begun = jest.spyOn(server.deps.objects, 'stage')
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const { payload, headers } = stowBody([dicomFile()])
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
      `authorization: ${staff.headers.authorization}\r\ncontent-type: ${headers['content-type']}\r\n` +
      `content-length: ${2 * payload.length}\r\n\r\n`,
  )
  socket.write(payload.subarray(0, payload.length / 2))
  while (begun.mock.calls.length === 0) await new Promise((again) => setTimeout(again, 5))
  socket.destroy()
  while (charge.mock.calls.length === 0) await new Promise((again) => setTimeout(again, 5))
  const [call] = charge.mock.calls
  charge.mockRestore()
  begun.mockRestore()
  return call
}

it('counts an object that was refused only after a thread had walked it [P12, P18]', async () => {
  const charge = jest.spyOn(server.deps.penalties, 'charge')
  expect((await stow(server, admin, [manyItems('1.2.9')])).statusCode).toBe(409)
  expect(charge.mock.calls.map(([who, , points]) => [who.userId, points])).toEqual([
    [admin.userId, penaltyPoints.uselessReading],
  ])
  // What is refused at once costs nothing.
  expect((await stow(server, admin, [Buffer.from('no object')])).statusCode).toBe(409)
  expect(charge).toHaveBeenCalledTimes(1)
  // A long one was written and hashed by then.
  expect((await stow(server, admin, [Buffer.alloc(2 ** 20 + 1)])).statusCode).toBe(409)
  expect(charge).toHaveBeenLastCalledWith(
    expect.objectContaining({ userId: admin.userId }),
    expect.anything(),
    penaltyPoints.uselessReading,
  )
  expect(charge).toHaveBeenCalledTimes(2)
  charge.mockRestore()
})

it('counts a broken upload however its address is spelled [P18]', async () => {
  for (const path of ['/dicom-web/%73tudies', '/DICOM-WEB/Studies/', '/%64icom-web/studies?accept=*/*'])
    expect([path, (await breakOff(path))?.[2]]).toEqual([path, penaltyPoints.brokenOff])
})

it('refuses somebody whose uploads go on breaking off before anything is looked up, and nobody else [P18]', async () => {
  expect((await stow(server, staff, [dicomFile()])).statusCode).toBe(200)
  const [owner, address, points] = (await breakOff()) as Parameters<Penalties['charge']>
  expect([owner.userId, points]).toEqual([staff.userId, penaltyPoints.brokenOff])
  expect((await stow(server, staff, [dicomFile()])).statusCode).toBe(200)
  // As if it went on; how quickly this machine breaks lines off does not matter.
  for (let n = 0; n < 100; n += 1) server.deps.penalties.charge(owner, address, points)
  const lookedUp = jest.spyOn(server.deps.viewers, 'of')
  const counted = jest.spyOn(server.deps.limits, 'spend')
  const refused = await stow(server, staff, [dicomFile()])
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([429, 'SLOW_DOWN'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.headers.connection).toBe('close')
  expect(lookedUp).not.toHaveBeenCalled()
  expect(counted).not.toHaveBeenCalled()
  expect((await stow(server, admin, [dicomFile()])).statusCode).toBe(200)
})

it('knows whoever has to wait by any spelling of the token, and by a new one as soon as that is judged [P18]', async () => {
  const sue = await server.signIn('admin@south.example')
  expect((await sue.call(account.validateToken, {})).status).toBe(200)
  const owner = { userId: sue.userId, organizationId: await server.organizationOf(sue) }
  for (let n = 0; n < 100; n += 1) server.deps.penalties.charge(owner, '10.7.7.7', penaltyPoints.brokenOff)
  const lookedUp = jest.spyOn(server.deps.viewers, 'of').mockClear()
  const { accessToken = '' } = sue.tokens
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    const headers = { authorization: `${scheme} ${accessToken}` }
    expect([scheme, (await server.call(account.validateToken, {}, { headers })).status]).toEqual([scheme, 429])
  }
  expect(lookedUp).not.toHaveBeenCalled()
  const again = await server.signIn('admin@south.example')
  const refused = await stow(server, again, [dicomFile()])
  expect([refused.statusCode, refused.headers.connection]).toEqual([429, 'close'])
  expect((await again.call(account.validateToken, {})).status).toBe(429)
})

it('charges nobody for a database that is away or a queue that others filled, only for what is their own doing [P18]', async () => {
  const charge = jest.spyOn(server.deps.penalties, 'charge')
  const judged = jest.spyOn(server.deps.viewers, 'of')
  const fail = async (cause: Error): Promise<number> => {
    judged.mockRejectedValueOnce(cause)
    return (await admin.call(account.validateToken, {})).status
  }
  expect((await admin.call(account.validateToken, {})).status).toBe(200)
  for (const cause of [new DatabaseAway(), new TooManyWaiting('perOrganization'), new TooManyWaiting('inAll')])
    expect(await fail(cause)).toBe(503)
  expect(charge).not.toHaveBeenCalled()
  expect(await fail(new TooManyWaiting('perPerson'))).toBe(503)
  expect(charge.mock.calls.map(([who, , points]) => [who.userId, points])).toEqual([
    [admin.userId, penaltyPoints.refused],
  ])
  charge.mockRestore()
  judged.mockRestore()
})

describe('a refusal', () => {
  const charged = async (ask: () => Promise<{ statusCode: number }>): Promise<[number, number]> => {
    const charge = jest.spyOn(server.deps.penalties, 'charge')
    const { statusCode } = await ask()
    const { length } = charge.mock.calls
    charge.mockRestore()
    return [statusCode, length]
  }
  const study = () => server.app.inject({ url: '/dicom-web/studies?limit=1', headers: admin.headers })

  it.each<[string, unknown, number]>([
    ['the disk is full', Object.assign(new Error('full'), { code: 'ENOSPC' }), 507],
    ['others of the address take its calls', tooManyOfAll(1, 'Too many.'), 429],
  ])('because %s costs the caller nothing [P18]', async (_why, cause, status) => {
    const reserve = jest.spyOn(server.deps.memory, 'reserve').mockRejectedValue(cause)
    expect(await charged(study)).toEqual([status, 0])
    reserve.mockRestore()
  })

  it('because the caller asks too often, or has too much under way, costs points [P18]', async () => {
    const ask = () => admin.call(businessUser.emailAvailable, { email: 'nobody@north.example' })
    while ((await ask()).status === 200);
    expect(await charged(async () => (await ask()).raw)).toEqual([429, 1])
    const turn = { customer: await server.organizationOf(admin), person: admin.userId }
    const all = await server.deps.memory.reserve(turn, server.deps.settings.readPersonMegabytes * 2 ** 20)
    expect(await charged(study)).toEqual([503, 1])
    all.release()
  })
})
